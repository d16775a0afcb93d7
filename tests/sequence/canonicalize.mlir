// What is known of sequences folds; what could stop the program does not.
// RUN: fold-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @at_of_construct
// CHECK-SAME: %{{.*}}: tensor<2xf32>, %[[B:.*]]: tensor<3xf32>
// CHECK: %[[C:.*]] = tensor.cast %[[B]] : tensor<3xf32> to tensor<?xf32>
// CHECK: return %[[C]], %[[C]]
func.func @at_of_construct(%a: tensor<2xf32>, %b: tensor<3xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %s = sequence.construct %a, %b : (tensor<2xf32>, tensor<3xf32>) -> !sequence.seq<tensor<?xf32>, 2>
  %0 = sequence.at %s[%c1] : !sequence.seq<tensor<?xf32>, 2> -> tensor<?xf32>
  %1 = sequence.at %s[%m1] : !sequence.seq<tensor<?xf32>, 2> -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @out_of_range_stays
// CHECK: sequence.at
func.func @out_of_range_stays(%a: tensor<2xf32>) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %s = sequence.construct %a : (tensor<2xf32>) -> !sequence.seq<tensor<2xf32>, 1>
  %0 = sequence.at %s[%c1] : !sequence.seq<tensor<2xf32>, 1> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// An element of a shape that the result type forbids stops the program.
// CHECK-LABEL: func.func @other_shape_stays
// CHECK: sequence.at
func.func @other_shape_stays(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {
  %c1 = arith.constant 1 : index
  %s = sequence.construct %a, %b : (tensor<2xf32>, tensor<3xf32>) -> !sequence.seq<tensor<?xf32>, 2>
  %0 = sequence.at %s[%c1] : !sequence.seq<tensor<?xf32>, 2> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @known_chain
// CHECK-SAME: %[[A:.*]]: tensor<2xf32>, %[[B:.*]]: tensor<2xf32>, %[[C:.*]]: tensor<2xf32>
// CHECK-DAG: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: return %[[C]], %[[B]], %[[TWO]]
func.func @known_chain(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %0 = sequence.empty : !sequence.seq<tensor<2xf32>, 0>
  %1 = sequence.insert %a into %0 : tensor<2xf32>, !sequence.seq<tensor<2xf32>, 0> -> !sequence.seq<tensor<2xf32>, 1>
  %2 = sequence.insert %b into %1 at %c1 : tensor<2xf32>, !sequence.seq<tensor<2xf32>, 1> -> !sequence.seq<tensor<2xf32>, 2>
  %3 = sequence.insert %c into %2 at %m1 : tensor<2xf32>, !sequence.seq<tensor<2xf32>, 2> -> !sequence.seq<tensor<2xf32>, 3>
  %4 = sequence.erase %3 at %c0 : !sequence.seq<tensor<2xf32>, 3> -> !sequence.seq<tensor<2xf32>, 2>
  %5 = sequence.at %4[%c0] : !sequence.seq<tensor<2xf32>, 2> -> tensor<2xf32>
  %6 = sequence.at %4[%c1] : !sequence.seq<tensor<2xf32>, 2> -> tensor<2xf32>
  %7 = sequence.length %4 : !sequence.seq<tensor<2xf32>, 2>
  return %5, %6, %7 : tensor<2xf32>, tensor<2xf32>, index
}

// CHECK-LABEL: func.func @through_argument
// CHECK-SAME: %[[S:.*]]: !sequence.seq<tensor<2xf32>, 4>, %[[A:.*]]: tensor<2xf32>
// CHECK-DAG: %[[C2:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK: %[[X:.*]] = sequence.at %[[S]][%[[C0]]]
// CHECK: %[[Y:.*]] = sequence.at %[[S]][%[[C2]]]
// CHECK: return %[[X]], %[[A]], %[[Y]]
func.func @through_argument(%s: !sequence.seq<tensor<2xf32>, 4>, %a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m2 = arith.constant -2 : index
  %t = sequence.insert %a into %s at %c1 : tensor<2xf32>, !sequence.seq<tensor<2xf32>, 4> -> !sequence.seq<tensor<2xf32>, 5>
  %0 = sequence.at %t[%c0] : !sequence.seq<tensor<2xf32>, 5> -> tensor<2xf32>
  %1 = sequence.at %t[%c1] : !sequence.seq<tensor<2xf32>, 5> -> tensor<2xf32>
  %2 = sequence.at %t[%m2] : !sequence.seq<tensor<2xf32>, 5> -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// The length is not known: only the first is surely the one inserted at 0.
// CHECK-LABEL: func.func @unknown_length
// CHECK-SAME: %[[S:.*]]: !sequence.seq<tensor<2xf32>, ?>, %[[A:.*]]: tensor<2xf32>
// CHECK: %[[X:.*]] = sequence.at %{{.*}}[%{{.*}}]
// CHECK: return %[[A]], %[[A]], %[[X]]
func.func @unknown_length(%s: !sequence.seq<tensor<2xf32>, ?>, %a: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m1 = arith.constant -1 : index
  %t = sequence.insert %a into %s at %c0 : tensor<2xf32>, !sequence.seq<tensor<2xf32>, ?> -> !sequence.seq<tensor<2xf32>, ?>
  %u = sequence.insert %a into %s : tensor<2xf32>, !sequence.seq<tensor<2xf32>, ?> -> !sequence.seq<tensor<2xf32>, ?>
  %0 = sequence.at %t[%c0] : !sequence.seq<tensor<2xf32>, ?> -> tensor<2xf32>
  %1 = sequence.at %u[%m1] : !sequence.seq<tensor<2xf32>, ?> -> tensor<2xf32>
  %2 = sequence.at %t[%c1] : !sequence.seq<tensor<2xf32>, ?> -> tensor<2xf32>
  return %0, %1, %2 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @length_of_appended
// CHECK: %[[N:.*]] = sequence.length %arg0
// CHECK: arith.addi %[[N]]
func.func @length_of_appended(%s: !sequence.seq<tensor<2xf32>, ?>, %a: tensor<2xf32>) -> index {
  %u = sequence.insert %a into %s : tensor<2xf32>, !sequence.seq<tensor<2xf32>, ?> -> !sequence.seq<tensor<2xf32>, ?>
  %0 = sequence.length %u : !sequence.seq<tensor<2xf32>, ?>
  return %0 : index
}

// CHECK-LABEL: func.func @erase_inserted
// CHECK: return %arg0
func.func @erase_inserted(%s: !sequence.seq<tensor<2xf32>, ?>, %a: tensor<2xf32>) -> !sequence.seq<tensor<2xf32>, ?> {
  %u = sequence.insert %a into %s : tensor<2xf32>, !sequence.seq<tensor<2xf32>, ?> -> !sequence.seq<tensor<2xf32>, ?>
  %v = sequence.erase %u : !sequence.seq<tensor<2xf32>, ?> -> !sequence.seq<tensor<2xf32>, ?>
  return %v : !sequence.seq<tensor<2xf32>, ?>
}

// CHECK-LABEL: func.func @at_of_split
// CHECK: tensor.extract_slice %arg0[6] [1] [1] : tensor<7xf32> to tensor<1xf32>
func.func @at_of_split(%t: tensor<7xf32>) -> tensor<?xf32> {
  %c3 = arith.constant 3 : index
  %m1 = arith.constant -1 : index
  %s = sequence.split %t axis -1 chunk %c3 : tensor<7xf32> -> !sequence.seq<tensor<?xf32>, 3>
  %0 = sequence.at %s[%m1] : !sequence.seq<tensor<?xf32>, 3> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// Types get better: what was inserted says its shape.
// CHECK-LABEL: func.func @refine
// CHECK: sequence.insert %arg1 into %{{.*}} at %{{.*}} : tensor<2xf32>, !sequence.seq<tensor<2xf32>, 4> -> !sequence.seq<tensor<2xf32>, 5>
func.func @refine(%s: !sequence.seq<tensor<2xf32>, 4>, %a: tensor<2xf32>, %p: index) -> !sequence.seq<tensor<*xf32>, ?> {
  %0 = sequence.cast %s : !sequence.seq<tensor<2xf32>, 4> to !sequence.seq<tensor<*xf32>, 4>
  %1 = sequence.insert %a into %s at %p : tensor<2xf32>, !sequence.seq<tensor<2xf32>, 4> -> !sequence.seq<tensor<*xf32>, ?>
  return %1 : !sequence.seq<tensor<*xf32>, ?>
}

// What may stop the program is kept in its loop.
// CHECK-LABEL: func.func @not_hoisted
// CHECK: scf.for
// CHECK: sequence.at
func.func @not_hoisted(%s: !sequence.seq<tensor<2xf32>, ?>, %p: index, %n: index, %sum: tensor<2xf32>) -> tensor<2xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %sum) -> tensor<2xf32> {
    %e = sequence.at %s[%p] : !sequence.seq<tensor<2xf32>, ?> -> tensor<2xf32>
    %b = arith.addf %a, %e : tensor<2xf32>
    scf.yield %b : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
