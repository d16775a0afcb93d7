module {
  func.func @main(%arg0: tensor<1x1x5x5xf32>) -> tensor<1x3xf32> {
    %cst = stablehlo.constant dense_resource<torch_tensor_3_torch.float32> : tensor<3xf32>
    %cst_0 = stablehlo.constant dense_resource<torch_tensor_3_4_torch.float32> : tensor<3x4xf32>
    %cst_1 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_4> : tensor<4xf32>
    %cst_2 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_3> : tensor<4xf32>
    %cst_3 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>
    %cst_4 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32_1> : tensor<4xf32>
    %cst_5 = stablehlo.constant dense_resource<torch_tensor_4_1_3_3_torch.float32> : tensor<4x1x3x3xf32>
    %cst_6 = stablehlo.constant dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>
    %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<1x4x3x3xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_9 = arith.constant dense<1.000000e-05> : tensor<1xf64>
    %cst_10 = arith.constant dense<9> : tensor<1xi64>
    %cst_11 = arith.constant dense<1> : tensor<1xi64>
    %0 = stablehlo.convolution(%arg0, %cst_5) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [1, 1], pad = [[0, 0], [0, 0]], rhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x5x5xf32>, tensor<4x1x3x3xf32>) -> tensor<1x4x3x3xf32>
    %1 = stablehlo.reshape %cst_6 : (tensor<4xf32>) -> tensor<4x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x4x3x3xf32>
    %4 = stablehlo.convert %cst_9 : (tensor<1xf64>) -> tensor<1xf32>
    %5 = stablehlo.reshape %4 : (tensor<1xf32>) -> tensor<f32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %7 = stablehlo.add %6, %cst_3 : tensor<4xf32>
    %8 = stablehlo.rsqrt %7 : tensor<4xf32>
    %9 = stablehlo.reshape %cst_4 : (tensor<4xf32>) -> tensor<4x1xf32>
    %10 = stablehlo.reshape %9 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %11 = stablehlo.reshape %8 : (tensor<4xf32>) -> tensor<4x1xf32>
    %12 = stablehlo.reshape %11 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %14 = stablehlo.subtract %3, %13 : tensor<1x4x3x3xf32>
    %15 = stablehlo.broadcast_in_dim %12, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<1x4x3x3xf32>
    %17 = stablehlo.reshape %cst_2 : (tensor<4xf32>) -> tensor<4x1xf32>
    %18 = stablehlo.reshape %17 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %20 = stablehlo.multiply %16, %19 : tensor<1x4x3x3xf32>
    %21 = stablehlo.reshape %cst_1 : (tensor<4xf32>) -> tensor<4x1xf32>
    %22 = stablehlo.reshape %21 : (tensor<4x1xf32>) -> tensor<4x1x1xf32>
    %23 = stablehlo.broadcast_in_dim %22, dims = [1, 2, 3] : (tensor<4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %24 = stablehlo.add %20, %23 : tensor<1x4x3x3xf32>
    %25 = stablehlo.maximum %24, %cst_7 : tensor<1x4x3x3xf32>
    %26 = stablehlo.reduce(%25 init: %cst_8) applies stablehlo.add across dimensions = [2, 3] : (tensor<1x4x3x3xf32>, tensor<f32>) -> tensor<1x4xf32>
    %27 = stablehlo.convert %cst_10 : (tensor<1xi64>) -> tensor<1xf32>
    %28 = stablehlo.reshape %27 : (tensor<1xf32>) -> tensor<f32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [] : (tensor<f32>) -> tensor<1x4xf32>
    %30 = stablehlo.divide %26, %29 : tensor<1x4xf32>
    %31 = stablehlo.transpose %cst_0, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    %32 = stablehlo.dot_general %30, %31, contracting_dims = [1] x [0] : (tensor<1x4xf32>, tensor<4x3xf32>) -> tensor<1x3xf32>
    %33 = stablehlo.convert %cst_11 : (tensor<1xi64>) -> tensor<1xf32>
    %34 = stablehlo.reshape %33 : (tensor<1xf32>) -> tensor<f32>
    %35 = stablehlo.broadcast_in_dim %34, dims = [] : (tensor<f32>) -> tensor<1x3xf32>
    %36 = stablehlo.multiply %32, %35 : tensor<1x3xf32>
    %37 = stablehlo.broadcast_in_dim %cst, dims = [1] : (tensor<3xf32>) -> tensor<1x3xf32>
    %38 = stablehlo.multiply %37, %35 : tensor<1x3xf32>
    %39 = stablehlo.add %36, %38 : tensor<1x3xf32>
    return %39 : tensor<1x3xf32>
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
