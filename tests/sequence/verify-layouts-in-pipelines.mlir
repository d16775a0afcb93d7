// RUN: not fold-opt %s --lower-sequence-to-llvm 2>&1 | FileCheck %s
// RUN: not fold-opt %s --lower-constant-tensors-to-llvm 2>&1 | FileCheck %s

// No pipeline gets as far as LLVM with a buffer that lost its layout.
// CHECK: error: 'memref.reinterpret_cast' op loses the layout of 'memref<4xf32, strided<[2]>>': its result 'memref<4xf32>' is read as row-major
func.func @lost(%x: memref<4xf32, strided<[2]>>) -> f32 {
  %c3 = arith.constant 3 : index
  %y = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[2]>> to memref<4xf32>
  %z = memref.load %y[%c3] : memref<4xf32>
  return %z : f32
}
