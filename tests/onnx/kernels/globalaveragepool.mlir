// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: by hand.

// CHECK-LABEL: @globalaveragepool_f16_rounds_once
// CHECK{LITERAL}: onnx.Constant dense<5.125000e+02> : tensor<1x1x1xf16>
// CHECK-NEXT: return
func.func @globalaveragepool_f16_rounds_once() -> tensor<1x1x1xf16> {
  %x0 = onnx.Constant dense<[[[2.048000e+03, 1.000000e+00, 1.000000e+00, 0.000000e+00]]]> : tensor<1x1x4xf16>
  %r = onnx.GlobalAveragePool(%x0) <{since = 22}> : (tensor<1x1x4xf16>) -> tensor<1x1x1xf16>
  return %r : tensor<1x1x1xf16>
}

// -----

// CHECK-LABEL: @globalaveragepool_nothing_stays
// CHECK: onnx.GlobalAveragePool(
func.func @globalaveragepool_nothing_stays() -> tensor<1x1x1xf32> {
  %x0 = onnx.Constant dense<> : tensor<1x1x0xf32>
  // expected-remark @+1 {{onnx.GlobalAveragePool not folded: input #0 has shape [1, 1, 0], there is nothing in a channel}}
  %r = onnx.GlobalAveragePool(%x0) <{since = 22}> : (tensor<1x1x0xf32>) -> tensor<1x1x1xf32>
  return %r : tensor<1x1x1xf32>
}
