// The messages named an operation that a lowering had made, or none; each came with a second one.
// The second pass loads the vector dialect.
// RUN: fold-opt %s --verify-scalars --vectors-to-llvm --split-input-file --verify-diagnostics
// RUN: fold-opt %s --lower-deallocation-to-llvm --split-input-file --verify-diagnostics

func.func @passed_on(%x: f8E5M2, %y: f8E5M2, %c: i1) -> i8 {
  %0 = arith.select %c, %x, %y : f8E5M2
  %1 = arith.bitcast %0 : f8E5M2 to i8
  return %1 : i8
}

// -----

func.func @all(%a: f16, %b: bf16, %c: f32, %d: f64, %e: f80, %f: f128) -> (f16, bf16, f32, f64, f80, f128) {
  %0 = math.sqrt %a : f16
  %1 = math.sqrt %b : bf16
  %2 = math.sqrt %c : f32
  %3 = math.sqrt %d : f64
  %4 = math.sqrt %e : f80
  %5 = math.sqrt %f : f128
  return %0, %1, %2, %3, %4, %5 : f16, bf16, f32, f64, f80, f128
}

// -----

func.func @sum(%x: f8E4M3FN) -> f8E4M3FN {
  // expected-error @+1 {{'arith.addf' op has a value of 'f8E4M3FN', with which the LLVM dialect does not compute}}
  %0 = arith.addf %x, %x : f8E4M3FN
  return %0 : f8E4M3FN
}

// -----

func.func @rounded(%x: vector<2xf64>) -> vector<2xf6E3M2FN> {
  // expected-error @+1 {{'arith.truncf' op has a value of 'f6E3M2FN', with which the LLVM dialect does not compute}}
  %0 = arith.truncf %x : vector<2xf64> to vector<2xf6E3M2FN>
  return %0 : vector<2xf6E3M2FN>
}

// -----

func.func @chosen(%c: i1, %x: tf32, %y: tf32) -> tf32 {
  // expected-error @+1 {{'arith.select' op has a value of 'tf32', with which the LLVM dialect does not compute}}
  %0 = arith.select %c, %x, %y : tf32
  return %0 : tf32
}

// -----

// The messages named an llvm.intr.vector.reduce.fadd, an llvm.intr.fmuladd and an llvm.atomicrmw.
func.func @sum_of_vector(%x: vector<4xf8E5M2>) -> f8E5M2 {
  // expected-error @+1 {{'vector.reduction' op has a value of 'f8E5M2', with which the LLVM dialect does not compute}}
  %0 = vector.reduction <add>, %x : vector<4xf8E5M2> into f8E5M2
  return %0 : f8E5M2
}

// -----

func.func @fma(%x: vector<4xf8E5M2>) -> vector<4xf8E5M2> {
  // expected-error @+1 {{'vector.fma' op has a value of 'f8E5M2', with which the LLVM dialect does not compute}}
  %0 = vector.fma %x, %x, %x : vector<4xf8E5M2>
  return %0 : vector<4xf8E5M2>
}

// -----

func.func @update(%m: memref<4xf8E5M2>, %x: f8E5M2, %i: index) -> f8E5M2 {
  // expected-error @+1 {{'memref.atomic_rmw' op has a value of 'f8E5M2', with which the LLVM dialect does not compute}}
  %0 = memref.atomic_rmw addf %x, %m[%i] : (f8E5M2, memref<4xf8E5M2>) -> f8E5M2
  return %0 : f8E5M2
}

// -----

func.func @sum_of_loop(%x: f8E5M2) -> f8E5M2 {
  // expected-error @+1 {{'affine.parallel' op has a value of 'f8E5M2', with which the LLVM dialect does not compute}}
  %0 = affine.parallel (%i) = (0) to (8) reduce ("addf") -> f8E5M2 {
    affine.yield %x : f8E5M2
  }
  return %0 : f8E5M2
}

// -----

// Values that no operation uses were left to the last pass, which left a func.func.
// expected-error @+1 {{'func.func' op has a value of 'tf32', with which the LLVM dialect does not compute}}
func.func @unused(%x: tf32) {
  return
}

// -----

// expected-error @+1 {{'func.func' op has a value of 'tf32', with which the LLVM dialect does not compute}}
func.func private @external(memref<4xvector<2xtf32>>)

// -----

// expected-error @+1 {{'func.func' op has a value of 'tf32', with which the LLVM dialect does not compute}}
func.func @block() {
  return
^unreachable(%x: tf32):
  return
}

// -----

// The elements of the shortest vector were computed, and all others were 0.
func.func @calls(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  // expected-error @+1 {{'math.erf' op has a value of 'vector<[4]xf32>', expected a vector of a fixed size, for whose elements a function is called}}
  %0 = math.erf %x : vector<[4]xf32>
  return %0 : vector<[4]xf32>
}

// -----

func.func @powers(%x: vector<2x[4]xf16>, %n: vector<2x[4]xi32>) -> vector<2x[4]xf16> {
  // expected-error @+1 {{'math.fpowi' op has a value of 'vector<2x[4]xf16>', expected a vector of a fixed size, for whose elements a function is called}}
  %0 = math.fpowi %x, %n : vector<2x[4]xf16>, vector<2x[4]xi32>
  return %0 : vector<2x[4]xf16>
}

// -----

func.func @intrinsics(%x: vector<[4]xf32>) -> vector<[4]xf32> {
  %0 = math.log1p %x : vector<[4]xf32>
  %1 = math.tanh %0 : vector<[4]xf32>
  return %1 : vector<[4]xf32>
}
