// A result whose readers fold gets a stand-in, which is an operation of the ONNX dialect: a module that had none of it ended the process.
// RUN: fold-opt %s --onnx-clean-up | FileCheck %s

// CHECK-LABEL: @carries_a_constant
// CHECK: %[[C:.*]] = arith.constant 4 : i32
// CHECK: return %{{.*}}#0, %[[C]] : i32, i32
func.func @carries_a_constant(%n: index, %x: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %three) -> (i32, i32) {
    %1 = arith.addi %a, %b : i32
    scf.yield %1, %b : i32, i32
  }
  %2 = arith.addi %0#1, %one : i32
  return %0#0, %2 : i32, i32
}
