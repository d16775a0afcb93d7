// Three layers whose weights are packed for the product: %w0 is a literal, %w1 is known when the program is compiled,
// %w2 when it runs first. (docs/tensor-folding.md)
func.func @entry(%feature0: tensor<2x4xbf16>, %w1: tensor<4x4xbf16>, %w2: tensor<4x4xbf16>) -> tensor<2x4xbf16>
    attributes {compiletime_const_args_index = [1 : i32], runtime_const_args_index = [2 : i32]} {
  %zero = arith.constant 0.0 : bf16
  %packed = tensor.empty() : tensor<2x1x2x4xbf16>
  %result = tensor.empty() : tensor<1x2x2x2xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%result : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %tiles = tensor.empty() : tensor<1x1x2x4xbf16>
  %plain = tensor.empty() : tensor<2x4xbf16>

  %w0 = arith.constant dense<[[1.0, 0.0, 0.0, 2.0], [0.0, 1.0, 0.0, 0.0], [0.0, 3.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]> : tensor<4x4xbf16>
  %packed_w0 = linalg.pack %w0 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %packed : tensor<4x4xbf16> -> tensor<2x1x2x4xbf16>
  %packed_0 = linalg.pack %feature0 inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %tiles : tensor<2x4xbf16> -> tensor<1x1x2x4xbf16>
  %product_0 = linalg.mmt4d ins(%packed_0, %packed_w0 : tensor<1x1x2x4xbf16>, tensor<2x1x2x4xbf16>) outs(%init : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %feature1 = linalg.unpack %product_0 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %plain : tensor<1x2x2x2xbf16> -> tensor<2x4xbf16>

  %packed_w1 = linalg.pack %w1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %packed : tensor<4x4xbf16> -> tensor<2x1x2x4xbf16>
  %packed_1 = linalg.pack %feature1 inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %tiles : tensor<2x4xbf16> -> tensor<1x1x2x4xbf16>
  %product_1 = linalg.mmt4d ins(%packed_1, %packed_w1 : tensor<1x1x2x4xbf16>, tensor<2x1x2x4xbf16>) outs(%init : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %feature2 = linalg.unpack %product_1 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %plain : tensor<1x2x2x2xbf16> -> tensor<2x4xbf16>

  %packed_w2 = linalg.pack %w2 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %packed : tensor<4x4xbf16> -> tensor<2x1x2x4xbf16>
  %packed_2 = linalg.pack %feature2 inner_dims_pos = [0, 1] inner_tiles = [2, 4] into %tiles : tensor<2x4xbf16> -> tensor<1x1x2x4xbf16>
  %product_2 = linalg.mmt4d ins(%packed_2, %packed_w2 : tensor<1x1x2x4xbf16>, tensor<2x1x2x4xbf16>) outs(%init : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %feature3 = linalg.unpack %product_2 inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %plain : tensor<1x2x2x2xbf16> -> tensor<2x4xbf16>
  return %feature3 : tensor<2x4xbf16>
}
