// Marks that cannot be right are errors that name the function, the argument,
// what it has and what was expected.
// RUN: fold-opt %s --constant-tensor-folding --split-input-file --verify-diagnostics
// RUN: fold-opt %s --print-constant-tensors --split-input-file --verify-diagnostics

// expected-error @+1 {{function 'too_large': attribute 'runtime_const_args_index' has 2, but there are 2 arguments: expected numbers of arguments, from 0 on}}
func.func @too_large(%x: tensor<4xf32>, %w: tensor<4xf32>) attributes {runtime_const_args_index = [1 : i32, 2 : i32]} {
  return
}

// -----

// expected-error @+1 {{function 'negative': attribute 'compiletime_const_args_index' has -1, but there are 1 arguments}}
func.func @negative(%w: tensor<4xf32>) attributes {compiletime_const_args_index = array<i32: -1>} {
  return
}

// -----

// expected-error @+1 {{function 'no_array': attribute 'compiletime_const_args_index' is 1 : i32: expected an array of argument numbers}}
func.func @no_array(%w: tensor<4xf32>) attributes {compiletime_const_args_index = 1 : i32} {
  return
}

// -----

// expected-error @+1 {{function 'no_integers': attribute 'compiletime_const_args_index' is [0 : i32, "w"]: expected an array of argument numbers}}
func.func @no_integers(%w: tensor<4xf32>) attributes {compiletime_const_args_index = [0 : i32, "w"]} {
  return
}

// -----

// expected-error @+1 {{function 'both': argument 0 is marked both as a compiletime and as a runtime constant: expected one}}
func.func @both(%w: tensor<4xf32>) attributes {compiletime_const_args_index = [0 : i32], runtime_const_args_index = [0 : i32]} {
  return
}

// -----

// expected-error @+1 {{function 'both_forms': argument 1 is marked both as a compiletime and as a runtime constant: expected one}}
func.func @both_forms(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) attributes {compiletime_const_args_index = [1 : i32]} {
  return
}

// -----

// expected-error @+1 {{function 'unknown_tier': argument 0 has 'onnxfold.constant' = "always": expected "compiletime" or "runtime"}}
func.func @unknown_tier(%w: tensor<4xf32> {onnxfold.constant = "always"}) {
  return
}

// -----

// expected-error @+1 {{function 'no_text': argument 0 has 'onnxfold.constant' = unit: expected "compiletime" or "runtime"}}
func.func @no_text(%w: tensor<4xf32> {onnxfold.constant}) {
  return
}

// -----

// expected-error @+1 {{function 'unranked': argument 0 is marked as a runtime constant and has the type 'tensor<*xf32>': expected a ranked tensor or memref, or a number}}
func.func @unranked(%w: tensor<*xf32> {onnxfold.constant = "runtime"}) {
  return
}

// -----

// expected-error @+1 {{function 'no_numbers': argument 1 is marked as a compiletime constant and has the type '() -> ()': expected a ranked tensor or memref, or a number}}
func.func @no_numbers(%x: tensor<4xf32>, %f: () -> ()) attributes {compiletime_const_args_index = [1 : i64]} {
  return
}

// -----

// expected-error @+1 {{function 'written': argument 0 is marked as a runtime constant and is written to: expected that it is only read}}
func.func @written(%w: memref<4xf32> {onnxfold.constant = "runtime"}, %x: f32, %i: index) {
  // expected-note @+1 {{written here}}
  memref.store %x, %w[%i] : memref<4xf32>
  return
}

// -----

// The same mark in both forms, and a number twice, say no more than once.
func.func @repeated(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) attributes {runtime_const_args_index = array<i64: 0, 0>} {
  return
}
