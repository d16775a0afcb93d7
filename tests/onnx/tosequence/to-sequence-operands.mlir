// What the text form can say and no model has: convert-onnx-to-sequence says what
// is wrong. It died of an At of a tensor, of scalar starts and of short bodies.
// RUN: fold-opt %s --convert-onnx-to-sequence --split-input-file --verify-diagnostics

func.func @at(%t: tensor<2xf32>, %p: tensor<i64>) -> tensor<f32> {
  // expected-error @+1 {{SequenceAt needs a sequence as input 0, not 'tensor<2xf32>'}}
  %0 = onnx.SequenceAt(%t, %p) <{since = 11, outputs = ["b"], node = 0}> : (tensor<2xf32>, tensor<i64>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @insert(%s: !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>> {
  // expected-error @+1 {{SequenceInsert needs a tensor as input 1, not '!sequence.seq<tensor<2xf32>, ?>'}}
  %0 = onnx.SequenceInsert(%s, %s) <{since = 11, outputs = ["b"], node = 0}> : (!onnx.seq<tensor<2xf32>>, !onnx.seq<tensor<2xf32>>) -> !onnx.seq<tensor<2xf32>>
  return %0 : !onnx.seq<tensor<2xf32>>
}

// -----

func.func @slice(%t: tensor<2xf32>, %p: tensor<i64>) -> tensor<2xf32> {
  // expected-error @+1 {{Slice 'b' with starts or ends that are not vectors}}
  %0 = onnx.Slice(%t, %p, %p) <{since = 13, outputs = ["b"], node = 0}> : (tensor<2xf32>, tensor<i64>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @loop(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{Loop 'r' whose body has 1 outputs, expected 2}}
  %r = onnx.Loop(%n, %c, %x) <{since = 16, outputs = ["r"], node = 0}> : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32> with body(%i: tensor<i64>, %g: tensor<i1>, %y: tensor<2xf32>) {
    onnx.Yield %g : tensor<i1>
  }
  return %r : tensor<2xf32>
}

// -----

func.func @if(%c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{If 'r' whose then_branch has 0 outputs, expected 1}}
  %r = onnx.If(%c) <{since = 16, outputs = ["r"], node = 0}> : (tensor<i1>) -> tensor<2xf32> with else_branch() {
    onnx.Yield %x : tensor<2xf32>
  }, then_branch() {
    onnx.Yield
  }
  return %r : tensor<2xf32>
}
