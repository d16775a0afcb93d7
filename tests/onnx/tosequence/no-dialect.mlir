// An operation of no dialect ended the process. It is copied, as those of other dialects.
// RUN: fold-opt %s --allow-unregistered-dialect --convert-onnx-to-sequence | FileCheck %s

// CHECK-LABEL: @copied
// CHECK: "foo.bar"(%arg0) : (i32) -> ()
func.func @copied(%x: i32) {
  "foo.bar"(%x) : (i32) -> ()
  return
}
