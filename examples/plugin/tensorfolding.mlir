// Work on tensors that are the same in every run moves to a function that runs once: here the packing of a weight.
//
// mlir-opt --load-pass-plugin=libonnxfold_passes.so --load-dialect-plugin=libonnxfold_passes.so --pass-pipeline='builtin.module(constant-tensor-folding)'

func.func @entry(%x: tensor<4x4xf32>, %weight: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {runtime_const_args_index = [1 : i32]} {
  %init = tensor.empty() : tensor<4x4xf32>
  %transposed = linalg.transpose ins(%weight : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) permutation = [1, 0]
  %sum = linalg.add ins(%x, %transposed : tensor<4x4xf32>, tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %sum : tensor<4x4xf32>
}
