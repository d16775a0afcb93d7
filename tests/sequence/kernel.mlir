// RUN: fold-opt %s -split-input-file -one-shot-bufferize="bufferize-function-boundaries" | FileCheck %s
// RUN: fold-opt %s -split-input-file -lower-sequence-to-llvm | FileCheck %s --check-prefix=LLVM

// A result of static shape is an output that is allocated before; LLVM sees one
// call, with a slot and four words for each tensor.
// CHECK-LABEL: @static_result_is_allocated_before
// CHECK: %[[OUT:.*]] = memref.alloc() {{.*}}: memref<4xf32>
// CHECK: sequence.kernel "k"(%{{.*}}) into{{ ?}}(%[[OUT]] : memref<4xf32>){{.*}}filled = array<i1: true>
// CHECK-SAME: (memref<?xf32{{.*}}>) -> ()
// CHECK: return %[[OUT]]
// LLVM: llvm.mlir.global internal @onnxfold_sequence_slot_k(0 : i64)
// LLVM-LABEL: @static_result_is_allocated_before
// LLVM: llvm.call @onnxfoldKernelCall
func.func @static_result_is_allocated_before(%x: tensor<?xf32>) -> tensor<4xf32> {
  %y = sequence.kernel "k"(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: @dynamic_result_is_the_callees
// CHECK: %[[Y:.*]]:2 = sequence.kernel "k"(%{{.*}}){{.*}}filled = array<i1: false, false>
// CHECK-SAME: -> (memref<?xf32>, memref<*xi64>)
// LLVM-LABEL: @dynamic_result_is_the_callees
func.func @dynamic_result_is_the_callees(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<*xi64>) {
  %y:2 = sequence.kernel "k"(%x) : (tensor<?xf32>) -> (tensor<?xf32>, tensor<*xi64>)
  return %y#0, %y#1 : tensor<?xf32>, tensor<*xi64>
}

// -----

// What a kernel reads is not overwritten by it: no copy.
// CHECK-LABEL: @operands_are_read_only
// CHECK-NOT: memref.copy
// CHECK: return
func.func @operands_are_read_only(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = sequence.kernel "a"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = sequence.kernel "b"(%a, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}

// -----

// Nobody reads the second result, so its buffer is freed at once. The kernel and that deallocation were then erased as a
// pair, and the first result was never written (random program 20268591).
// LLVM-LABEL: @a_dead_result_does_not_erase_the_kernel
// LLVM: llvm.call @onnxfoldKernelCall
// LLVM: return
func.func @a_dead_result_does_not_erase_the_kernel(%x: tensor<?xf32>) -> (tensor<i1>, tensor<f32>) {
  %y:2 = sequence.kernel "dead"(%x) : (tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>)
  %true = arith.constant dense<true> : tensor<i1>
  return %true, %y#0 : tensor<i1>, tensor<f32>
}
