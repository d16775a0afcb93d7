// A function may end without a return. Its type was made from the operands of llvm.unreachable, of which there are none.
// RUN: fold-opt %s --onnx-clean-up | FileCheck %s

// CHECK-LABEL: llvm.func @never_returns(%arg0: i32) -> i32
// CHECK-NEXT: llvm.unreachable
llvm.func @never_returns(%x: i32) -> i32 {
  llvm.unreachable
}
