// The calling convention of compiled functions (tensorfolding/lowering/Passes.h).
// RUN: fold-opt %s -lower-constant-tensors-to-llvm | FileCheck %s

// Both are of static shape: buffers of the caller, after the argument.
// CHECK: llvm.func @_mlir_ciface_static(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
func.func @static(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<2xi8>) {
  %y = arith.addf %x, %x : tensor<4xf32>
  %c = arith.constant dense<[1, 2]> : tensor<2xi8>
  return %y, %c : tensor<4xf32>, tensor<2xi8>
}

// One of dynamic shape: both are returned.
// CHECK: llvm.func @_mlir_ciface_dynamic(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
// CHECK: llvm.store %{{.*}} : !llvm.struct<(struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, struct<{{.*}}>)>, !llvm.ptr
func.func @dynamic(%x: tensor<?xf32>, %y: tensor<4xf32>) -> (tensor<?xf32>, tensor<4xf32>) {
  %a = arith.addf %x, %x : tensor<?xf32>
  %b = arith.addf %y, %y : tensor<4xf32>
  return %a, %b : tensor<?xf32>, tensor<4xf32>
}

// A scalar is returned in both conventions.
// CHECK: llvm.func @_mlir_ciface_scalar(%{{.*}}: !llvm.ptr, %{{.*}}: f32, %{{.*}}: !llvm.ptr) -> f32
func.func @scalar(%x: tensor<4xf32>, %f: f32) -> (f32, tensor<4xf32>) {
  %zero = arith.constant 0 : index
  %e = tensor.extract %x[%zero] : tensor<4xf32>
  %s = arith.addf %e, %f : f32
  %d = arith.addf %x, %x : tensor<4xf32>
  return %s, %d : f32, tensor<4xf32>
}

// Nobody outside calls it.
// CHECK-NOT: @_mlir_ciface_internal
func.func private @internal(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @caller(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @internal(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
