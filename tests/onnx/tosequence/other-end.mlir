// An operation of no dialect that ends a function was taken for its return, which ended the process.
// RUN: not fold-opt %s --allow-unregistered-dialect --convert-onnx-to-sequence 2>&1 | FileCheck %s

// CHECK: error: convert-onnx-to-sequence: ends a function, expected func.return
func.func @ended(%x: i64) {
  "test.end"(%x) : (i64) -> ()
}
