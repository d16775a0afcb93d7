// Constants of any kind fold, also a resource, with MLIR's own operations; reasons are remarks.
//
// mlir-opt --load-pass-plugin=libonnxfold_passes.so --load-dialect-plugin=libonnxfold_passes.so --pass-pipeline='builtin.module(constprop,scrub{resources=true})'

func.func @half_of_the_rows() -> tensor<2x2xf16> {
  %weights = arith.constant dense_resource<weights> : tensor<3x2xf32>
  %half = arith.truncf %weights : tensor<3x2xf32> to tensor<3x2xf16>
  %rows = tensor.extract_slice %half[0, 0] [2, 2] [2, 1] : tensor<3x2xf16> to tensor<2x2xf16>
  return %rows : tensor<2x2xf16>
}

// Loops with constants run, as often as constprop{max-trip-count=N} allows.
func.func @triangle() -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %ten = arith.constant 10 : index
  %sum = scf.for %i = %zero to %ten step %one iter_args(%s = %zero) -> index {
    %next = arith.addi %s, %i : index
    scf.yield %next : index
  }
  return %sum : index
}

// What is undefined stays: --remarks-filter-missed=constprop says why.
func.func @divides_by_zero() -> tensor<2xi32> {
  %x = arith.constant dense<[6, 7]> : tensor<2xi32>
  %y = arith.constant dense<[3, 0]> : tensor<2xi32>
  %quotient = arith.divsi %x, %y : tensor<2xi32>
  return %quotient : tensor<2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F0000004000004040000080400000A0400000C040"
    }
  }
#-}
