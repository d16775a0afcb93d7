// The verifier asks a map that is none, and ends the process while it parses.
// RUN: not fold-opt %s 2>&1 | FileCheck %s
// RUN: sed 's/.linalg.transpose"(%x/"linalg.broadcast"(%x/' %s | not fold-opt 2>&1 | FileCheck %s --check-prefix=USUAL
// CHECK: error: {{.*}}scalar-transpose.mlir: line 10, column 8: 'linalg.transpose' with an empty permutation cannot be parsed by MLIR 22, expected at least one dimension
// USUAL: error: -: line 14, column 8: 'linalg.transpose' with an empty permutation

// In a comment: linalg.transpose ins(%x : tensor<f32>) outs(%o : tensor<f32>) permutation = []
func.func @f(%x: tensor<f32>, %o: tensor<f32>) -> tensor<f32> {
  %s = "stablehlo.transpose"(%x) <{permutation = array<i64>}> : (tensor<f32>) -> tensor<f32>
  %g = "linalg.transpose"(%x, %o) <{permutation = array<i64>}> ({
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %r = linalg.transpose ins(%x : tensor<f32>) outs(%o : tensor<f32>) permutation = []
  return %r : tensor<f32>
}
