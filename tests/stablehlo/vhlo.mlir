// RUN: stablehlo-fold --passes=scrub %s | FileCheck %s

// Operations of vhlo as text: attributes that StableHLO has as one are joined,
// tensors become lists, and what says nothing is left out.

// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.reverse"(%arg0) <{dimensions = array<i64: 0>}>
// CHECK: "stablehlo.dot_general"(%{{.*}}, %arg0) <{algorithm = #stablehlo.dot_algorithm<lhs_precision_type = f32, lhs_component_count = 0, allow_imprecise_accumulation = false>, dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
// CHECK: "stablehlo.convolution"{{.*}}dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, 0, f]>{{.*}}window_reversal = array<i1: true>
// CHECK: "stablehlo.all_gather"{{.*}}channel_handle = #stablehlo.channel_handle<handle = 3, type = 0>
// CHECK: return
"vhlo.func_v1"() <{arg_attrs = [], function_type = (tensor<2x2xf32>, tensor<1x1x2xf32>) -> tensor<2x2xf32>, res_attrs = [], sym_name = "main", sym_visibility = ""}> ({
^bb0(%x: tensor<2x2xf32>, %y: tensor<1x1x2xf32>):
  %0 = "vhlo.reverse_v1"(%x) <{dimensions = dense<0> : tensor<1xi64>}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %1 = "vhlo.dot_general_v2"(%0, %x) <{lhs_batching_dimensions = dense<> : tensor<0xi64>, lhs_contracting_dimensions = dense<1> : tensor<1xi64>, rhs_contracting_dimensions = dense<0> : tensor<1xi64>, lhs_precision_type = f32, rhs_precision_type = none, lhs_component_count = 0 : i64, allow_imprecise_accumulation = false}> : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %2 = "vhlo.convolution_v1"(%y, %y) <{input_batch_dimension = 0 : i64, input_feature_dimension = 1 : i64, input_spatial_dimensions = dense<2> : tensor<1xi64>, kernel_input_feature_dimension = 1 : i64, kernel_output_feature_dimension = 0 : i64, kernel_spatial_dimensions = dense<2> : tensor<1xi64>, output_batch_dimension = 0 : i64, output_feature_dimension = 2 : i64, output_spatial_dimensions = dense<1> : tensor<1xi64>, window_reversal = dense<true> : tensor<1xi1>}> : (tensor<1x1x2xf32>, tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  %3 = "vhlo.all_gather_v1"(%1) <{channel_id = 3 : i64}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
  "vhlo.return_v1"(%3) : (tensor<2x2xf32>) -> ()
}) : () -> ()
