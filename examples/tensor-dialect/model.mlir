// toy-fold computes %w, whose operands are in a file, and lets go of what it was computed from. What depends on %x is kept,
// and so does %odd, whose value is undefined.
//
//   python3 make_weights.py && build/toy-fold model.mlir
module {
  func.func @main(%x: tensor<4x64xf32>) -> (tensor<4x32xf32>, tensor<3xi32>) {
    %a = toy.load "weights.bin" : tensor<64x64xf32>
    %b = toy.load "weights.bin" at 16384 : tensor<32x64xf32>
    %t = toy.transpose %b [1, 0] : tensor<32x64xf32> -> tensor<64x32xf32>
    %p = toy.matmul %a, %t : (tensor<64x64xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
    %w = toy.relu %p : tensor<64x32xf32>
    %y = toy.matmul %x, %w : (tensor<4x64xf32>, tensor<64x32xf32>) -> tensor<4x32xf32>
    %one = toy.constant dense<[1, 2, 3]> : tensor<3xi32>
    %minus = toy.constant dense<[1, -2, 3]> : tensor<3xi32>
    %zero = toy.add %one, %minus : tensor<3xi32>
    %odd = toy.div %one, %zero : tensor<3xi32>
    return %y, %odd : tensor<4x32xf32>, tensor<3xi32>
  }
}
