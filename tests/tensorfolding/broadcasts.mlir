// Element-wise work behind a broadcast is done before it, where that is the same.
// RUN: fold-opt %s --constant-tensor-folding --split-input-file | FileCheck %s
// RUN: fold-opt %s --constant-tensor-folding="postpone-broadcasts=false" --split-input-file | FileCheck %s --check-prefix=OFF

// The example of the design: pack, broadcast, extend, multiply, truncate. The
// broadcast comes last, in the entry.

// CHECK-LABEL: func.func @design(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x8x32x32xbf16>, %[[F:[^:]*]]: tensor<8x32xbf16> {bufferization.writable = false})
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[F]] : tensor<8x32xbf16>) outs(%{{.*}} : tensor<2x8x32x32xbf16>) dimensions = [0, 2]
// CHECK-NEXT: arith.addf %[[X]], %[[B]]
// CHECK-LABEL: func.func @design.fold_runtime(
// CHECK: %[[P:.*]] = linalg.pack
// CHECK: %[[E:.*]] = arith.extf %[[P]] : tensor<8x32xbf16> to tensor<8x32xf32>
// CHECK: %[[G:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%[[E]] : tensor<8x32xf32>)
// CHECK: arith.mulf
// CHECK: %[[T:.*]] = arith.truncf %[[G]] : tensor<8x32xf32> to tensor<8x32xbf16>
// CHECK-NEXT: return %[[T]]
// OFF-LABEL: func.func @design(
// OFF: linalg.broadcast {{.*}} tensor<2x8x32x32xbf16>
// OFF: arith.truncf
// OFF-LABEL: func.func @design.fold_runtime(
// OFF: linalg.pack
// OFF-NEXT: return
#map4 = affine_map<(i, j, k, l) -> (i, j, k, l)>
func.func @design(%x: tensor<2x8x32x32xbf16>, %arg2: tensor<256xbf16>) -> tensor<2x8x32x32xbf16> attributes {runtime_const_args_index = [1 : i32]} {
  %15 = tensor.empty() : tensor<8x32xbf16>
  %packed_arg2 = linalg.pack %arg2 outer_dims_perm = [0] inner_dims_pos = [0] inner_tiles = [32] into %15 : tensor<256xbf16> -> tensor<8x32xbf16>
  %bc_arg2_init = tensor.empty() : tensor<2x8x32x32xbf16>
  %bc_arg2 = linalg.broadcast ins(%packed_arg2 : tensor<8x32xbf16>) outs(%bc_arg2_init : tensor<2x8x32x32xbf16>) dimensions = [0, 2]
  %extf32 = arith.extf %bc_arg2 : tensor<2x8x32x32xbf16> to tensor<2x8x32x32xf32>
  %cst_2 = arith.constant 2.000000e+00 : f32
  %extf32_mul2_init = tensor.empty() : tensor<2x8x32x32xf32>
  %extf32_mul2 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extf32 : tensor<2x8x32x32xf32>) outs(%extf32_mul2_init : tensor<2x8x32x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    %8 = arith.mulf %in, %cst_2 : f32
    linalg.yield %8 : f32
  } -> tensor<2x8x32x32xf32>
  %truncbf16 = arith.truncf %extf32_mul2 : tensor<2x8x32x32xf32> to tensor<2x8x32x32xbf16>
  %y = arith.addf %x, %truncbf16 : tensor<2x8x32x32xbf16>
  return %y : tensor<2x8x32x32xbf16>
}

// -----

// Properties stay, and the element type of the result is that of the last
// operation. (The published pass dropped predicates and flags, and was right
// only if the type came back.)

// CHECK-LABEL: func.func @properties(
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<4xf16>) outs(%{{.*}} : tensor<8x4xf16>) dimensions = [0]
// CHECK-LABEL: func.func @properties.fold_runtime(
// CHECK: arith.mulf %{{.*}}, %{{.*}} fastmath<fast> : tensor<4xf32>
// CHECK: arith.cmpf ult, %{{.*}} : tensor<4xf32>
// CHECK: arith.select %{{.*}} : tensor<4xi1>, tensor<4xf32>
// CHECK: arith.truncf %{{.*}} {test.kept} : tensor<4xf32> to tensor<4xf16>
func.func @properties(%x: tensor<8x4xf16>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<8x4xf16> {
  %e = tensor.empty() : tensor<8x4xf32>
  %two = arith.constant dense<2.0> : tensor<8x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %m = arith.mulf %b, %two fastmath<fast> : tensor<8x4xf32>
  %l = arith.cmpf ult, %m, %b : tensor<8x4xf32>
  %s = arith.select %l, %m, %two : tensor<8x4xi1>, tensor<8x4xf32>
  %t = arith.truncf %s {test.kept} : tensor<8x4xf32> to tensor<8x4xf16>
  %y = arith.addf %x, %t : tensor<8x4xf16>
  return %y : tensor<8x4xf16>
}

// -----

// Operands: the broadcast may be any of them, two broadcasts along the same
// dimensions are one, a number stays a number.

// CHECK-LABEL: func.func @operands(
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<4xf32>)
// CHECK-NOT: linalg.broadcast
// CHECK: return
// CHECK-LABEL: func.func @operands.fold_runtime(
// CHECK: %[[D:.*]] = arith.subf %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK: %[[Q:.*]] = arith.divf %{{.*}}, %[[D]] : tensor<4xf32>
// CHECK: arith.select %{{.*}}, %[[Q]], %[[D]] : tensor<4xf32>
func.func @operands(%x: tensor<8x4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}, %v: tensor<4xf32> {onnxfold.constant = "runtime"}, %p: i1 {onnxfold.constant = "runtime"}) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %two = arith.constant dense<2.0> : tensor<8x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8x4xf32>
  %d = arith.subf %b, %c : tensor<8x4xf32>
  %q = arith.divf %two, %d : tensor<8x4xf32>
  %s = arith.select %p, %q, %d : tensor<8x4xf32>
  %y = arith.addf %x, %s : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// In linalg operations an operand may also lack the dimensions by its map.
// Named operations are element-wise too.

// CHECK-LABEL: func.func @linalg_operands(
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<4xf32>)
// CHECK-LABEL: func.func @linalg_operands.fold_runtime(
// CHECK: linalg.generic {indexing_maps = [#[[I:.*]], #[[I]], #[[S:.*]], #[[I]], #[[I]]], iterator_types = ["parallel"]} ins(%{{.*}} : tensor<4xf32>, tensor<4xf32>, f32, tensor<4xf32>)
// CHECK: math.exp
func.func @linalg_operands(%x: tensor<8x4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}, %v: tensor<4xf32> {onnxfold.constant = "runtime"}, %n: f32 {onnxfold.constant = "runtime"}) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %two = arith.constant dense<2.0> : tensor<8x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> ()>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%b, %v, %n, %two : tensor<8x4xf32>, tensor<4xf32>, f32, tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%0: f32, %1: f32, %2: f32, %3: f32, %out: f32):
    %4 = arith.addf %0, %1 : f32
    %5 = arith.mulf %4, %2 : f32
    %6 = arith.divf %5, %3 : f32
    linalg.yield %6 : f32
  } -> tensor<8x4xf32>
  %m = linalg.map { math.exp } ins(%s : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
  %y = arith.addf %x, %m : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// Not the same, so not done: a body that asks where it is, one that reads what
// it writes, a literal that is no splat, a broadcast along other dimensions, a
// reduction, a permuted read.

// CHECK-LABEL: func.func @kept(
// CHECK-LABEL: func.func @kept.fold_runtime(
// CHECK-NOT: linalg.generic {{.*}} ["parallel"]
// CHECK: return
// CHECK-NOT: addf {{.*}} tensor<4xf32>
func.func @kept(%w: tensor<4xf32> {onnxfold.constant = "runtime"}, %init: tensor<4x4xf32> {onnxfold.constant = "runtime"})
    -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [0]
  %c = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<4x4xf32>) dimensions = [1]
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %s = arith.addf %in, %f : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x4xf32>) outs(%init : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %literal = arith.constant dense<[[1.0, 2.0, 3.0, 4.0], [2.0, 3.0, 4.0, 5.0], [3.0, 4.0, 5.0, 6.0], [4.0, 5.0, 6.0, 7.0]]> : tensor<4x4xf32>
  %2 = arith.addf %b, %literal : tensor<4x4xf32>
  %3 = arith.addf %b, %c : tensor<4x4xf32>
  %4 = linalg.reduce { arith.addf } ins(%b : tensor<4x4xf32>) outs(%w : tensor<4xf32>) dimensions = [1]
  %5 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.exp %in : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, tensor<4x4xf32>
}

// -----

// A broadcast with other users is kept for them; one whose user has no results
// (the return) is no trouble.

// CHECK-LABEL: func.func @several_users(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x4xf32>, %[[W:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false})
// CHECK: %[[B:.*]] = linalg.broadcast ins(%[[W]] : tensor<4xf32>)
// CHECK: %[[C:.*]] = linalg.broadcast ins(%[[F]] : tensor<4xf32>)
// CHECK: return %{{.*}}, %[[B]]
func.func @several_users(%x: tensor<8x4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %m = math.exp %b : tensor<8x4xf32>
  %0 = arith.addf %x, %m : tensor<8x4xf32>
  %1 = arith.addf %0, %b : tensor<8x4xf32>
  return %1, %b : tensor<8x4xf32>, tensor<8x4xf32>
}

// -----

// Dynamic sizes.

// CHECK-LABEL: func.func @dynamic(
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<?xf16>) outs(%{{.*}} : tensor<8x?xf16>) dimensions = [0]
// CHECK-LABEL: func.func @dynamic.fold_runtime(
// CHECK: math.exp %{{.*}} : tensor<?xf32>
// CHECK: arith.truncf %{{.*}} : tensor<?xf32> to tensor<?xf16>
func.func @dynamic(%x: tensor<8x?xf16>, %w: tensor<?xf32> {onnxfold.constant = "runtime"}) -> tensor<8x?xf16> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %w, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<8x?xf32>
  %b = linalg.broadcast ins(%w : tensor<?xf32>) outs(%e : tensor<8x?xf32>) dimensions = [0]
  %m = math.exp %b : tensor<8x?xf32>
  %t = arith.truncf %m : tensor<8x?xf32> to tensor<8x?xf16>
  %y = arith.addf %x, %t : tensor<8x?xf16>
  return %y : tensor<8x?xf16>
}

// -----

// Variable operands, and a broadcast that adds no element: nothing changes.

// CHECK-LABEL: func.func @unchanged(
// CHECK: %[[B:.*]] = linalg.broadcast ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK: arith.addf %{{.*}}, %[[B]]
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<8x4xf32>)
// CHECK-LABEL: func.func @unchanged.fold_runtime(
// CHECK: linalg.broadcast ins(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<1x4xf32>)
// CHECK: math.exp %{{.*}} : tensor<1x4xf32>
func.func @unchanged(%x: tensor<8x4xf32>, %z: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> (tensor<8x4xf32>, tensor<1x4xf32>, tensor<8x4xf32>) {
  %e = tensor.empty() : tensor<8x4xf32>
  %u = tensor.empty() : tensor<1x4xf32>
  %b = linalg.broadcast ins(%w : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %0 = arith.addf %x, %b : tensor<8x4xf32>
  %c = linalg.broadcast ins(%w : tensor<4xf32>) outs(%u : tensor<1x4xf32>) dimensions = [0]
  %1 = math.exp %c : tensor<1x4xf32>
  %d = linalg.broadcast ins(%z : tensor<4xf32>) outs(%e : tensor<8x4xf32>) dimensions = [0]
  %2 = math.exp %d : tensor<8x4xf32>
  return %0, %1, %2 : tensor<8x4xf32>, tensor<1x4xf32>, tensor<8x4xf32>
}
