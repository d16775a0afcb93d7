// RUN: fold-opt --help | FileCheck %s --check-prefix=HELP
// RUN: fold-opt %s --pass-pipeline='builtin.module(canonicalize,cse,inline,symbol-dce,lower-affine,convert-scf-to-cf,one-shot-bufferize)' | FileCheck %s

// What the help says about MLIR's passes is so.
// HELP: of MLIR's own: canonicalize, cse, inline, symbol-dce, lower-affine,
// HELP-NEXT: convert-scf-to-cf and all of bufferization.

// CHECK-LABEL: @f
func.func @f(%x: f32) -> f32 {
  return %x : f32
}
