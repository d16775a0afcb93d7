// RUN: fold-opt %s -o %t.mlir && FileCheck %s < %t.mlir
// RUN: fold-opt %t.mlir | diff %t.mlir -

// CHECK-LABEL: @element_types
// CHECK-SAME: tensor<1xf16>, tensor<1xbf16>, tensor<1xf32>, tensor<1xf64>
// CHECK-SAME: tensor<1xi2>, tensor<1xi4>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>, tensor<1xi64>
// CHECK-SAME: tensor<1xui2>, tensor<1xui4>, tensor<1xui8>, tensor<1xui16>, tensor<1xui32>, tensor<1xui64>
// CHECK-SAME: tensor<1xi1>, tensor<1x!onnx.string>, tensor<1xcomplex<f32>>, tensor<1xcomplex<f64>>
// CHECK-SAME: tensor<1xf8E4M3FN>, tensor<1xf8E4M3FNUZ>, tensor<1xf8E5M2>, tensor<1xf8E5M2FNUZ>, tensor<1xf8E8M0FNU>, tensor<1xf4E2M1FN>, tensor<1xf6E2M3FN>, tensor<1xf6E3M2FN>
func.func private @element_types(
  tensor<1xf16>, tensor<1xbf16>, tensor<1xf32>, tensor<1xf64>,
  tensor<1xi2>, tensor<1xi4>, tensor<1xi8>, tensor<1xi16>, tensor<1xi32>, tensor<1xi64>,
  tensor<1xui2>, tensor<1xui4>, tensor<1xui8>, tensor<1xui16>, tensor<1xui32>, tensor<1xui64>,
  tensor<1xi1>, tensor<1x!onnx.string>, tensor<1xcomplex<f32>>, tensor<1xcomplex<f64>>,
  tensor<1xf8E4M3FN>, tensor<1xf8E4M3FNUZ>, tensor<1xf8E5M2>, tensor<1xf8E5M2FNUZ>, tensor<1xf8E8M0FNU>, tensor<1xf4E2M1FN>, tensor<1xf6E2M3FN>, tensor<1xf6E3M2FN>)

// CHECK-LABEL: @containers
// CHECK-SAME: !onnx.unknown, tensor<*xf32>, !onnx.seq<tensor<?xf32>>, !onnx.optional<!onnx.seq<!onnx.unknown>>
// CHECK-SAME: !onnx.map<!onnx.string, tensor<f32>>, !onnx.map<i64, !onnx.seq<tensor<f32>>>
// CHECK-SAME: !onnx.sparse<tensor<3x4xf32>>, !onnx.opaque<"com.acme", "T">
func.func private @containers(
  !onnx.unknown, tensor<*xf32>, !onnx.seq<tensor<?xf32>>, !onnx.optional<!onnx.seq<!onnx.unknown>>,
  !onnx.map<!onnx.string, tensor<f32>>, !onnx.map<i64, !onnx.seq<tensor<f32>>>,
  !onnx.sparse<tensor<3x4xf32>>, !onnx.opaque<"com.acme", "T">)

// CHECK-LABEL: @symbolic_dimensions
// CHECK-SAME: tensor<?x3xf32> {onnx.dims = ["batch", ""], onnx.name = "x"}
func.func private @symbolic_dimensions(tensor<?x3xf32> {onnx.name = "x", onnx.dims = ["batch", ""]})

// CHECK-LABEL: @constants
func.func @constants() {
  // CHECK: onnx.Constant dense<["a", "b c", "\22"]> : tensor<3x!onnx.string>
  %0 = onnx.Constant dense<["a", "b c", "\22"]> : tensor<3x!onnx.string>
  // CHECK: onnx.Constant dense<[-2, 1]> : tensor<2xi2>
  %1 = onnx.Constant dense<[-2, 1]> : tensor<2xi2>
  // CHECK: onnx.Constant dense<[0, 3]> : tensor<2xui2>
  %2 = onnx.Constant dense<[0, 3]> : tensor<2xui2>
  // CHECK: onnx.Constant dense<0x7FC1> : tensor<bf16>
  %3 = onnx.Constant dense<0x7FC1> : tensor<bf16>
  // CHECK: onnx.Constant dense<> : tensor<0x3xf32>
  %4 = onnx.Constant dense<> : tensor<0x3xf32>
  // CHECK: onnx.Constant dense<(1.000000e+00,-2.000000e+00)> : tensor<1xcomplex<f64>>
  %5 = onnx.Constant dense<(1.0, -2.0)> : tensor<1xcomplex<f64>>
  // CHECK: onnx.Constant dense<6.000000e+00> : tensor<2xf4E2M1FN>
  %6 = onnx.Constant dense<6.0> : tensor<2xf4E2M1FN>
  // CHECK: onnx.Constant dense<true> : tensor<4xi1>
  %7 = onnx.Constant dense<true> : tensor<4xi1>
  return
}
