// finalize-memref-to-llvm ended the process on a number in a resource.
// RUN: fold-opt %s --dense-scalars | FileCheck %s
// RUN: fold-opt %s --lower-deallocation-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: fold-opt %s --lower-constant-tensors-to-llvm | FileCheck %s --check-prefix=LLVM
// RUN: fold-opt %s --lower-sequence-to-llvm | FileCheck %s --check-prefix=LLVM

// CHECK: memref.global "private" constant @one : memref<f32> = dense<1.000000e+00>
// CHECK: memref.global "private" constant @two : memref<2xi8> = dense_resource<pair>
// LLVM: llvm.mlir.global private constant @one(1.000000e+00 : f32)
memref.global "private" constant @one : memref<f32> = dense_resource<float>
memref.global "private" constant @two : memref<2xi8> = dense_resource<pair>

// CHECK: arith.constant dense<-2> : tensor<i16>
// CHECK: arith.constant dense<-3> : tensor<i3>
// CHECK: arith.constant dense<true> : tensor<i1>
func.func @numbers() -> (tensor<i16>, tensor<i3>, tensor<i1>) {
  %0 = arith.constant dense_resource<short> : tensor<i16>
  %1 = arith.constant dense_resource<byte> : tensor<i3>
  %2 = arith.constant dense_resource<byte> : tensor<i1>
  return %0, %1, %2 : tensor<i16>, tensor<i3>, tensor<i1>
}

// They were refused: "of 8 bytes, expected one 'complex<f32>'".
// CHECK: arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
// CHECK: arith.constant dense<(-2,1)> : tensor<complex<i8>>
func.func @pairs() -> (tensor<complex<f32>>, tensor<complex<i8>>) {
  %0 = arith.constant dense_resource<floats> : tensor<complex<f32>>
  %1 = arith.constant dense_resource<bytes> : tensor<complex<i8>>
  return %0, %1 : tensor<complex<f32>>, tensor<complex<i8>>
}

{-#
  dialect_resources: {
    builtin: {
      byte: "0x0100000005",
      bytes: "0x01000000FE01",
      floats: "0x040000000000803F00000040",
      float: "0x040000000000803F",
      pair: "0x010000000102",
      short: "0x02000000FEFF"
    }
  }
#-}
