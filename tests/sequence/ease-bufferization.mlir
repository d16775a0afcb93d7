// RUN: fold-opt %s --ease-bufferization | FileCheck %s

!seq = !sequence.seq<tensor<4xf32>, ?>

// CHECK-LABEL: func.func @a_tensor_that_is_inserted_twice
// CHECK-SAME: (%[[S:.*]]: !sequence.seq<tensor<4xf32>, ?>, %[[E:.*]]: tensor<4xf32>)
// CHECK: %[[R:.*]] = sequence.record_copy %[[E]] : tensor<4xf32>
// CHECK-NEXT: %[[T:.*]] = sequence.insert %[[R]] into %[[S]] : !sequence.record
// CHECK-NEXT: sequence.insert %[[R]] into %[[T]] : !sequence.record
func.func @a_tensor_that_is_inserted_twice(%s: !seq, %e: tensor<4xf32>) -> !seq {
  %t = sequence.insert %e into %s : tensor<4xf32>, !seq -> !seq
  %u = sequence.insert %e into %t : tensor<4xf32>, !seq -> !seq
  return %u : !seq
}

// CHECK-LABEL: func.func @once_stays
// CHECK-NOT: record_copy
func.func @once_stays(%s: !seq, %e: tensor<4xf32>) -> !seq {
  %t = sequence.insert %e into %s : tensor<4xf32>, !seq -> !seq
  return %t : !seq
}

// Not above the branch: it may not be run.
// CHECK-LABEL: func.func @in_its_block
// CHECK: scf.if
// CHECK-NEXT: record_copy
func.func @in_its_block(%s: !seq, %e: tensor<4xf32>, %c: i1) -> !seq {
  %r = scf.if %c -> !seq {
    %t = sequence.insert %e into %s : tensor<4xf32>, !seq -> !seq
    %u = sequence.insert %e into %t : tensor<4xf32>, !seq -> !seq
    scf.yield %u : !seq
  } else {
    scf.yield %s : !seq
  }
  return %r : !seq
}

// CHECK-LABEL: func.func @all_elements_of_a_construct
// CHECK: %[[A:.*]] = sequence.record_copy %arg0
// CHECK: %[[B:.*]] = sequence.record_copy %arg1
// CHECK: sequence.construct %[[A]], %[[B]], %[[A]]
func.func @all_elements_of_a_construct(%a: tensor<4xf32>, %b: tensor<4xf32>) -> !sequence.seq<tensor<4xf32>, 3> {
  %s = sequence.construct %a, %b, %a : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> !sequence.seq<tensor<4xf32>, 3>
  return %s : !sequence.seq<tensor<4xf32>, 3>
}

// CHECK-LABEL: func.func @an_empty_for_each_use
// CHECK: %[[A:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: %[[B:.*]] = tensor.empty() : tensor<4xf32>
// CHECK: outs(%[[B]] : tensor<4xf32>)
// CHECK: outs(%[[A]] : tensor<4xf32>)
func.func @an_empty_for_each_use(%f: f32, %g: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %empty = tensor.empty() : tensor<4xf32>
  %0 = linalg.fill ins(%f : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %1 = linalg.fill ins(%g : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// One that nothing uses ended the process.

// CHECK-LABEL: func.func @an_unused_tensor
func.func @an_unused_tensor() {
  // CHECK-NEXT: tensor.empty() : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  return
}
