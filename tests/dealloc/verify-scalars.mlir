// The messages named an operation that a lowering had made, or none; each came with a second one.
// RUN: fold-opt %s --verify-scalars --split-input-file --verify-diagnostics
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
