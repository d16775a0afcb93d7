#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x1x5x5xf32>) -> tensor<1x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant dense_resource<torch_tensor_3_torch.float32> : tensor<3xf32>
    %cst_1 = arith.constant dense_resource<torch_tensor_3_4_torch.float32> : tensor<3x4xf32>
    %cst_2 = arith.constant dense_resource<torch_tensor_4_torch.float32_4> : tensor<4xf32>
    %cst_3 = arith.constant dense_resource<torch_tensor_4_torch.float32_3> : tensor<4xf32>
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>
    %cst_6 = arith.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_7 = arith.constant dense_resource<torch_tensor_4_1_3_3_torch.float32> : tensor<4x1x3x3xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_9 = arith.constant 9.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x4x3x3xf32>
    %broadcasted = linalg.broadcast ins(%cst_8 : tensor<4xf32>) outs(%0 : tensor<1x4x3x3xf32>) dimensions = [0, 2, 3] 
    %1 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%arg0, %cst_7 : tensor<1x1x5x5xf32>, tensor<4x1x3x3xf32>) outs(%broadcasted : tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %2 = tensor.empty() : tensor<4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_5 : tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.truncf %cst_4 : f64 to f32
      %21 = arith.addf %in, %20 : f32
      linalg.yield %21 : f32
    } -> tensor<4xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<4xf32>) outs(%2 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = math.rsqrt %in : f32
      linalg.yield %20 : f32
    } -> tensor<4xf32>
    %expanded = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %expanded_10 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %5 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%1, %expanded : tensor<1x4x3x3xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x3x3xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %20 = arith.subf %in, %in_13 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x3x3xf32>
    %6 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %expanded_10 : tensor<1x4x3x3xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x3x3xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %20 = arith.mulf %in, %in_13 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x3x3xf32>
    %expanded_11 = tensor.expand_shape %cst_3 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6, %expanded_11 : tensor<1x4x3x3xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x3x3xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %20 = arith.mulf %in, %in_13 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x3x3xf32>
    %expanded_12 = tensor.expand_shape %cst_2 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%7, %expanded_12 : tensor<1x4x3x3xf32>, tensor<4x1x1xf32>) outs(%0 : tensor<1x4x3x3xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %20 = arith.addf %in, %in_13 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4x3x3xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x4x3x3xf32>) outs(%0 : tensor<1x4x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.cmpf ugt, %in, %cst : f32
      %21 = arith.select %20, %in, %cst : f32
      linalg.yield %21 : f32
    } -> tensor<1x4x3x3xf32>
    %10 = tensor.empty() : tensor<1x4xf32>
    %11 = linalg.fill ins(%cst : f32) outs(%10 : tensor<1x4xf32>) -> tensor<1x4xf32>
    %12 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%9 : tensor<1x4x3x3xf32>) outs(%11 : tensor<1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.addf %in, %out : f32
      linalg.yield %20 : f32
    } -> tensor<1x4xf32>
    %13 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<1x4xf32>) outs(%10 : tensor<1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %20 = arith.divf %in, %cst_9 : f32
      linalg.yield %20 : f32
    } -> tensor<1x4xf32>
    %14 = tensor.empty() : tensor<4x3xf32>
    %transposed = linalg.transpose ins(%cst_1 : tensor<3x4xf32>) outs(%14 : tensor<4x3xf32>) permutation = [1, 0] 
    %15 = tensor.empty() : tensor<1x3xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<1x3xf32>) -> tensor<1x3xf32>
    %17 = linalg.matmul ins(%13, %transposed : tensor<1x4xf32>, tensor<4x3xf32>) outs(%16 : tensor<1x3xf32>) -> tensor<1x3xf32>
    %18 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<3xf32>) outs(%15 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x3xf32>
    %19 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%17, %18 : tensor<1x3xf32>, tensor<1x3xf32>) outs(%15 : tensor<1x3xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %20 = arith.addf %in, %in_13 : f32
      linalg.yield %20 : f32
    } -> tensor<1x3xf32>
    return %19 : tensor<1x3xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_3_torch.float32: "0x0400000024344B3EC8558A3DFEA4AB3E",
      torch_tensor_3_4_torch.float32: "0x04000000406AD73C3A3F83BEC03EAD3D9E06EFBE1AFAB8BEC6F983BE2685A13E2619963EC81163BE20CB93BC40BAA33E827FFE3E",
      torch_tensor_4_torch.float32_4: "0x0400000000000000000000000000000000000000",
      torch_tensor_4_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_2: "0x04000000E2D05C3FFA6FCB3F7E9BC63FB0444E3F",
      torch_tensor_4_torch.float32_1: "0x04000000C0BB16BFF8D03E3E6C7A46BF186E31BF",
      torch_tensor_4_1_3_3_torch.float32: "0x04000000568D23BB281B373E64778CBE56337BBE4E7703BEE60FB73DAB69D8BBDF51873E9654F2BC66A4B43D904FCEBD4B3086BDD00BA3BE180F62BE9BB40CBEAB4E4A3CEBF0063ECBCE4C3E666767BE53A314BECBF4F73D34B88D3E307E8CBD7B6C7F3EAB115CBDB678103DDC889A3E8A529EBEDEE156BED6D3ACBD3E0D05BEC674933ECE3E5DBE80201DBE23786EBEFAD69FBE",
      torch_tensor_4_torch.float32: "0x04000000064047BE6AB4923E284F183E566F253E"
    }
  }
#-}
