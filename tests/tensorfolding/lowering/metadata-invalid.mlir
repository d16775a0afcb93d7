// What an attribute says of arguments becomes offsets in a table: it once was written wherever the number pointed.
// RUN: fold-opt %s --constant-tensors-metadata --split-input-file --verify-diagnostics

// expected-error@+1 {{has argument 0 with entry 9223372036854775807, expected -1 or one of the function's 1 arguments, each once}}
func.func @out_of_range(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "s",
    arguments = [{type = tensor<2xi32>, role = "compiletime", entry = 9223372036854775807}], results = [tensor<2xi32>], folded = [], parts = []}} {
  return %t : tensor<2xi32>
}

// -----

// expected-error@+1 {{has argument 0 with entry -2, expected -1 or one of the function's 1 arguments}}
func.func @negative(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "s",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = -2}], results = [tensor<2xi32>], folded = [], parts = []}} {
  return %t : tensor<2xi32>
}

// -----

// expected-error@+1 {{has folded tensor 0 with entry 0, expected -1 or one of the function's 1 arguments, each once}}
func.func @twice(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "s",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = 0}], results = [tensor<2xi32>], folded = [{type = tensor<2xi32>, entry = 0}], parts = []}} {
  return %t : tensor<2xi32>
}

// -----

// expected-error@+1 {{has no entry 1, expected one of each argument of the function}}
func.func @missing(%t: tensor<2xi32>, %u: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "s",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = 0}], results = [tensor<2xi32>], folded = [], parts = []}} {
  return %t : tensor<2xi32>
}

// -----

// expected-error@+1 {{says that argument 0 has type 'tensor<2xi32>', expected 'tensor<4096xi32>'}}
func.func @smaller(%t: tensor<4096xi32>) -> tensor<4096xi32> attributes {onnxfold.constant_tensors = {symbol = "s",
    arguments = [{type = tensor<2xi32>, role = "variable", entry = 0}], results = [tensor<4096xi32>], folded = [], parts = []}} {
  return %t : tensor<4096xi32>
}
