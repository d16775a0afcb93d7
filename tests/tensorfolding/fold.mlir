// The example of the design in its two forms: what the compiler knows folded at
// compile time, or all of it in the first run.
// RUN: fold-opt %s --constant-tensor-folding --split-input-file | FileCheck %s
// RUN: fold-opt %s --constant-tensor-folding="mode=runtime" --split-input-file | FileCheck %s --check-prefix=FIRST
// RUN: fold-opt %s --constant-tensor-folding="mode=compiletime" --split-input-file | FileCheck %s --check-prefix=EARLY

// CHECK-LABEL: func.func @entry(
// CHECK-SAME: %[[X:[^:]*]]: tensor<1x2x2x2xbf16>,
// CHECK-SAME: %[[F0:[^:]*]]: tensor<2x2x2x2xbf16> {bufferization.writable = false},
// CHECK-SAME: %[[F1:[^:]*]]: tensor<2x2x2x2xbf16> {bufferization.writable = false},
// CHECK-SAME: %[[F2:[^:]*]]: tensor<2x2x2x2xbf16> {bufferization.writable = false})
// CHECK-SAME: -> tensor<1x2x2x2xbf16> attributes {onnxfold.constant_tensors = {
// CHECK-SAME: arguments = [{entry = 0 : i64, role = "variable", type = tensor<1x2x2x2xbf16>}, {entry = -1 : i64, role = "compiletime", type = tensor<4x4xbf16>}, {entry = -1 : i64, role = "runtime", type = tensor<4x4xbf16>}]
// CHECK-SAME: folded = [{entry = 1 : i64, type = tensor<2x2x2x2xbf16>}, {entry = 2 : i64, type = tensor<2x2x2x2xbf16>}, {entry = 3 : i64, type = tensor<2x2x2x2xbf16>}]
// CHECK-SAME: parts = [{arguments = array<i64>, folded = array<i64: 0>, function = @entry.fold_compiletime.0, hash = "{{[0-9a-f]+}}", tier = "compiletime"},
// CHECK-SAME: {arguments = array<i64: 1>, folded = array<i64: 1>, function = @entry.fold_compiletime.1, hash = "{{[0-9a-f]+}}", tier = "compiletime"},
// CHECK-SAME: {arguments = array<i64: 2>, folded = array<i64: 2>, function = @entry.fold_runtime, hash = "{{[0-9a-f]+}}", tier = "runtime"}]
// CHECK-SAME: results = [tensor<1x2x2x2xbf16>], symbol = "entry.fold_metadata"}}
// CHECK-NOT: linalg.pack
// CHECK: linalg.mmt4d ins(%[[X]], %[[F0]]
// CHECK: linalg.mmt4d ins(%{{.*}}, %[[F1]]
// CHECK: linalg.mmt4d ins(%{{.*}}, %[[F2]]
// CHECK: return

// CHECK-LABEL: func.func @entry.fold_compiletime(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4x4xbf16> {bufferization.writable = false}) -> (tensor<2x2x2x2xbf16>, tensor<2x2x2x2xbf16>) attributes {llvm.emit_c_interface}
// CHECK: %[[P0:.*]] = call @entry.fold_compiletime.0()
// CHECK: %[[P1:.*]] = call @entry.fold_compiletime.1(%[[W]])
// CHECK: return %[[P0]], %[[P1]]
// CHECK-LABEL: func.func @entry.fold_compiletime.0()
// CHECK: %[[L:.*]] = arith.constant dense<{{\[\[}}1.0
// CHECK: %[[P:.*]] = linalg.pack %[[L]]
// CHECK: return %[[P]]
// CHECK-LABEL: func.func @entry.fold_compiletime.1(
// CHECK: linalg.pack
// CHECK-LABEL: func.func @entry.fold_runtime(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4x4xbf16> {bufferization.writable = false}) -> tensor<2x2x2x2xbf16>
// CHECK: %[[P:.*]] = linalg.pack %[[W]]
// CHECK: return %[[P]]

// FIRST-LABEL: func.func @entry(
// FIRST-SAME: tensor<1x2x2x2xbf16>, %{{[^:]*}}: tensor<2x2x2x2xbf16> {bufferization.writable = false}, %{{[^:]*}}: tensor<2x2x2x2xbf16> {bufferization.writable = false}, %{{[^:]*}}: tensor<2x2x2x2xbf16> {bufferization.writable = false}) ->
// FIRST-NOT: fold_compiletime
// FIRST-LABEL: func.func @entry.fold_runtime(
// FIRST-SAME: %[[A:[^:]*]]: tensor<4x4xbf16> {{{[^}]*}}}, %[[B:[^:]*]]: tensor<4x4xbf16> {{{[^}]*}}}) -> (tensor<2x2x2x2xbf16>, tensor<2x2x2x2xbf16>, tensor<2x2x2x2xbf16>)
// FIRST: %[[P0:.*]] = call @entry.fold_runtime.0()
// FIRST: %[[P1:.*]] = call @entry.fold_runtime.1(%[[A]])
// FIRST: %[[P2:.*]] = call @entry.fold_runtime.2(%[[B]])
// FIRST: return %[[P0]], %[[P1]], %[[P2]]

// EARLY-LABEL: func.func @entry(
// EARLY-SAME: %{{[^:]*}}: tensor<1x2x2x2xbf16>, %[[W2:[^:]*]]: tensor<4x4xbf16> {bufferization.writable = false}, %{{[^:]*}}: tensor<2x2x2x2xbf16> {bufferization.writable = false}, %{{[^:]*}}: tensor<2x2x2x2xbf16> {bufferization.writable = false}) ->
// EARLY-SAME: {entry = 1 : i64, role = "runtime", type = tensor<4x4xbf16>}]
// EARLY: linalg.pack %[[W2]]
// EARLY-NOT: fold_runtime

func.func @entry(%feature0: tensor<1x2x2x2xbf16>, %weight1: tensor<4x4xbf16>, %weight2: tensor<4x4xbf16>) -> tensor<1x2x2x2xbf16>
    attributes {compiletime_const_args_index = [1 : i32], runtime_const_args_index = [2 : i32]} {
  %weight0 = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0], [9.0, 10.0, 11.0, 12.0], [13.0, 14.0, 15.0, 16.0]]> : tensor<4x4xbf16>
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<2x2x2x2xbf16>
  %o = tensor.empty() : tensor<1x2x2x2xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%o : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %packed0 = linalg.pack %weight0 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<4x4xbf16> -> tensor<2x2x2x2xbf16>
  %feature1 = linalg.mmt4d ins(%feature0, %packed0 : tensor<1x2x2x2xbf16>, tensor<2x2x2x2xbf16>) outs(%init : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %packed1 = linalg.pack %weight1 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<4x4xbf16> -> tensor<2x2x2x2xbf16>
  %feature2 = linalg.mmt4d ins(%feature1, %packed1 : tensor<1x2x2x2xbf16>, tensor<2x2x2x2xbf16>) outs(%init : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  %packed2 = linalg.pack %weight2 outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [2, 2] into %e : tensor<4x4xbf16> -> tensor<2x2x2x2xbf16>
  %feature3 = linalg.mmt4d ins(%feature2, %packed2 : tensor<1x2x2x2xbf16>, tensor<2x2x2x2xbf16>) outs(%init : tensor<1x2x2x2xbf16>) -> tensor<1x2x2x2xbf16>
  return %feature3 : tensor<1x2x2x2xbf16>
}

// -----

// The entry is not the first operation, two entries do not collide, and what
// has no mark is left alone.

// CHECK: memref.global
// CHECK-LABEL: func.func @unmarked(
// CHECK: arith.negf
// CHECK-LABEL: func.func @first(
// CHECK-SAME: first.fold_metadata
// CHECK-NOT: arith.negf
// CHECK-LABEL: func.func @first.fold_runtime(
// CHECK-LABEL: func.func @second(
// CHECK-SAME: second.fold_metadata
// CHECK-LABEL: func.func @second.fold_runtime(
memref.global "private" @g : memref<4xf32>
func.func @unmarked() -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %n = arith.negf %c : tensor<4xf32>
  return %n : tensor<4xf32>
}
func.func @first(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %n = arith.negf %w : tensor<4xf32>
  %y = arith.addf %x, %n : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @second(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %n = math.exp %w : tensor<4xf32>
  %y = arith.addf %x, %n : tensor<4xf32>
  return %y : tensor<4xf32>
}
