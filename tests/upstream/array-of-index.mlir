// MLIR's parser asks index for its width, and ends the process.
// RUN: not fold-opt %s 2>&1 | FileCheck %s
// RUN: not fold-run %s 2>&1 | FileCheck %s
// RUN: not stablehlo-fold %s 2>&1 | FileCheck %s
// CHECK: error: {{.*}}array-of-index.mlir: line 9, column 74: array<index: ...> cannot be parsed by MLIR 22, expected an integer or float

// In a comment: array<index: 1>
!i = index
func.func @f() attributes {a = "array<index: 1>", b = array<i64: 1>, c = array<!i: 1>} {
  return
}
