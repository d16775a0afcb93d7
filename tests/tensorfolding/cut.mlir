// Where folds end: what is kept, what the entry repeats, and how size decides.
// RUN: fold-opt %s --constant-tensor-folding --split-input-file | FileCheck %s
// RUN: fold-opt %s --constant-tensor-folding="max-growth-ratio=100 max-growth=-1 min-bytes=1" --split-input-file | FileCheck %s --check-prefix=WIDE

// A constant with constant and variable users is kept for the latter, and what
// the former make of it is folded too. (The published pass stopped here, and
// computed the constant users again in each run.)

// CHECK-LABEL: func.func @mixed_users(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>, %[[A:[^:]*]]: tensor<4xf32> {{{[^}]*}}}, %[[B:[^:]*]]: tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = arith.addf %[[X]], %[[A]]
// CHECK-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[B]]
// CHECK-NEXT: return %[[T]]
// CHECK: func.func @mixed_users.fold_runtime(
// CHECK-NEXT: %[[N:.*]] = arith.negf
// CHECK-NEXT: %[[E:.*]] = math.exp %[[N]]
// CHECK-NEXT: return %[[N]], %[[E]]
func.func @mixed_users(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %n = arith.negf %w : tensor<4xf32>
  %e = math.exp %n : tensor<4xf32>
  %s = arith.addf %x, %n : tensor<4xf32>
  %t = arith.addf %s, %e : tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// What several folded values are made of is computed once.

// CHECK-LABEL: func.func @shared.fold_runtime(
// CHECK: math.exp
// CHECK-NOT: math.exp
// CHECK: return
func.func @shared(%x: tensor<4xf32>, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %e = math.exp %w : tensor<4xf32>
  %n = arith.negf %e : tensor<4xf32>
  %d = arith.addf %e, %e : tensor<4xf32>
  %s = arith.addf %x, %n : tensor<4xf32>
  %t = arith.addf %s, %d : tensor<4xf32>
  return %t : tensor<4xf32>
}

// -----

// Views are not kept: the entry views what is. A fold of nothing but views is
// none.

// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x8xf32>, %[[W:[^:]*]]: tensor<16xf32> {{{[^}]*}}}, %[[F:[^:]*]]: tensor<16xf32>
// CHECK: tensor.expand_shape %[[W]]
// CHECK: tensor.expand_shape %[[F]]
// CHECK-LABEL: func.func @views.fold_runtime(
// CHECK-NOT: tensor.expand_shape
// CHECK: return
func.func @views(%x: tensor<2x8xf32>, %w: tensor<16xf32> {onnxfold.constant = "runtime"}) -> tensor<2x8xf32> {
  %v = tensor.expand_shape %w [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %n = arith.negf %w : tensor<16xf32>
  %u = tensor.expand_shape %n [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %s = arith.addf %x, %v : tensor<2x8xf32>
  %t = arith.addf %s, %u : tensor<2x8xf32>
  return %t : tensor<2x8xf32>
}

// -----

// Views are folded with what follows them. Of something computed, a slice of
// half of it or less is kept instead of the whole.

// CHECK-LABEL: func.func @interior_views(
// CHECK-SAME: %[[F:[^:]*]]: tensor<2x8xf32> {bufferization.writable = false}, %[[G:[^:]*]]: tensor<8xf32> {bufferization.writable = false}, %[[H:[^:]*]]: tensor<16xf32> {bufferization.writable = false})
// CHECK-NOT: expand_shape
// CHECK: tensor.extract_slice %[[H]][1] [15]
func.func @interior_views(%x: tensor<2x8xf32>, %y: tensor<8xf32>, %z: tensor<15xf32>, %w: tensor<16xf32> {onnxfold.constant = "runtime"})
    -> (tensor<2x8xf32>, tensor<8xf32>, tensor<15xf32>) {
  %v = tensor.expand_shape %w [[0, 1]] output_shape [2, 8] : tensor<16xf32> into tensor<2x8xf32>
  %n = arith.negf %v : tensor<2x8xf32>
  %s = arith.addf %x, %n : tensor<2x8xf32>
  %e = math.exp %w : tensor<16xf32>
  %half = tensor.extract_slice %e[0] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %t = arith.addf %y, %half : tensor<8xf32>
  %l = math.absf %w : tensor<16xf32>
  %most = tensor.extract_slice %l[1] [15] [1] : tensor<16xf32> to tensor<15xf32>
  %u = arith.addf %z, %most : tensor<15xf32>
  return %s, %t, %u : tensor<2x8xf32>, tensor<8xf32>, tensor<15xf32>
}

// -----

// An extension ends no fold, a fill, a broadcast and a sequence neither; what
// is behind one does.

// CHECK-LABEL: func.func @leaves(
// CHECK-SAME: %[[X:[^:]*]]: tensor<8x8xf32>, %[[B:[^:]*]]: tensor<8xbf16> {bufferization.writable = false}, %[[S:[^:]*]]: tensor<8xf32> {bufferization.writable = false}) ->
// CHECK-DAG: arith.extf %[[B]]
// CHECK-DAG: linalg.broadcast
// CHECK-DAG: linalg.fill
// CHECK-DAG: linalg.index
func.func @leaves(%x: tensor<8x8xf32>, %w: tensor<8xbf16> {onnxfold.constant = "runtime"}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xindex>, tensor<8xf32>) {
  %zero = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %i = tensor.empty() : tensor<8x8xindex>
  %n = arith.negf %w : tensor<8xbf16>
  %f = arith.extf %n : tensor<8xbf16> to tensor<8xf32>
  %b = linalg.broadcast ins(%f : tensor<8xf32>) outs(%e : tensor<8x8xf32>) dimensions = [0]
  %y = arith.addf %x, %b : tensor<8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = arith.addf %x, %fill : tensor<8x8xf32>
  %sequence = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%i : tensor<8x8xindex>) {
  ^bb0(%out: index):
    %j = linalg.index 0 : index
    linalg.yield %j : index
  } -> tensor<8x8xindex>
  %s = math.exp %f : tensor<8xf32>
  return %y, %z, %sequence, %s : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xindex>, tensor<8xf32>
}

// -----

// The ratio: 4 bytes become 36, nine times as many. What is made before is
// folded. Numbers (a position, an element) count nothing.

// CHECK-LABEL: func.func @ratio(
// CHECK-SAME: %[[X:[^:]*]]: tensor<3x3xf32>, %[[A:[^:]*]]: tensor<3xf32> {bufferization.writable = false}, %[[B:[^:]*]]: tensor<3xf32> {bufferization.writable = false})
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]]
// WIDE-LABEL: func.func @ratio(
// WIDE-SAME: %{{[^:]*}}: tensor<3x3xf32>, %{{[^:]*}}: tensor<3x3xf32> {bufferization.writable = false})
func.func @ratio(%x: tensor<3x3xf32>, %w: tensor<1xf32> {onnxfold.constant = "runtime"}) -> tensor<3x3xf32> {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<3x3xf32>
  %v = tensor.extract %w[%c0] : tensor<1xf32>
  %q = arith.mulf %v, %v : f32
  %a = tensor.from_elements %v, %q, %v : tensor<3xf32>
  %b = tensor.from_elements %q, %v, %v : tensor<3xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3x3xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    linalg.yield %m : f32
  } -> tensor<3x3xf32>
  %y = arith.addf %x, %p : tensor<3x3xf32>
  return %y : tensor<3x3xf32>
}

// -----

// The number of bytes: 768 KiB become 3 MiB by an extension and a sum, less
// than eight times as much but more than 1 MiB more. The sum before is kept.

// CHECK-LABEL: func.func @bytes(
// CHECK-SAME: %[[X:[^:]*]]: tensor<786432xf32>, %[[F:[^:]*]]: tensor<786432xi8> {bufferization.writable = false})
// WIDE-LABEL: func.func @bytes(
// WIDE-SAME: %{{[^:]*}}: tensor<786432xf32>, %{{[^:]*}}: tensor<786432xf32> {bufferization.writable = false})
func.func @bytes(%x: tensor<786432xf32>, %w: tensor<786432xi8> {onnxfold.constant = "runtime"}) -> tensor<786432xf32> {
  %n = arith.muli %w, %w : tensor<786432xi8>
  %f = arith.sitofp %n : tensor<786432xi8> to tensor<786432xf32>
  %y = arith.addf %x, %f : tensor<786432xf32>
  return %y : tensor<786432xf32>
}

// -----

// Any DAG: a root that is used twice counts once, though each of nine sums
// doubles what is read. The product of 9 x 9 is too large for 1 x 9 bytes, and
// is not too large for 9 x 9 that are made of 100.

// CHECK-LABEL: func.func @dag(
// CHECK-SAME: %{{[^:]*}}: tensor<9x9xi8>, %[[A:[^:]*]]: tensor<9xi8> {bufferization.writable = false}, %[[B:[^:]*]]: tensor<9x9xi8> {bufferization.writable = false})
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[A]]
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @dag(%x: tensor<9x9xi8>, %w: tensor<9xi8> {onnxfold.constant = "runtime"}, %v: tensor<90xi8> {onnxfold.constant = "runtime"}) -> (tensor<9x9xi8>, tensor<9x9xi8>) {
  %e = tensor.empty() : tensor<9x9xi8>
  %0 = arith.addi %w, %w : tensor<9xi8>
  %1 = arith.addi %0, %0 : tensor<9xi8>
  %2 = arith.addi %1, %0 : tensor<9xi8>
  %3 = arith.addi %2, %1 : tensor<9xi8>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%3, %3 : tensor<9xi8>, tensor<9xi8>) outs(%e : tensor<9x9xi8>) {
  ^bb0(%l: i8, %r: i8, %out: i8):
    %m = arith.muli %l, %r : i8
    linalg.yield %m : i8
  } -> tensor<9x9xi8>
  %s = tensor.extract_slice %v[3] [9] [1] : tensor<90xi8> to tensor<9xi8>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %3 : tensor<9xi8>, tensor<9xi8>) outs(%e : tensor<9x9xi8>) {
  ^bb0(%l: i8, %r: i8, %out: i8):
    %m = arith.muli %l, %r : i8
    linalg.yield %m : i8
  } -> tensor<9x9xi8>
  %y = arith.addi %x, %p : tensor<9x9xi8>
  %z = arith.addi %x, %q : tensor<9x9xi8>
  return %y, %z : tensor<9x9xi8>, tensor<9x9xi8>
}

// -----

// Packing and padding may grow by their tiles whatever the number of bytes, but
// not by more than the ratio.

// CHECK-LABEL: func.func @padding(
// CHECK-SAME: %{{[^:]*}}: tensor<1024x1040xf32>, %{{[^:]*}}: tensor<2x8xf32>, %[[W:[^:]*]]: tensor<1xf32> {bufferization.writable = false}, %[[F:[^:]*]]: tensor<1024x1040xf32> {bufferization.writable = false})
// CHECK: linalg.pack %[[W]]
func.func @padding(%x: tensor<1024x1040xf32>, %y: tensor<2x8xf32>, %w: tensor<1024x700xf32> {onnxfold.constant = "runtime"}, %s: tensor<1xf32> {onnxfold.constant = "runtime"})
    -> (tensor<1024x1040xf32>, tensor<1x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %p = tensor.pad %w low[0, 0] high[0, 340] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<1024x700xf32> to tensor<1024x1040xf32>
  %z = arith.addf %x, %p : tensor<1024x1040xf32>
  %q = linalg.pack %s padding_value(%zero : f32) inner_dims_pos = [0] inner_tiles = [16] into %e : tensor<1xf32> -> tensor<1x16xf32>
  return %z, %q : tensor<1024x1040xf32>, tensor<1x16xf32>
}

// -----

// Element types: i1 and i4 are not kept (what they are made of is), complex
// numbers and indices are, at 16 and 8 bytes.

// CHECK-LABEL: func.func @types(
// CHECK-SAME: %[[W:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[A:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[C:[^:]*]]: tensor<4xcomplex<f64>> {bufferization.writable = false}, %[[I:[^:]*]]: tensor<4xindex> {bufferization.writable = false}, %[[K:[^:]*]]: tensor<4xi32> {bufferization.writable = false})
// CHECK: arith.cmpf olt, %[[W]], %[[A]]
// CHECK: arith.trunci %[[K]] : tensor<4xi32> to tensor<4xi4>
func.func @types(%w: tensor<4xf32> {onnxfold.constant = "runtime"}, %c: tensor<4xcomplex<f64>> {onnxfold.constant = "runtime"}, %i: tensor<4xindex> {onnxfold.constant = "runtime"})
    -> (tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xindex>, tensor<4xi4>) {
  %a = math.absf %w : tensor<4xf32>
  %l = arith.cmpf olt, %w, %a : tensor<4xf32>
  %e = tensor.empty() : tensor<4xcomplex<f64>>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%c : tensor<4xcomplex<f64>>) outs(%e : tensor<4xcomplex<f64>>) {
  ^bb0(%in: complex<f64>, %out: complex<f64>):
    linalg.yield %in : complex<f64>
  } -> tensor<4xcomplex<f64>>
  %j = arith.addi %i, %i : tensor<4xindex>
  %k = arith.index_cast %j : tensor<4xindex> to tensor<4xi32>
  %n = arith.trunci %k : tensor<4xi32> to tensor<4xi4>
  return %l, %r, %j, %n : tensor<4xi1>, tensor<4xcomplex<f64>>, tensor<4xindex>, tensor<4xi4>
}

// -----

// Small values are not kept, unless something large is behind them.

// CHECK-LABEL: func.func @small(
// CHECK-SAME: %[[W:[^:]*]]: tensor<2xf32> {bufferization.writable = false}, %[[F:[^:]*]]: tensor<f32> {bufferization.writable = false})
// CHECK: arith.negf %[[W]]
// WIDE-LABEL: func.func @small(
// WIDE-SAME: %{{[^:]*}}: tensor<2xf32> {bufferization.writable = false}, %{{[^:]*}}: tensor<f32> {bufferization.writable = false})
// WIDE-NOT: arith.negf
// WIDE: return
func.func @small(%w: tensor<2xf32> {onnxfold.constant = "runtime"}, %v: tensor<64xf32> {onnxfold.constant = "runtime"}) -> (tensor<2xf32>, tensor<f32>) {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %n = arith.negf %w : tensor<2xf32>
  %s = linalg.reduce { arith.addf } ins(%v : tensor<64xf32>) outs(%zero : tensor<f32>) dimensions = [0]
  return %n, %s : tensor<2xf32>, tensor<f32>
}

// -----

// Scalars are arguments and work, but are not kept: the tensor behind them is.

// CHECK-LABEL: func.func @scalars(
// CHECK-SAME: %[[X:[^:]*]]: f32, %[[F:[^:]*]]: tensor<64xf32> {bufferization.writable = false})
// CHECK: tensor.extract %[[F]]
func.func @scalars(%x: f32, %w: tensor<64xf32> {onnxfold.constant = "runtime"}, %s: f32 {onnxfold.constant = "runtime"}) -> f32 {
  %c3 = arith.constant 3 : index
  %splat = tensor.splat %s : tensor<64xf32>
  %n = arith.mulf %w, %splat : tensor<64xf32>
  %v = tensor.extract %n[%c3] : tensor<64xf32>
  %y = arith.addf %x, %v : f32
  return %y : f32
}

// -----

// Memrefs are read where they never change, and are no folded values.

// CHECK-LABEL: func.func @memrefs(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>, %[[U:[^:]*]]: memref<4xf32>, %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false})
// CHECK: bufferization.to_tensor %[[U]]
// CHECK-LABEL: func.func @memrefs.fold_runtime(
// CHECK-SAME: %[[W:[^:]*]]: memref<4xf32>) -> tensor<4xf32>
// CHECK: bufferization.to_tensor %[[W]]
func.func @memrefs(%x: tensor<4xf32>, %w: memref<4xf32> {onnxfold.constant = "runtime"}, %u: memref<4xf32> {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %t = bufferization.to_tensor %w restrict : memref<4xf32> to tensor<4xf32>
  %n = arith.negf %t : tensor<4xf32>
  %v = bufferization.to_tensor %u restrict : memref<4xf32> to tensor<4xf32>
  %s = arith.addf %x, %v : tensor<4xf32>
  %y = arith.addf %s, %n : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Dynamic shapes: what has no more unknown sizes than what it is made of may be
// kept; packing always.

// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[F:[^:]*]]: tensor<?x16xf32> {bufferization.writable = false}, %[[G:[^:]*]]: tensor<?x1x8x16xf32> {bufferization.writable = false})
// CHECK-SAME: folded = [{entry = 1 : i64, type = tensor<?x16xf32>}, {entry = 2 : i64, type = tensor<?x1x8x16xf32>}]
// CHECK-LABEL: func.func @dynamic.fold_runtime(
// CHECK: linalg.pack
func.func @dynamic(%x: tensor<?x16xf32>, %w: tensor<?x16xf32> {onnxfold.constant = "runtime"}) -> (tensor<?x16xf32>, tensor<?x1x8x16xf32>) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %n = arith.negf %w : tensor<?x16xf32>
  %y = arith.addf %x, %n : tensor<?x16xf32>
  %rows = tensor.dim %w, %c0 : tensor<?x16xf32>
  %tiles = arith.ceildivui %rows, %c8 : index
  %e = tensor.empty(%tiles) : tensor<?x1x8x16xf32>
  %p = linalg.pack %w padding_value(%zero : f32) inner_dims_pos = [0, 1] inner_tiles = [8, 16] into %e : tensor<?x16xf32> -> tensor<?x1x8x16xf32>
  return %y, %p : tensor<?x16xf32>, tensor<?x1x8x16xf32>
}

// -----

// One dynamic size more than there was: too large.

// CHECK-LABEL: func.func @outer(
// CHECK-SAME: %[[F:[^:]*]]: tensor<?xf32> {bufferization.writable = false})
// CHECK: linalg.generic
// CHECK-LABEL: func.func @outer.fold_runtime(
// CHECK-NOT: linalg.generic
func.func @outer(%w: tensor<?xf32> {onnxfold.constant = "runtime"}) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %n = arith.negf %w : tensor<?xf32>
  %rows = tensor.dim %n, %c0 : tensor<?xf32>
  %e = tensor.empty(%rows, %rows) : tensor<?x?xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%n, %n : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?x?xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %m = arith.mulf %l, %r : f32
    linalg.yield %m : f32
  } -> tensor<?x?xf32>
  return %p : tensor<?x?xf32>
}

// -----

// From inside of a loop that is not constant, and control flow as a whole.

// CHECK-LABEL: func.func @control_flow(
// CHECK-SAME: %[[X:[^:]*]]: tensor<4xf32>, %[[N:[^:]*]]: index, %[[P:[^:]*]]: i1 {onnxfold.other}, %[[F:[^:]*]]: tensor<4xf32> {bufferization.writable = false}, %[[G:[^:]*]]: tensor<4xf32> {bufferization.writable = false})
// CHECK: scf.for {{.*}} iter_args(%[[S:.*]] = %[[F]])
// CHECK-NEXT: %[[D:.*]] = arith.addf %[[S]], %[[G]]
// CHECK-LABEL: func.func @control_flow.fold_runtime
// CHECK: scf.if
func.func @control_flow(%x: tensor<4xf32>, %n: index, %p: i1 {onnxfold.other}, %w: tensor<4xf32> {onnxfold.constant = "runtime"}, %q: i1 {onnxfold.constant = "runtime"}) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = scf.if %q -> tensor<4xf32> {
    %e = math.exp %w : tensor<4xf32>
    scf.yield %e : tensor<4xf32>
  } else {
    scf.yield %w : tensor<4xf32>
  }
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%s = %i) -> tensor<4xf32> {
    %m = arith.negf %w : tensor<4xf32>
    %d = arith.addf %s, %m : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
