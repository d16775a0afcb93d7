// RUN: fold-opt %s --constprop --split-input-file --verify-diagnostics \
// RUN:   --remarks-filter-missed=constprop | FileCheck %s

// Expected values: numpy.cumsum of [[1, 2], [3, 4], [5, 6]], flipped or transposed.

// CHECK-LABEL: @scan_forward
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[}}1, 2], [4, 6], [9, 12]{{\]}}> : tensor<3x2xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_forward() -> (tensor<2xi64>, tensor<3x2xi64>) {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 9}> {num_scan_inputs = 1 : i64} : (tensor<2xi64>, tensor<3x2xi64>) -> (tensor<2xi64>, tensor<3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_input_backward
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[}}5, 6], [8, 10], [9, 12]{{\]}}> : tensor<3x2xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_input_backward() -> (tensor<2xi64>, tensor<3x2xi64>) {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 1>} : (tensor<2xi64>, tensor<3x2xi64>) -> (tensor<2xi64>, tensor<3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_output_backward
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[}}9, 12], [4, 6], [1, 2]{{\]}}> : tensor<3x2xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_output_backward() -> (tensor<2xi64>, tensor<3x2xi64>) {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 16}> {num_scan_inputs = 1 : i64, scan_output_directions = array<i64: 1>} : (tensor<2xi64>, tensor<3x2xi64>) -> (tensor<2xi64>, tensor<3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_both_backward
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[}}9, 12], [8, 10], [5, 6]{{\]}}> : tensor<3x2xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_both_backward() -> (tensor<2xi64>, tensor<3x2xi64>) {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 25}> {num_scan_inputs = 1 : i64, scan_input_directions = array<i64: 1>, scan_output_directions = array<i64: 1>} : (tensor<2xi64>, tensor<3x2xi64>) -> (tensor<2xi64>, tensor<3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_axes
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[}}1, 4, 9], [2, 6, 12]{{\]}}> : tensor<2x3xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_axes() -> (tensor<2xi64>, tensor<2x3xi64>) {
  %x = onnx.Constant dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>, scan_output_axes = array<i64: 1>} : (tensor<2xi64>, tensor<2x3xi64>) -> (tensor<2xi64>, tensor<2x3xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xi64>
}

// -----

// CHECK-LABEL: @scan_negative_axes
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[}}1, 4, 9], [2, 6, 12]{{\]}}> : tensor<2x3xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_negative_axes() -> (tensor<2xi64>, tensor<2x3xi64>) {
  %x = onnx.Constant dense<[[1, 3, 5], [2, 4, 6]]> : tensor<2x3xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: -1>, scan_output_axes = array<i64: -1>} : (tensor<2xi64>, tensor<2x3xi64>) -> (tensor<2xi64>, tensor<2x3xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x3xi64>
}

// -----

// Two inputs, the second one backward.
// CHECK-LABEL: @scan_without_states
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}51, 62], [33, 44], [15, 26]{{\]}}> : tensor<3x2xi64>
// CHECK-NEXT: return
func.func @scan_without_states() -> tensor<3x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %y = onnx.Constant dense<[[10, 20], [30, 40], [50, 60]]> : tensor<3x2xi64>
  %r = onnx.Scan(%x, %y) <{since = 11}> {num_scan_inputs = 2 : i64, scan_input_directions = array<i64: 0, 1>} : (tensor<3x2xi64>, tensor<3x2xi64>) -> tensor<3x2xi64> with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n : tensor<2xi64>
  }
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_without_outputs
// CHECK-NEXT: onnx.Constant dense<[9, 12]> : tensor<2xi64>
// CHECK-NEXT: return
func.func @scan_without_outputs() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  %r = onnx.Scan(%z, %x) <{since = 11}> {num_scan_inputs = 1 : i64} : (tensor<2xi64>, tensor<3x2xi64>) -> tensor<2xi64> with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n : tensor<2xi64>
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @scan_scalars
// CHECK-NEXT: onnx.Constant dense<[2, 4, 6]> : tensor<3xi64>
// CHECK-NEXT: return
func.func @scan_scalars() -> tensor<3xi64> {
  %x = onnx.Constant dense<[1, 2, 3]> : tensor<3xi64>
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64} : (tensor<3xi64>) -> tensor<3xi64> with body(%t: tensor<i64>) {
    %n = onnx.Add(%t, %t) <{since = 14}> : (tensor<i64>, tensor<i64>) -> tensor<i64>
    onnx.Yield %n : tensor<i64>
  }
  return %r : tensor<3xi64>
}

// -----

// CHECK-LABEL: @scan_strings
// CHECK-NEXT: onnx.Constant dense<["b", "a"]> : tensor<2x!onnx.string>
// CHECK-NEXT: return
func.func @scan_strings() -> tensor<2x!onnx.string> {
  %x = onnx.Constant dense<["a", "b"]> : tensor<2x!onnx.string>
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_output_directions = array<i64: 1>} : (tensor<2x!onnx.string>) -> tensor<2x!onnx.string> with body(%t: tensor<!onnx.string>) {
    onnx.Yield %t : tensor<!onnx.string>
  }
  return %r : tensor<2x!onnx.string>
}

// -----

// CHECK-LABEL: @scan_of_nothing
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<[7, 8]> : tensor<2xi64>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<> : tensor<2x0xi64>
// CHECK: return %[[L]], %[[R]]
func.func @scan_of_nothing() -> (tensor<2xi64>, tensor<2x?xi64>) {
  %x = onnx.Constant dense<> : tensor<0x2xi64>
  %z = onnx.Constant dense<[7, 8]> : tensor<2xi64>
  %r:2 = onnx.Scan(%z, %x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: -1>} : (tensor<2xi64>, tensor<0x2xi64>) -> (tensor<2xi64>, tensor<2x?xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2xi64>, tensor<2x?xi64>
}

// -----

// CHECK-LABEL: @scan_captures
// CHECK-NEXT: onnx.Constant dense<{{\[\[}}11, 22], [13, 24], [15, 26]{{\]}}> : tensor<3x2xi64>
// CHECK-NEXT: return
func.func @scan_captures() -> tensor<3x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %k = onnx.Constant dense<[10, 20]> : tensor<2xi64>
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64} : (tensor<3x2xi64>) -> tensor<3x2xi64> with body(%t: tensor<2xi64>) {
    %n = onnx.Add(%t, %k) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n : tensor<2xi64>
  }
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_lengths_stays
// CHECK: onnx.Scan(
func.func @scan_lengths_stays() -> tensor<?x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %y = onnx.Constant dense<[[1, 2]]> : tensor<1x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: the scan inputs are not of one length}}
  %r = onnx.Scan(%x, %y) <{since = 11}> {num_scan_inputs = 2 : i64} : (tensor<3x2xi64>, tensor<1x2xi64>) -> tensor<?x2xi64> with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n : tensor<2xi64>
  }
  return %r : tensor<?x2xi64>
}

// -----

// CHECK-LABEL: @scan_count_stays
// CHECK: onnx.Scan(
func.func @scan_count_stays() -> tensor<3x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: attribute 'num_scan_inputs' is 2, there are 1 inputs}}
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 2 : i64} : (tensor<3x2xi64>) -> tensor<3x2xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_least_count_stays
// CHECK: onnx.Scan(
func.func @scan_least_count_stays() -> tensor<3x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: attribute 'num_scan_inputs' is -9223372036854775808, there are 1 inputs}}
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = -9223372036854775808 : i64} : (tensor<3x2xi64>) -> tensor<3x2xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_few_results_stays
// CHECK: onnx.Scan(
func.func @scan_few_results_stays() -> tensor<2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %z = onnx.Constant dense<[0, 0]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: the body yields fewer values than there are states}}
  %r = onnx.Scan(%z, %x) <{since = 11}> {num_scan_inputs = 1 : i64} : (tensor<2xi64>, tensor<3x2xi64>) -> tensor<2xi64> with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    onnx.Yield
  }
  return %r : tensor<2xi64>
}

// -----

// CHECK-LABEL: @scan_absent_stays
// CHECK: onnx.Scan(
func.func @scan_absent_stays() -> tensor<3x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  %none = onnx.Absent
  // expected-remark @+1 {{onnx.Scan not folded: input #0 is missing}}
  %r:2 = onnx.Scan(%none, %x) <{since = 11}> {num_scan_inputs = 1 : i64} : (none, tensor<3x2xi64>) -> (tensor<2xi64>, tensor<3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    onnx.Yield %s, %t : tensor<2xi64>, tensor<2xi64>
  }
  return %r#1 : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_axis_stays
// CHECK: onnx.Scan(
func.func @scan_axis_stays() -> tensor<3x2xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: }}
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 2>} : (tensor<3x2xi64>) -> tensor<3x2xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_output_axis_stays
// CHECK: onnx.Scan(
func.func @scan_output_axis_stays() -> tensor<*xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: }}
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: -4>} : (tensor<3x2xi64>) -> tensor<*xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @scan_output_axis_beyond_stays
// CHECK: onnx.Scan(
func.func @scan_output_axis_beyond_stays() -> tensor<*xi64> {
  %x = onnx.Constant dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: }}
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: 9223372036854775807>} : (tensor<3x2xi64>) -> tensor<*xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @scan_long_stays
// CHECK: onnx.Scan(
func.func @scan_long_stays() -> tensor<10001xi64> {
  %x = onnx.Constant dense<1> : tensor<10001xi64>
  // expected-remark @+1 {{onnx.Scan not folded: takes 10001 iterations, more than 10000}}
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64} : (tensor<10001xi64>) -> tensor<10001xi64> with body(%t: tensor<i64>) {
    onnx.Yield %t : tensor<i64>
  }
  return %r : tensor<10001xi64>
}

// -----

// CHECK-LABEL: @scan_input_stays
// CHECK: onnx.Scan(
func.func @scan_input_stays(%x: tensor<3x2xi64>) -> tensor<3x2xi64> {
  %r = onnx.Scan(%x) <{since = 11}> {num_scan_inputs = 1 : i64} : (tensor<3x2xi64>) -> tensor<3x2xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<3x2xi64>
}

// -----

// CHECK-LABEL: @scan_8_batch
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<{{\[\[}}9, 12], [190, 220]{{\]}}>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[\[}}1, 2], [4, 6], [9, 12{{\]\]}}, {{\[\[}}110, 120], [140, 160], [190, 220]{{\]\]}}>
// CHECK: return %[[L]], %[[R]]
func.func @scan_8_batch() -> (tensor<2x2xi64>, tensor<2x3x2xi64>) {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]]]> : tensor<2x3x2xi64>
  %z = onnx.Constant dense<[[0, 0], [100, 100]]> : tensor<2x2xi64>
  %none = onnx.Absent
  %r:2 = onnx.Scan(%none, %z, %x) <{since = 8}> {num_scan_inputs = 1 : i64} : (none, tensor<2x2xi64>, tensor<2x3x2xi64>) -> (tensor<2x2xi64>, tensor<2x3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2x2xi64>, tensor<2x3x2xi64>
}

// -----

// CHECK-LABEL: @scan_8_backward
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<{{\[\[}}9, 12], [190, 220]{{\]}}>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[\[}}5, 6], [8, 10], [9, 12{{\]\]}}, {{\[\[}}150, 160], [180, 200], [190, 220]{{\]\]}}>
// CHECK: return %[[L]], %[[R]]
func.func @scan_8_backward() -> (tensor<2x2xi64>, tensor<2x3x2xi64>) {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]]]> : tensor<2x3x2xi64>
  %z = onnx.Constant dense<[[0, 0], [100, 100]]> : tensor<2x2xi64>
  %none = onnx.Absent
  %r:2 = onnx.Scan(%none, %z, %x) <{since = 8}> {num_scan_inputs = 1 : i64, directions = array<i64: 1>} : (none, tensor<2x2xi64>, tensor<2x3x2xi64>) -> (tensor<2x2xi64>, tensor<2x3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2x2xi64>, tensor<2x3x2xi64>
}

// -----

// CHECK-LABEL: @scan_8_full_lengths
// CHECK-DAG: %[[L:.*]] = onnx.Constant dense<{{\[\[}}9, 12], [190, 220]{{\]}}>
// CHECK-DAG: %[[R:.*]] = onnx.Constant dense<{{\[\[\[}}1, 2], [4, 6], [9, 12{{\]\]}}, {{\[\[}}110, 120], [140, 160], [190, 220]{{\]\]}}>
// CHECK: return %[[L]], %[[R]]
func.func @scan_8_full_lengths() -> (tensor<2x2xi64>, tensor<2x3x2xi64>) {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]]]> : tensor<2x3x2xi64>
  %z = onnx.Constant dense<[[0, 0], [100, 100]]> : tensor<2x2xi64>
  %l = onnx.Constant dense<[3, 3]> : tensor<2xi64>
  %r:2 = onnx.Scan(%l, %z, %x) <{since = 8}> {num_scan_inputs = 1 : i64} : (tensor<2xi64>, tensor<2x2xi64>, tensor<2x3x2xi64>) -> (tensor<2x2xi64>, tensor<2x3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#0, %r#1 : tensor<2x2xi64>, tensor<2x3x2xi64>
}

// -----

// What stands behind the end of a short one is not said.
// CHECK-LABEL: @scan_8_shorter_stays
// CHECK: onnx.Scan(
func.func @scan_8_shorter_stays() -> tensor<2x3x2xi64> {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]]]> : tensor<2x3x2xi64>
  %z = onnx.Constant dense<[[0, 0], [100, 100]]> : tensor<2x2xi64>
  %l = onnx.Constant dense<[3, 2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: sequences are shorter than 3}}
  %r:2 = onnx.Scan(%l, %z, %x) <{since = 8}> {num_scan_inputs = 1 : i64} : (tensor<2xi64>, tensor<2x2xi64>, tensor<2x3x2xi64>) -> (tensor<2x2xi64>, tensor<2x3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#1 : tensor<2x3x2xi64>
}

// -----

// CHECK-LABEL: @scan_8_batches_stays
// CHECK: onnx.Scan(
func.func @scan_8_batches_stays() -> tensor<2x3x2xi64> {
  %x = onnx.Constant dense<[[[1, 2], [3, 4], [5, 6]], [[10, 20], [30, 40], [50, 60]]]> : tensor<2x3x2xi64>
  %none = onnx.Absent
  %y = onnx.Constant dense<[[0, 0]]> : tensor<1x2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: input #2 has shape [2, 3, 2]}}
  %r:2 = onnx.Scan(%none, %y, %x) <{since = 8}> {num_scan_inputs = 1 : i64} : (none, tensor<1x2xi64>, tensor<2x3x2xi64>) -> (tensor<1x2xi64>, tensor<2x3x2xi64>) with body(%s: tensor<2xi64>, %t: tensor<2xi64>) {
    %n = onnx.Add(%s, %t) <{since = 14}> : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    onnx.Yield %n, %n : tensor<2xi64>, tensor<2xi64>
  }
  return %r#1 : tensor<2x3x2xi64>
}

// -----

// CHECK-LABEL: @scan_8_rank_stays
// CHECK: onnx.Scan(
func.func @scan_8_rank_stays() -> tensor<*xi64> {
  %none = onnx.Absent
  %y = onnx.Constant dense<[1, 2]> : tensor<2xi64>
  // expected-remark @+1 {{onnx.Scan not folded: input #1 has shape [2]}}
  %r = onnx.Scan(%none, %y) <{since = 8}> {num_scan_inputs = 1 : i64} : (none, tensor<2xi64>) -> tensor<*xi64> with body(%t: tensor<i64>) {
    onnx.Yield %t : tensor<i64>
  }
  return %r : tensor<*xi64>
}

// -----

// CHECK-LABEL: @scan_8_of_nothing_stays
// CHECK: onnx.Scan(
func.func @scan_8_of_nothing_stays() -> tensor<*xi64> {
  %x = onnx.Constant dense<> : tensor<0x3x2xi64>
  %none = onnx.Absent
  // expected-remark @+1 {{onnx.Scan not folded: there is nothing to scan}}
  %r = onnx.Scan(%none, %x) <{since = 8}> {num_scan_inputs = 1 : i64} : (none, tensor<0x3x2xi64>) -> tensor<*xi64> with body(%t: tensor<2xi64>) {
    onnx.Yield %t : tensor<2xi64>
  }
  return %r : tensor<*xi64>
}
