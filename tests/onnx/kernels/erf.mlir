// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: math.erf of Python (double), rounded once to the type; f64 is within 1 ulp.
// Integers as the reference evaluator has them: erf(x) rounded to f32, fraction cut off.

// CHECK-LABEL: @erf_f32_special
// CHECK: onnx.Constant dense<[0.000000e+00, -0.000000e+00, 0.52049988{{[0-9]*}}, -0.92290014{{[0-9]*}}, 1.000000e+00, 1.000000e+00, -1.000000e+00, {{0x[7F][0-9A-F]+}}]> : tensor<8xf32>
// CHECK-NEXT: return
func.func @erf_f32_special() -> tensor<8xf32> {
  %x = onnx.Constant dense<[0.000000e+00, -0.000000e+00, 5.000000e-01, -1.250000e+00, 1.000000e+01, 0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<8xf32>
  %r = onnx.Erf(%x) <{since = 13}> : (tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
