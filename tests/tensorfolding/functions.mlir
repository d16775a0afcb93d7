// The functions that the pass makes: names, attributes, order, what is erased.
// RUN: fold-opt %s --constant-tensor-folding="symbol-prefix=m_" --split-input-file | FileCheck %s
// RUN: fold-opt %s --constant-tensor-folding="symbol-prefix=m_" --split-input-file > %t.once
// RUN: fold-opt %s --constant-tensor-folding="symbol-prefix=m_" --constant-tensor-folding --split-input-file | diff %t.once -
// RUN: fold-opt %s --constant-tensor-folding --split-input-file --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=WHERE

// Other attributes of arguments stay with them; marks are erased. Locations
// follow, and a folded tensor has that of what computed it.

// CHECK-LABEL: func.func @attributes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32> {test.name = "x"},
// CHECK-SAME: %[[Z:[^:]*]]: tensor<4xf32> {test.name = "z"},
// CHECK-SAME: %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false}) ->
// CHECK-SAME: attributes {onnxfold.constant_tensors = {{.*}} symbol = "m_attributes.fold_metadata"}, test.entry}
// CHECK-LABEL: func.func @m_attributes.fold_runtime(
// CHECK-SAME: tensor<4xf32> {bufferization.writable = false, test.name = "w"}) -> tensor<4xf32> attributes {llvm.emit_c_interface}
// WHERE-LABEL: func.func @attributes(
// WHERE-SAME: tensor<4xf32> {test.name = "x"} loc("x.py":1:1), {{.*}} {test.name = "z"} loc("z.py":3:1), {{.*}} {bufferization.writable = false} loc("n.py":4:1))
// WHERE-LABEL: func.func @attributes.fold_runtime(
// WHERE-SAME: loc("w.py":2:1))
func.func @attributes(%x: tensor<4xf32> {test.name = "x"} loc("x.py":1:1),
                      %w: tensor<4xf32> {test.name = "w", onnxfold.constant = "runtime"} loc("w.py":2:1),
                      %z: tensor<4xf32> {test.name = "z"} loc("z.py":3:1)) -> tensor<4xf32> attributes {test.entry} {
  %n = arith.negf %w : tensor<4xf32> loc("n.py":4:1)
  %s = arith.addf %x, %z : tensor<4xf32>
  %y = arith.addf %s, %n : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A constant argument that the entry uses itself is kept as an argument of it, and
// is one of the fold too; one that nothing uses is erased. (The published pass
// took the former for an output that nothing computes, and crashed.)

// CHECK-LABEL: func.func @direct_use(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4xf32> {bufferization.writable = false},
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>,
// CHECK-SAME: %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false})
// CHECK-SAME: arguments = [{entry = 0 : i64, role = "runtime", {{.*}}}, {entry = 1 : i64, role = "variable", {{.*}}}, {entry = -1 : i64, role = "runtime", {{.*}}}]
// CHECK: %[[S:.*]] = arith.addf %[[X]], %[[W]]
// CHECK: arith.addf %[[S]], %[[F]]
// CHECK-LABEL: func.func @m_direct_use.fold_runtime(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32> {bufferization.writable = false}) ->
func.func @direct_use(%w: tensor<4xf32> {onnxfold.constant = "runtime"}, %x: tensor<4xf32>,
                      %unused: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %n = arith.negf %w : tensor<4xf32>
  %s = arith.addf %x, %w : tensor<4xf32>
  %y = arith.addf %s, %n : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Nothing to fold: the marks become metadata without parts.

// CHECK-LABEL: func.func @nothing(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32>, %{{[^:]*}}: tensor<4xf32> {bufferization.writable = false})
// CHECK-SAME: folded = [], parts = []
// CHECK-NOT: fold_runtime
func.func @nothing(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> attributes {runtime_const_args_index = [1 : i32]} {
  %y = arith.addf %x, %w : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A folded tensor that the entry only returns.

// CHECK-LABEL: func.func @returned(
// CHECK-SAME: %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false}) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return %[[F]], %[[F]]
func.func @returned(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> (tensor<4xf32>, tensor<4xf32>) {
  %n = arith.negf %w : tensor<4xf32>
  return %n, %n : tensor<4xf32>, tensor<4xf32>
}

// -----

// Parts share no work: a scale of all layers and a literal connect nothing, a
// sum that two of them use does.

// CHECK-LABEL: func.func @parts(
// CHECK-SAME: parts = [{arguments = array<i64: 0, 1, 2>, folded = array<i64: 0, 1>, function = @m_parts.fold_runtime.0,
// CHECK-SAME: {arguments = array<i64: 0, 3>, folded = array<i64: 2>, function = @m_parts.fold_runtime.1,
// CHECK-LABEL: func.func @m_parts.fold_runtime(
// CHECK-SAME: %[[S:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[A:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[B:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[C:[^:]*]]: tensor<4xf32> {{{[^}]*}}})
// CHECK: %[[P:.*]]:2 = call @m_parts.fold_runtime.0(%[[S]], %[[A]], %[[B]])
// CHECK: %[[Q:.*]] = call @m_parts.fold_runtime.1(%[[S]], %[[C]])
// CHECK: return %[[P]]#0, %[[P]]#1, %[[Q]]
// CHECK-LABEL: func.func @m_parts.fold_runtime.0(
// CHECK: arith.constant dense<[1.0
// CHECK-LABEL: func.func @m_parts.fold_runtime.1(
// CHECK: arith.constant dense<[1.0
func.func @parts(%scale: tensor<4xf32> {onnxfold.constant = "runtime"}, %a: tensor<4xf32> {onnxfold.constant = "runtime"},
                 %b: tensor<4xf32> {onnxfold.constant = "runtime"}, %c: tensor<4xf32> {onnxfold.constant = "runtime"},
                 %x: tensor<4xf32>) -> tensor<4xf32> {
  %one = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %sum = arith.addf %a, %b : tensor<4xf32>
  %f = arith.mulf %sum, %scale : tensor<4xf32>
  %g = arith.divf %sum, %one : tensor<4xf32>
  %h0 = arith.mulf %c, %scale : tensor<4xf32>
  %h = arith.addf %h0, %one : tensor<4xf32>
  %0 = arith.addf %x, %f : tensor<4xf32>
  %1 = arith.addf %0, %g : tensor<4xf32>
  %2 = arith.addf %1, %h : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Work on compile-time constants that a fold of the first run needs too is in
// both: parts take arguments only, never what others make.

// CHECK-LABEL: func.func @tiers(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32>, %[[E:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[L:[^:]*]]: tensor<4xf32> {{{[^}]*}}})
// CHECK-SAME: parts = [{arguments = array<i64: 1>, folded = array<i64: 0>, function = @m_tiers.fold_compiletime, {{.*}}}, {arguments = array<i64: 1, 2>, folded = array<i64: 1>, function = @m_tiers.fold_runtime,
// CHECK-LABEL: func.func @m_tiers.fold_compiletime(
// CHECK-SAME: %[[C:[^:]*]]: tensor<4xf32> {bufferization.writable = false}) ->
// CHECK-NEXT: math.exp %[[C]]
// CHECK-NEXT: return
// CHECK-LABEL: func.func @m_tiers.fold_runtime(
// CHECK-SAME: %[[C:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[R:[^:]*]]: tensor<4xf32> {bufferization.writable = false}) ->
// CHECK-NEXT: %[[E:.*]] = math.exp %[[C]]
// CHECK-NEXT: arith.addf %[[E]], %[[R]]
func.func @tiers(%x: tensor<4xf32>, %c: tensor<4xf32> {onnxfold.constant = "compiletime"}, %r: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %e = math.exp %c : tensor<4xf32>
  %s = arith.addf %e, %r : tensor<4xf32>
  %0 = arith.addf %x, %e : tensor<4xf32>
  %1 = arith.addf %0, %s : tensor<4xf32>
  return %1 : tensor<4xf32>
}
