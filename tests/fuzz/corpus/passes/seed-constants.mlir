5func.func @f() -> (tensor<3xf32>, index, tensor<3x2xi8>) {
  %0 = arith.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>
  %1 = math.rsqrt %0 : tensor<3xf32>
  %i = arith.constant 1 : index
  %d = tensor.dim %1, %i : tensor<3xf32>
  %p = "tosa.const"() <{values = dense<[1, 0]> : tensor<2xi32>}> : () -> tensor<2xi32>
  %w = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %t = tosa.transpose %w {perms = array<i32: 1, 0>} : (tensor<2x3xi8>) -> tensor<3x2xi8>
  return %1, %d, %t : tensor<3xf32>, index, tensor<3x2xi8>
}
