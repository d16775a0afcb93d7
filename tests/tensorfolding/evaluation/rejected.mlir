// What is not run at compile time is kept in its fold function, which says why.
// RUN: split-file %s %t
// RUN: fold-run %t/call.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=CALL
// RUN: fold-run %t/loop.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=LOOP
// RUN: fold-run %t/trap.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=TRAP
// RUN: fold-run %t/type.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=TYPE
// RUN: fold-run %t/shape.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=SHAPE
// RUN: fold-run %t/external.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=EXTERNAL
// RUN: fold-run %t/blocks.mlir --pass-pipeline="evaluate-constant-tensors" --entry=f --emit=mlir | FileCheck %s --check-prefix=BLOCKS

// CALL: func.func @f.fold_compiletime
// CALL-SAME: onnxfold.not_evaluated = "result 0: 'func.call' is a call"
//--- call.mlir
func.func private @other(%x: tensor<2xi32>) -> tensor<2xi32>
func.func @f(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<2xi32>], folded = [{type = tensor<2xi32>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<2xi32>
}
func.func @f.fold_compiletime() -> tensor<2xi32> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = call @other(%a) : (tensor<2xi32>) -> tensor<2xi32>
  return %b : tensor<2xi32>
}

// LOOP: func.func @f.fold_compiletime
// LOOP-SAME: onnxfold.not_evaluated = "result 0: 'scf.while' is control flow"
//--- loop.mlir
func.func @f(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<2xi32>], folded = [{type = tensor<2xi32>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<2xi32>
}
func.func @f.fold_compiletime() -> tensor<2xi32> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %yes = arith.constant true
  %b = scf.while (%x = %a) : (tensor<2xi32>) -> tensor<2xi32> {
    scf.condition(%yes) %x : tensor<2xi32>
  } do {
  ^bb0(%x: tensor<2xi32>):
    scf.yield %x : tensor<2xi32>
  }
  return %b : tensor<2xi32>
}

// TRAP: func.func @f.fold_compiletime
// TRAP-SAME: onnxfold.not_evaluated = "result 0: 'linalg.generic' may trap"
//--- trap.mlir
#map = affine_map<(i) -> (i)>
func.func @f(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<2xi32>], folded = [{type = tensor<2xi32>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<2xi32>
}
func.func @f.fold_compiletime() -> tensor<2xi32> {
  %a = arith.constant dense<[1, 0]> : tensor<2xi32>
  %e = tensor.empty() : tensor<2xi32>
  %b = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]}
      ins(%a : tensor<2xi32>) outs(%e : tensor<2xi32>) {
  ^bb0(%x: i32, %o: i32):
    %q = arith.divsi %x, %x : i32
    linalg.yield %q : i32
  } -> tensor<2xi32>
  return %b : tensor<2xi32>
}

// TYPE: func.func @f.fold_compiletime
// TYPE-SAME: onnxfold.not_evaluated = "result 0: no constant can hold its type tensor<2xi128>"
//--- type.mlir
func.func @f(%t: tensor<2xi128>) -> tensor<2xi128> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<2xi128>], folded = [{type = tensor<2xi128>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<2xi128>
}
func.func @f.fold_compiletime() -> tensor<2xi128> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi128>
  %e = tensor.empty() : tensor<2xi128>
  %b = linalg.transpose ins(%a : tensor<2xi128>) outs(%e : tensor<2xi128>) permutation = [0]
  return %b : tensor<2xi128>
}

// SHAPE: func.func @f.fold_compiletime
// SHAPE-SAME: onnxfold.not_evaluated = "result 0: its type is tensor<?xi32>, expected a static shape"
//--- shape.mlir
func.func @f(%t: tensor<?xi32>) -> tensor<?xi32> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<?xi32>], folded = [{type = tensor<?xi32>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<?xi32>
}
func.func @f.fold_compiletime() -> tensor<?xi32> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  %b = tensor.cast %a : tensor<2xi32> to tensor<?xi32>
  return %b : tensor<?xi32>
}

// EXTERNAL: func.func @f.fold_compiletime
// EXTERNAL-SAME: onnxfold.not_evaluated = "result 0: the literal at 'arith.constant' has no value"
//--- external.mlir
func.func @f(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<2xi32>], folded = [{type = tensor<2xi32>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<2xi32>
}
func.func @f.fold_compiletime() -> tensor<2xi32> {
  %a = arith.constant dense_resource<somewhere> : tensor<2xi32>
  %b = arith.addi %a, %a : tensor<2xi32>
  return %b : tensor<2xi32>
}

// BLOCKS: func.func @f.fold_compiletime
// BLOCKS-SAME: onnxfold.not_evaluated = "result 0: the function has several blocks, expected one"
//--- blocks.mlir
func.func @f(%t: tensor<2xi32>) -> tensor<2xi32> attributes {onnxfold.constant_tensors = {symbol = "f.constant_tensors",
    arguments = [], results = [tensor<2xi32>], folded = [{type = tensor<2xi32>, entry = 0}],
    parts = [{function = @f.fold_compiletime, tier = "compiletime", arguments = array<i64>, folded = array<i64: 0>, hash = ""}]}} {
  return %t : tensor<2xi32>
}
func.func @f.fold_compiletime() -> tensor<2xi32> {
  %a = arith.constant dense<[1, 2]> : tensor<2xi32>
  cf.br ^next
^next:
  return %a : tensor<2xi32>
}
