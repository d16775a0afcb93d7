0func.func private @f.once(%w: tensor<2x2xf32>) -> tensor<2x2xf32>
func.func @f(%x: tensor<2x2xf32>, %p: tensor<2x2xf32>) -> tensor<2x2xf32> attributes {onnxfold.constant_tensors = {symbol = "f.metadata",
    arguments = [{type = tensor<2x2xf32>, role = "variable", entry = 0}, {type = tensor<2x2xf32>, role = "runtime", entry = -1}],
    results = [tensor<2x2xf32>], folded = [{type = tensor<2x2xf32>, entry = 1}],
    parts = [{function = @f.once, tier = "runtime", arguments = array<i64: 1>, folded = array<i64: 0>, hash = "00ff"}]}} {
  %y = arith.addf %x, %p : tensor<2x2xf32>
  return %y : tensor<2x2xf32>
}
