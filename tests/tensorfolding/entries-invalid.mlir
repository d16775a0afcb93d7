// What cannot be an entry is an error that says why.
// RUN: fold-opt %s --constant-tensor-folding="entries=main" --split-input-file --verify-diagnostics

// expected-error @+1 {{the option entries has 'main': expected the name of a function of the module}}
module {
  func.func @other() {
    return
  }
}

// -----

// expected-error @+1 {{function 'main' has no body: expected one for constant tensor folding}}
func.func private @main(tensor<4xf32>)

// -----

// expected-error @+1 {{function 'main' is used in the module: constant tensor folding changes its arguments, and expects that nobody calls it}}
func.func @main(%w: tensor<4xf32>) {
  return
}
func.func @caller(%w: tensor<4xf32>) {
  // expected-note @+1 {{used here}}
  call @main(%w) : (tensor<4xf32>) -> ()
  return
}

// -----

// expected-error @+1 {{function 'main': the symbol 'main.fold_runtime' is taken: expected a free name for a function with work on constants (option symbol-prefix)}}
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %n = arith.negf %w : tensor<4xf32>
  %y = arith.addf %x, %n : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @main.fold_runtime()
