module {
  func.func @main(%arg0: tensor<1x1x5x5xf32>) -> tensor<1x3xf32> {
    %0 = "tosa.const"() <{values = dense_resource<torch_tensor_4_torch.float32_2> : tensor<4xf32>}> : () -> tensor<4xf32>
    %1 = "tosa.const"() <{values = dense_resource<torch_tensor_4_torch.float32> : tensor<4xf32>}> : () -> tensor<4xf32>
    %2 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xf32>}> : () -> tensor<1xf32>
    %3 = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
    %4 = tosa.const_shape  {values = dense<[1, 4, 1, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %5 = tosa.const_shape  {values = dense<[1, 4]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %6 = tosa.const_shape  {values = dense<[1, 1, 4]> : tensor<3xindex>} : () -> !tosa.shape<3>
    %7 = tosa.const_shape  {values = dense<[1, 3]> : tensor<2xindex>} : () -> !tosa.shape<2>
    %8 = tosa.const_shape  {values = dense<[1, 5, 5, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
    %9 = "tosa.const"() <{values = dense<[[[[-0.0024956069], [0.17881453], [-0.274348378]], [[-0.245313019], [-0.128384799], [0.0893857926]], [[-0.00660439348], [0.264296502], [-0.0295813493]]], [[[0.0882041901], [-0.100737691], [-6.552180e-02]], [[-0.318449497], [-0.220760703], [-0.137407705]], [[0.0123478575], [0.131778404], [0.200007603]]], [[[-0.225980371], [-0.145154282], [0.121072374]], [[0.276795983], [-0.0686000586], [0.249437258]], [[-0.053727787], [0.0352713689], [0.301825404]]], [[[-0.309223473], [-0.20984599], [-0.08438842]], [[-0.129933327], [0.288000286], [-0.216059893]], [[-0.15344429], [-0.23288016], [-0.312187016]]]]> : tensor<4x3x3x1xf32>}> : () -> tensor<4x3x3x1xf32>
    %10 = "tosa.const"() <{values = dense<9.99999974E-6> : tensor<1xf32>}> : () -> tensor<1xf32>
    %11 = "tosa.const"() <{values = dense_resource<torch_tensor_4_torch.float32_1> : tensor<1x4x1x1xf32>}> : () -> tensor<1x4x1x1xf32>
    %12 = "tosa.const"() <{values = dense_resource<torch_tensor_4_torch.float32_3> : tensor<1x4x1x1xf32>}> : () -> tensor<1x4x1x1xf32>
    %13 = "tosa.const"() <{values = dense_resource<torch_tensor_4_torch.float32_4> : tensor<1x4x1x1xf32>}> : () -> tensor<1x4x1x1xf32>
    %14 = "tosa.const"() <{values = dense<0.111111112> : tensor<1x1xf32>}> : () -> tensor<1x1xf32>
    %15 = "tosa.const"() <{values = dense<[[[0.0262957811, -0.361283123, -0.221747518], [-0.256341755, -2.577650e-01, -0.0180411935], [0.0845923423, 0.315468967, 0.31978035], [-0.46684736, 0.293160617, 0.497066557]]]> : tensor<1x4x3xf32>}> : () -> tensor<1x4x3xf32>
    %16 = "tosa.const"() <{values = dense_resource<torch_tensor_3_torch.float32> : tensor<1x3xf32>}> : () -> tensor<1x3xf32>
    %17 = tosa.reshape %arg0, %8 : (tensor<1x1x5x5xf32>, !tosa.shape<4>) -> tensor<1x5x5x1xf32>
    %18 = tosa.conv2d %17, %9, %1, %2, %2 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x5x5x1xf32>, tensor<4x3x3x1xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x4xf32>
    %19 = tosa.transpose %18 {perms = array<i32: 0, 3, 1, 2>} : (tensor<1x3x3x4xf32>) -> tensor<1x4x3x3xf32>
    %20 = tosa.add %10, %0 : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
    %21 = tosa.rsqrt %20 : (tensor<4xf32>) -> tensor<4xf32>
    %22 = tosa.sub %19, %11 : (tensor<1x4x3x3xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %23 = tosa.reshape %21, %4 : (tensor<4xf32>, !tosa.shape<4>) -> tensor<1x4x1x1xf32>
    %24 = tosa.mul %22, %23, %3 : (tensor<1x4x3x3xf32>, tensor<1x4x1x1xf32>, tensor<1xi8>) -> tensor<1x4x3x3xf32>
    %25 = tosa.mul %24, %12, %3 : (tensor<1x4x3x3xf32>, tensor<1x4x1x1xf32>, tensor<1xi8>) -> tensor<1x4x3x3xf32>
    %26 = tosa.add %25, %13 : (tensor<1x4x3x3xf32>, tensor<1x4x1x1xf32>) -> tensor<1x4x3x3xf32>
    %27 = tosa.clamp %26 {max_val = 3.40282347E+38 : f32, min_val = 0.000000e+00 : f32} : (tensor<1x4x3x3xf32>) -> tensor<1x4x3x3xf32>
    %28 = tosa.reduce_sum %27 {axis = 2 : i32} : (tensor<1x4x3x3xf32>) -> tensor<1x4x1x3xf32>
    %29 = tosa.reduce_sum %28 {axis = 3 : i32} : (tensor<1x4x1x3xf32>) -> tensor<1x4x1x1xf32>
    %30 = tosa.reshape %29, %5 : (tensor<1x4x1x1xf32>, !tosa.shape<2>) -> tensor<1x4xf32>
    %31 = tosa.mul %30, %14, %3 : (tensor<1x4xf32>, tensor<1x1xf32>, tensor<1xi8>) -> tensor<1x4xf32>
    %32 = tosa.reshape %31, %6 : (tensor<1x4xf32>, !tosa.shape<3>) -> tensor<1x1x4xf32>
    %33 = tosa.matmul %32, %15, %2, %2 : (tensor<1x1x4xf32>, tensor<1x4x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x3xf32>
    %34 = tosa.reshape %33, %7 : (tensor<1x1x3xf32>, !tosa.shape<2>) -> tensor<1x3xf32>
    %35 = tosa.add %34, %16 : (tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<1x3xf32>
    return %35 : tensor<1x3xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_torch.float32_2: "0x04000000E2D05C3FFA6FCB3F7E9BC63FB0444E3F",
      torch_tensor_4_torch.float32: "0x04000000064047BE6AB4923E284F183E566F253E",
      torch_tensor_4_torch.float32_1: "0x04000000C0BB16BFF8D03E3E6C7A46BF186E31BF",
      torch_tensor_4_torch.float32_3: "0x040000000000803F0000803F0000803F0000803F",
      torch_tensor_4_torch.float32_4: "0x0400000000000000000000000000000000000000",
      torch_tensor_3_torch.float32: "0x0400000024344B3EC8558A3DFEA4AB3E"
    }
  }
#-}
