func.func @f() -> (tensor<3xi4>, tensor<2x!onnx.string>, tensor<2x2xf32>, tensor<1xcomplex<f32>>) {
  %0 = onnx.Constant dense<[1, -2, 3]> : tensor<3xi4>
  %1 = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %2 = onnx.Constant dense<"0x0000803F000000400000404000008040"> : tensor<2x2xf32>
  %3 = onnx.Constant dense<(1.0, -2.0)> : tensor<1xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<3xi4>, tensor<2x!onnx.string>, tensor<2x2xf32>, tensor<1xcomplex<f32>>
}
