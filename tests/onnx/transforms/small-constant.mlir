// RUN: fold-opt %s --onnx-clean-up=max-growth=20 --split-input-file | FileCheck %s
// RUN: fold-opt %s --onnx-clean-up=max-growth=19 --split-input-file | FileCheck %s --check-prefix=LESS

// a constant beyond the limit of growth = Expand(a small constant). Twenty bytes are a
// number and two dimensions; the ones that were there die only with their last
// reader.

module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  // CHECK-LABEL: @splat
  // CHECK: %[[C:.*]] = onnx.Constant dense<-1.000000e+00> : tensor<1x1xf32>
  // CHECK-NEXT: %[[S:.*]] = onnx.Constant dense<64> : tensor<2xi64>
  // CHECK: %[[E:.*]] = onnx.Expand(%[[C]], %[[S]])
  // CHECK-NOT: onnx.Neg
  // CHECK: onnx.Add(%arg0, %[[E]])
  // LESS-LABEL: @splat
  // LESS: onnx.ConstantOfShape
  // LESS-NEXT: onnx.Neg
  // LESS-NOT: onnx.Expand
  func.func @splat(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<1xf32>) {
    %s = onnx.Constant dense<64> : tensor<2xi64>
    %a = onnx.ConstantOfShape(%s) <{since = 21}> {value = dense<1.0> : tensor<1xf32>}
      : (tensor<2xi64>) -> tensor<64x64xf32>
    %b = onnx.Neg(%a) <{since = 13}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = onnx.Add(%x, %b) <{since = 14}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2xi64>) -> tensor<1xf32>
    return %y, %r : tensor<64x64xf32>, tensor<1xf32>
  }
}

// -----

module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  // CHECK-LABEL: @small_already_stays
  // CHECK: onnx.ConstantOfShape
  // CHECK-NOT: onnx.Expand
  // LESS-LABEL: @small_already_stays
  func.func @small_already_stays(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
    %s = onnx.Constant dense<64> : tensor<2xi64>
    %a = onnx.ConstantOfShape(%s) <{since = 21}> {value = dense<1.0> : tensor<1xf32>}
      : (tensor<2xi64>) -> tensor<64x64xf32>
    %y = onnx.Add(%x, %a) <{since = 14}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    return %y : tensor<64x64xf32>
  }
}

// -----

module attributes {onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
  // CHECK-LABEL: @no_broadcast_stays
  // CHECK: onnx.Mul
  // CHECK-NOT: onnx.Expand
  // LESS-LABEL: @no_broadcast_stays
  func.func @no_broadcast_stays(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
    %r = onnx.Constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]]> : tensor<1x8xf32>
    %c = onnx.Constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]> : tensor<8x1xf32>
    %a = onnx.Mul(%r, %c) <{since = 14}> : (tensor<1x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
    %y = onnx.Add(%x, %a) <{since = 14}> : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    return %y : tensor<8x8xf32>
  }
}

// -----

// Expand came with opset 8, Constant nodes of integers with opset 9.
module attributes {onnx.ir_version = 4 : i64, onnx.opset_imports = [#onnx.opset<"", 7>]} {
  // CHECK-LABEL: @old_opset_stays
  // CHECK: onnx.Neg
  // CHECK-NOT: onnx.Expand
  // LESS-LABEL: @old_opset_stays
  func.func @old_opset_stays(%x: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<1xf32>) {
    %s = onnx.Constant dense<64> : tensor<2xi64>
    %o = onnx.Constant dense<1.0> : tensor<1x1xf32>
    %a = onnx.Tile(%o, %s) <{since = 6}> : (tensor<1x1xf32>, tensor<2xi64>) -> tensor<64x64xf32>
    %b = onnx.Neg(%a) <{since = 6}> : (tensor<64x64xf32>) -> tensor<64x64xf32>
    %y = onnx.Add(%x, %b) <{since = 7}> : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %r = onnx.Custom(%s) <{domain = "t", node = 9, op_type = "Use", since = 1}> : (tensor<2xi64>) -> tensor<1xf32>
    return %y, %r : tensor<64x64xf32>, tensor<1xf32>
  }
}
