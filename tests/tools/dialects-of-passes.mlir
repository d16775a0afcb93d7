// RUN: fold-opt %s --allow-unregistered-dialect --pass-pipeline='builtin.module(lower-sequence-to-llvm)' | FileCheck %s

// A pass loads the dialect vector: the operation must be its own from the beginning. It ended the process.

// CHECK: func @f
func.func @f(%x: vector<4x8xf32>) -> vector<8xf32> {
  %y = "vector.extract"(%x) <{static_position = array<i64: 0>}> : (vector<4x8xf32>) -> vector<8xf32>
  return %y : vector<8xf32>
}
