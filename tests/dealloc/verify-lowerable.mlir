// Passes of MLIR ended the process on each of these.
// RUN: fold-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics -lower-deallocation-to-llvm
// RUN: fold-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics -lower-sequence-to-llvm
// RUN: fold-opt %s -allow-unregistered-dialect -split-input-file -verify-diagnostics -constant-tensor-folding-pipeline

func.func @no_dialect() {
  // expected-error@+1 {{'foo.bar' op is of no registered dialect, and cannot be lowered to the LLVM dialect}}
  "foo.bar"() : () -> ()
  return
}

// -----

func.func @no_branch(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{'foo.br' op is of no registered dialect, and cannot be lowered to the LLVM dialect}}
  "foo.br"(%x)[^next] : (tensor<2xf32>) -> ()
^next(%y: tensor<2xf32>):
  return %y : tensor<2xf32>
}

// -----

func.func @assign(%x: f32) -> f32 {
  // expected-error@+1 {{'affine.parallel' op reduction #0 'assign' of 'f32' has no neutral element, and cannot be lowered}}
  %0 = affine.parallel (%i) = (0) to (8) reduce ("assign") -> f32 {
    affine.yield %x : f32
  }
  return %0 : f32
}

// -----

func.func @tiles() -> memref<8xf32, affine_map<(i) -> (i floordiv 4, i mod 4)>> {
  // expected-error@+1 {{'memref.alloc' op has a value of 'memref<8xf32, affine_map<(d0) -> (d0 floordiv 4, d0 mod 4)>>', whose layout is no strides}}
  %0 = memref.alloc() : memref<8xf32, affine_map<(i) -> (i floordiv 4, i mod 4)>>
  return %0 : memref<8xf32, affine_map<(i) -> (i floordiv 4, i mod 4)>>
}

// -----

func.func @sum(%x: f32) -> f32 {
  %0 = affine.parallel (%i) = (0) to (8) reduce ("addf") -> f32 {
    affine.yield %x : f32
  }
  return %0 : f32
}

// -----

// -9223372036854775808 stands for an operand.
func.func @padding(%x: tensor<2xf32>, %v: f32) -> tensor<3xf32> {
  // expected-error@+1 {{'tensor.pad' op has 0 operands for its 'low' padding, expected 1}}
  %0 = tensor.pad %x nofold low[-9223372036854775808] high[1] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @unranked() -> tensor<*xf32> {
  // expected-error@+1 {{'bufferization.alloc_tensor' op allocates 'tensor<*xf32>', expected a ranked tensor}}
  %0 = bufferization.alloc_tensor() : tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @scalar_of_no_rank(%x: memref<*xf32>, %y: memref<8xmemref<*xf32>>) {
  // expected-error@+1 {{'linalg.generic' op operand #0 is 'memref<*xf32>', expected a buffer with a rank}}
  linalg.generic {indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : memref<*xf32>) outs(%y : memref<8xmemref<*xf32>>) {
  ^bb0(%in: memref<*xf32>, %out: memref<*xf32>):
    linalg.yield %in : memref<*xf32>
  }
  return
}

// -----

func.func @no_rank_of_none(%x: memref<*xi32>, %s: memref<2xindex>) -> memref<*xi32> {
  // expected-error@+1 {{'memref.reshape' op makes 'memref<*xi32>' of 'memref<*xi32>', expected one with a rank}}
  %0 = memref.reshape %x(%s) : (memref<*xi32>, memref<2xindex>) -> memref<*xi32>
  return %0 : memref<*xi32>
}

// -----

func.func @pairs(%x: tensor<8xcomplex<tf32>>) -> tensor<4xcomplex<tf32>> {
  // expected-error@+1 {{'tensor.extract_slice' op has a value of 'tensor<4xcomplex<tf32>>', for which the LLVM dialect has no type}}
  %0 = tensor.extract_slice %x[0] [4] [1] : tensor<8xcomplex<tf32>> to tensor<4xcomplex<tf32>>
  return %0 : tensor<4xcomplex<tf32>>
}

// -----

// expected-error@+1 {{'func.func' op has a value of 'memref<8xcomplex<tf32>>', for which the LLVM dialect has no type}}
func.func private @pairs_elsewhere(memref<8xcomplex<tf32>>)

// -----

// An operation for each element would take years.
func.func @long_vector(%x: vector<9223372036854775807xf32>) -> f32 {
  // expected-error@+1 {{'math.erf' op has a value of 'vector<9223372036854775807xf32>', expected at most 65536 elements}}
  %0 = math.erf %x : vector<9223372036854775807xf32>
  %1 = arith.constant 0.0 : f32
  return %1 : f32
}

// -----

// Bufferization said "op was not bufferized", without a name.
func.func @no_bufferization(%x: tensor<2x3xf32>) -> tensor<2x3xi32> {
  // expected-error@+1 {{'tensor.bitcast' op is not lowered to the LLVM dialect by MLIR 22}}
  %0 = tensor.bitcast %x : tensor<2x3xf32> to tensor<2x3xi32>
  return %0 : tensor<2x3xi32>
}

// -----

func.func @no_gather(%x: tensor<2x3xf32>, %i: tensor<3x1xindex>) -> tensor<3x1x3xf32> {
  // expected-error@+1 {{'tensor.gather' op is not lowered to the LLVM dialect by MLIR 22}}
  %0 = tensor.gather %x[%i] gather_dims([0]) : (tensor<2x3xf32>, tensor<3x1xindex>) -> tensor<3x1x3xf32>
  return %0 : tensor<3x1x3xf32>
}

// -----

func.func @winograd(%x: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  // expected-error@+1 {{'linalg.winograd_filter_transform' op is not lowered to the LLVM dialect by MLIR 22}}
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%x : tensor<2x3x3x5xf32>) outs(%o : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return %0 : tensor<6x6x5x2xf32>
}

// -----

// The message named the arith.extf that arith-expand makes of it.
func.func @scales(%x: f4E2M1FN, %s: f8E8M0FNU) -> f64 {
  // expected-error@+1 {{'arith.scaling_extf' op is not lowered to the LLVM dialect by MLIR 22}}
  %0 = arith.scaling_extf %x, %s : f4E2M1FN, f8E8M0FNU to f64
  return %0 : f64
}
