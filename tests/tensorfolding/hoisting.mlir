// The situations of which IREE's tests of constant-expression hoisting consist:
// literals alone, so the entry is named.
// RUN: fold-opt %s --constant-tensor-folding="entries=main" --split-input-file | FileCheck %s

// Without marks, and nothing to fold: no attribute, nothing changes.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %{{[^:]*}}: tensor<4xf32>) -> tensor<4xf32> {
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %y = arith.addf %x, %c : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// A tree with several users: what a variable uses inside of it is kept too, in
// the order of the program, and shared work is done once.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>, %[[A:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[B:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[C:[^:]*]]: tensor<4xf32> {{{[^}]*}}})
// CHECK: arith.addf %[[X]], %[[C]]
// CHECK: arith.addf %{{.*}}, %[[B]]
// CHECK: arith.addf %{{.*}}, %[[A]]
// CHECK-LABEL: func.func @main.fold_compiletime(
// CHECK: %[[L:.*]] = arith.constant
// CHECK: %[[A:.*]] = math.exp %[[L]]
// CHECK: %[[B:.*]] = arith.negf %[[A]]
// CHECK: %[[C:.*]] = arith.mulf %[[A]], %[[B]]
// CHECK: return %[[A]], %[[B]], %[[C]]
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %l = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = math.exp %l : tensor<4xf32>
  %b = arith.negf %a : tensor<4xf32>
  %c = arith.mulf %a, %b : tensor<4xf32>
  %0 = arith.addf %x, %c : tensor<4xf32>
  %1 = arith.addf %0, %b : tensor<4xf32>
  %2 = arith.addf %1, %a : tensor<4xf32>
  return %2 : tensor<4xf32>
}

// -----

// Values captured by bodies count as operands: of something variable the second
// generic is not constant.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[S:[^:]*]]: f32, %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false})
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[S]]
// CHECK-LABEL: func.func @main.fold_compiletime(
// CHECK: %[[TWO:.*]] = arith.constant 2.0
// CHECK: linalg.generic
// CHECK: arith.mulf %{{.*}}, %[[TWO]]
func.func @main(%s: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%l : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %two : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%l : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %m = arith.mulf %in, %s : f32
    linalg.yield %m : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// i4 on the way is folded, at the end it is not.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[^:]*]]: tensor<32xi8> {bufferization.writable = false}, %[[B:[^:]*]]: tensor<32xi8> {bufferization.writable = false}) ->
// CHECK-NEXT: %[[T:.*]] = arith.trunci %[[B]] : tensor<32xi8> to tensor<32xi4>
// CHECK-NEXT: return %[[A]], %[[T]]
func.func @main() -> (tensor<32xi8>, tensor<32xi4>) {
  %l = arith.constant dense<"0x000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F"> : tensor<32xi8>
  %t = arith.trunci %l : tensor<32xi8> to tensor<32xi4>
  %u = arith.addi %t, %t : tensor<32xi4>
  %v = arith.extui %u : tensor<32xi4> to tensor<32xi8>
  %a = arith.addi %v, %l : tensor<32xi8>
  %b = arith.muli %l, %l : tensor<32xi8>
  %c = arith.trunci %b : tensor<32xi8> to tensor<32xi4>
  return %a, %c : tensor<32xi8>, tensor<32xi4>
}

// -----

// Generic forms: a broadcast and an extension end no fold, a truncation does.

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[T:[^:]*]]: tensor<8xf16> {bufferization.writable = false})
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf64>)
// CHECK-LABEL: func.func @main.fold_compiletime(
// CHECK: arith.truncf
#id = affine_map<(i) -> (i)>
func.func @main() -> (tensor<4x8xf32>, tensor<8xf64>, tensor<8xf16>) {
  %l = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %d = tensor.empty() : tensor<8xf64>
  %h = tensor.empty() : tensor<8xf16>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%l : tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%l : tensor<8xf32>) outs(%d : tensor<8xf64>) {
  ^bb0(%in: f32, %out: f64):
    %x = arith.extf %in : f32 to f64
    linalg.yield %x : f64
  } -> tensor<8xf64>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%l : tensor<8xf32>) outs(%h : tensor<8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %x = arith.truncf %in : f32 to f16
    linalg.yield %x : f16
  } -> tensor<8xf16>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<8xf64>, tensor<8xf16>
}

// -----

// Resources are literals, of a size that their type says; content decides the
// hash (the two functions differ in it).

// CHECK-LABEL: func.func @main(
// CHECK-SAME: function = @main.fold_compiletime.0, hash = "[[HASH:[0-9a-f]+]]"
// CHECK-NOT: hash = "[[HASH]]"
// CHECK-SAME: function = @main.fold_compiletime.1, hash = "
func.func @main() -> (tensor<3xf32>, tensor<3xf32>) {
  %a = arith.constant dense_resource<first> : tensor<3xf32>
  %b = arith.constant dense_resource<second> : tensor<3xf32>
  %0 = math.exp %a : tensor<3xf32>
  %1 = math.exp %b : tensor<3xf32>
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}
{-#
  dialect_resources: {
    builtin: {
      first: "0x040000000000803F0000004000004040",
      second: "0x040000000000803F0000004000008040"
    }
  }
#-}
