// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: element by element, by the channel and position that the specification names.

// CHECK-LABEL: @depthtospace_empty
// CHECK{LITERAL}: onnx.Constant dense<> : tensor<0x1x4x4xi32>
// CHECK-NEXT: return
func.func @depthtospace_empty() -> tensor<0x1x4x4xi32> {
  %x0 = onnx.Constant dense<> : tensor<0x4x2x2xi32>
  %r = onnx.DepthToSpace(%x0) <{since = 13}> {blocksize = 2 : i64} : (tensor<0x4x2x2xi32>) -> tensor<0x1x4x4xi32>
  return %r : tensor<0x1x4x4xi32>
}

// -----

// CHECK-LABEL: @depthtospace_block_stays
// CHECK: onnx.DepthToSpace(
func.func @depthtospace_block_stays() -> tensor<?x?x?x?xi32> {
  %x0 = onnx.Constant dense<[[[[0, 1]], [[2, 3]], [[4, 5]], [[6, 7]], [[8, 9]], [[10, 11]], [[12, 13]], [[14, 15]]]]> : tensor<1x8x1x2xi32>
  // expected-remark @+1 {{onnx.DepthToSpace not folded: attribute 'blocksize' is 3, input #0 has shape [1, 8, 1, 2]}}
  %r = onnx.DepthToSpace(%x0) <{since = 13}> {blocksize = 3 : i64} : (tensor<1x8x1x2xi32>) -> tensor<?x?x?x?xi32>
  return %r : tensor<?x?x?x?xi32>
}

// -----

// CHECK-LABEL: @depthtospace_mode_stays
// CHECK: onnx.DepthToSpace(
func.func @depthtospace_mode_stays() -> tensor<?x?x?x?xi32> {
  %x0 = onnx.Constant dense<[[[[0, 1]], [[2, 3]], [[4, 5]], [[6, 7]], [[8, 9]], [[10, 11]], [[12, 13]], [[14, 15]]]]> : tensor<1x8x1x2xi32>
  // expected-remark @+1 {{onnx.DepthToSpace not folded: attribute 'mode' is 'XYZ', expected DCR or CRD}}
  %r = onnx.DepthToSpace(%x0) <{since = 13}> {blocksize = 2 : i64, mode = "XYZ"} : (tensor<1x8x1x2xi32>) -> tensor<?x?x?x?xi32>
  return %r : tensor<?x?x?x?xi32>
}
