// convert-seq-to-memref took tensors for memrefs, and ended the process.
// RUN: fold-opt %s --convert-seq-to-memref --split-input-file --verify-diagnostics

func.func @kernel(%x: tensor<?xf32>) -> tensor<4xf32> {
  // expected-error @+2 {{'sequence.kernel' op has a tensor, expected a memref}}
  // expected-error @+1 {{failed to legalize operation 'sequence.kernel'}}
  %0 = sequence.kernel "k"(%x) : (tensor<?xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
