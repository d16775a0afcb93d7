// What verifiers and parsers say.
// RUN: fold-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{the length of a sequence is a number or ?, not -1}}
func.func private @length() -> !sequence.seq<tensor<*xf32>, -1>

// -----

func.func @empty() {
  // expected-error @+1 {{'sequence.empty' op has length 0, not 1}}
  %0 = sequence.empty : !sequence.seq<tensor<*xf32>, 1>
  return
}

// -----

func.func @kinds(%a: tensor<2xf32>, %b: tensor<2xf64>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{elements of different kinds}}
  %0 = sequence.construct %a, %b : (tensor<2xf32>, tensor<2xf64>) -> !sequence.seq<tensor<2xf32>, 2>
  return
}

// -----

func.func @count(%a: tensor<2xf32>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{incompatible with return type}}
  %0 = sequence.construct %a : (tensor<2xf32>) -> !sequence.seq<tensor<2xf32>, 2>
  return
}

// -----

func.func @narrower(%a: tensor<?xf32>, %s: !sequence.seq<tensor<2xf32>, 1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{incompatible with return type}}
  %0 = sequence.insert %a into %s : tensor<?xf32>, !sequence.seq<tensor<2xf32>, 1> -> !sequence.seq<tensor<2xf32>, 2>
  return
}

// -----

func.func @kind(%a: tensor<2xi64>, %s: !sequence.seq<tensor<2xf32>, 1>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{into a sequence of another kind}}
  %0 = sequence.insert %a into %s : tensor<2xi64>, !sequence.seq<tensor<2xf32>, 1> -> !sequence.seq<tensor<2xf32>, 2>
  return
}

// -----

func.func @length(%s: !sequence.seq<tensor<2xf32>, 4>) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{incompatible with return type}}
  %0 = sequence.erase %s : !sequence.seq<tensor<2xf32>, 4> -> !sequence.seq<tensor<2xf32>, 4>
  return
}

// -----

func.func @contradiction(%s: !sequence.seq<tensor<2xf32>, 4>, %p: index) {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{incompatible with return type}}
  %0 = sequence.at %s[%p] : !sequence.seq<tensor<2xf32>, 4> -> tensor<3xf32>
  return
}

// -----

func.func @cast(%s: !sequence.seq<tensor<2xf32>, 4>) {
  // expected-error @+1 {{which contradict}}
  %0 = sequence.cast %s : !sequence.seq<tensor<2xf32>, 4> to !sequence.seq<tensor<2xf32>, 3>
  return
}

// -----

func.func @axis(%t: tensor<2x3xf32>) {
  // expected-error @+1 {{axis 2 is not}}
  %0 = sequence.split %t axis 2 : tensor<2x3xf32> -> !sequence.seq<tensor<2x?xf32>, ?>
  return
}

// -----

func.func @chunk(%t: tensor<2x3xf32>) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{has chunk 0, which is not above 0}}
  %0 = sequence.split %t axis 1 chunk %c0 : tensor<2x3xf32> -> !sequence.seq<tensor<2x?xf32>, ?>
  return
}

// -----

func.func @squeeze(%t: tensor<2x3xf32>, %c: index) {
  // expected-error @+1 {{squeeze}}
  %0 = sequence.split %t axis 1 squeeze chunk %c : tensor<2x3xf32> -> !sequence.seq<tensor<2xf32>, ?>
  return
}

// -----

// SplitToSequence with a scalar: ceil(7 / 3) slices. The published inference
// says floor.
func.func @uneven(%t: tensor<7xf32>) {
  %c3 = arith.constant 3 : index
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{'!sequence.seq<tensor<?xf32>, 3>'}}
  %0 = sequence.split %t axis 0 chunk %c3 : tensor<7xf32> -> !sequence.seq<tensor<?xf32>, 2>
  return
}

// -----

func.func @sizes_of_a_record(%n: index) {
  // expected-error @+1 {{'sequence.record_alloc' op has 1 sizes, expected 2 for 'memref<?x?xf32>'}}
  %0 = sequence.record_alloc(%n) : memref<?x?xf32>
  return
}

// -----

func.func @unranked_record() {
  // expected-error @+1 {{'sequence.record_alloc' op has a buffer of type 'memref<*xf32>', expected a ranked memref}}
  %0 = sequence.record_alloc() : memref<*xf32>
  return
}

// -----

func.func @record_of_no_buffer() {
  // expected-error @+1 {{'sequence.record_alloc' op has a buffer of type 'tensor<2xf32>', expected a ranked memref}}
  %0 = sequence.record_alloc() : tensor<2xf32>
  return
}
