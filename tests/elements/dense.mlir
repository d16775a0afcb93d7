// Text of disposable attributes: parsed, folded, printed, and parsed again.
// RUN: fold-opt %s -split-input-file | FileCheck %s
// RUN: fold-opt %s -split-input-file | fold-opt -split-input-file | FileCheck %s
// RUN: fold-opt %s -split-input-file -mlir-print-op-generic | fold-opt -split-input-file | FileCheck %s
// RUN: fold-opt %s -split-input-file -mlir-elide-elementsattrs-if-larger=2 | fold-opt -split-input-file | FileCheck %s -check-prefix=ELIDED
// RUN: fold-opt %s -split-input-file -mlir-print-elementsattrs-with-hex-if-larger=2 | FileCheck %s -check-prefix=HEX
// RUN: fold-opt %s -split-input-file -canonicalize | FileCheck %s -check-prefix=FOLDED

// CHECK-LABEL: @add
// CHECK: arith.constant #elements.dense<[1, 2, 3]> : tensor<3xi32>
// CHECK: arith.constant #elements.dense<7> : tensor<3xi32>
// ELIDED-LABEL: @add
// ELIDED: arith.constant #elements.dense<__elided__> : tensor<3xi32>
// ELIDED: arith.constant #elements.dense<7> : tensor<3xi32>
// HEX-LABEL: @add
// HEX: arith.constant #elements.dense<"0x010000000200000003000000"> : tensor<3xi32>
// HEX: arith.constant #elements.dense<7> : tensor<3xi32>
// FOLDED-LABEL: @add
// FOLDED: arith.constant dense<[8, 9, 10]> : tensor<3xi32>
func.func @add() -> tensor<3xi32> {
  %0 = arith.constant #elements.dense<[1, 2, 3]> : tensor<3xi32>
  %1 = arith.constant #elements.dense<"0x07000000"> : tensor<3xi32>
  %2 = arith.addi %0, %1 : tensor<3xi32>
  return %2 : tensor<3xi32>
}

// -----

// CHECK-LABEL: @nested
// CHECK-SAME: test.list = [#elements.dense<[true, false]> : tensor<2xi1>, unit]
// CHECK-SAME: test.shape = #elements.dense<(1.000000e+00,-0.000000e+00)> : tensor<1x1xcomplex<f32>>
func.func private @nested() attributes {
  test.list = [#elements.dense<[true, false]> : tensor<2xi1>, unit],
  test.shape = #elements.dense<(1.0, -0.0)> : tensor<1x1xcomplex<f32>>
}

// -----

// CHECK-LABEL: @onnx_constant
// CHECK: onnx.Constant dense<"0x00{{.*}}"> : tensor<260xi8>
// ELIDED-LABEL: @onnx_constant
// ELIDED: onnx.Constant dense_resource<__elided__> : tensor<260xi8>
func.func @onnx_constant() -> tensor<260xi8> {
  %0 = onnx.Constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F202122232425262728292A2B2C2D2E2F303132333435363738393A3B3C3D3E3F404142434445464748494A4B4C4D4E4F505152535455565758595A5B5C5D5E5F606162636465666768696A6B6C6D6E6F707172737475767778797A7B7C7D7E7F808182838485868788898A8B8C8D8E8F909192939495969798999A9B9C9D9E9FA0A1A2A3A4A5A6A7A8A9AAABACADAEAFB0B1B2B3B4B5B6B7B8B9BABBBCBDBEBFC0C1C2C3C4C5C6C7C8C9CACBCCCDCECFD0D1D2D3D4D5D6D7D8D9DADBDCDDDEDFE0E1E2E3E4E5E6E7E8E9EAEBECEDEEEFF0F1F2F3F4F5F6F7F8F9FAFBFCFDFEFF00010203"> : tensor<260xi8>
  return %0 : tensor<260xi8>
}
