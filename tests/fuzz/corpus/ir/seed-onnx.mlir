func.func @f(%x: tensor<2x?xf32>, %none: none) -> tensor<*xf32> {
  %c = onnx.Constant dense<[1.0, -0.0]> : tensor<2xf32>
  %0 = onnx.Add(%x, %c) <{name = "n", since = 14}> : (tensor<2x?xf32>, tensor<2xf32>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}
