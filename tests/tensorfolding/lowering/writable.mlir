// A cached tensor was overwritten: bufferization takes arguments of functions for memory that it may write to, so that
// `folded + x` was computed in the memory of `folded`, and the second call saw another folded tensor.
// RUN: fold-opt %s -prepare-constant-tensor-calls | FileCheck %s
// RUN: fold-opt %s -prepare-constant-tensor-calls -one-shot-bufferize=bufferize-function-boundaries -split-input-file | FileCheck %s --check-prefix=BUFFERS

// CHECK: func.func @entry(%{{.*}}: tensor<4xf32> {bufferization.writable = false}, %{{.*}}: tensor<4xf32> {bufferization.writable = false})
// CHECK-SAME: llvm.emit_c_interface
// BUFFERS-LABEL: @entry
// BUFFERS: %[[SUM:.*]] = memref.alloc
// BUFFERS: linalg.add {{.*}} outs(%[[SUM]]
func.func @entry(%x: tensor<4xf32>, %folded: tensor<4xf32>) -> tensor<4xf32> {
  %y = linalg.add ins(%x, %folded : tensor<4xf32>, tensor<4xf32>) outs(%folded : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// Who says otherwise is believed.
// CHECK: func.func @in_place(%{{.*}}: tensor<4xf32> {bufferization.writable = true})
// BUFFERS-LABEL: @in_place(
// BUFFERS-NOT: memref.alloc
// BUFFERS: return
func.func @in_place(%x: tensor<4xf32> {bufferization.writable = true}) -> tensor<4xf32> {
  %y = linalg.add ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// CHECK: func.func private @internal(%{{.*}}: tensor<4xf32>)
func.func private @internal(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
