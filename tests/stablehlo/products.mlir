// RUN: stablehlo-fold --passes=constprop,scrub %s | FileCheck %s

// Sums of products of types and sizes that had no kernels.

// A sum of bools is true if a term is.
// CHECK-LABEL: @dot_of_bools
// CHECK-NEXT: stablehlo.constant dense<{{\[\[}}false, true], [true, true]]>
func.func @dot_of_bools() -> tensor<2x2xi1> {
  %x = stablehlo.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  %y = stablehlo.constant dense<[[false, true], [true, true]]> : tensor<2x2xi1>
  %r = stablehlo.dot %x, %y : (tensor<2x2xi1>, tensor<2x2xi1>) -> tensor<2x2xi1>
  return %r : tensor<2x2xi1>
}

// (1 + i) i + 2 (3 - i), 2 i + 4 (3 - i)
// CHECK-LABEL: @convolution_of_complex_numbers
// CHECK-NEXT: stablehlo.constant dense<{{\[\[\[}}(5.000000e+00,-1.000000e+00), (1.200000e+01,-2.000000e+00)]]]>
func.func @convolution_of_complex_numbers() -> tensor<1x1x2xcomplex<f32>> {
  %x = stablehlo.constant dense<[[[(1.0, 1.0), (2.0, 0.0), (4.0, 0.0)]]]> : tensor<1x1x3xcomplex<f32>>
  %w = stablehlo.constant dense<[[[(0.0, 1.0), (3.0, -1.0)]]]> : tensor<1x1x2xcomplex<f32>>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x3xcomplex<f32>>, tensor<1x1x2xcomplex<f32>>) -> tensor<1x1x2xcomplex<f32>>
  return %r : tensor<1x1x2xcomplex<f32>>
}

// The padding is an operand: 1 before and 2 behind.
// CHECK-LABEL: @dynamic_conv
// CHECK-NEXT: stablehlo.constant dense<{{\[\[\[}}10, 21, 2, 0]]]>
func.func @dynamic_conv() -> tensor<1x1x4xi32> {
  %x = stablehlo.constant dense<[[[1, 2]]]> : tensor<1x1x2xi32>
  %w = stablehlo.constant dense<[[[1, 10]]]> : tensor<1x1x2xi32>
  %pads = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %r = "stablehlo.dynamic_conv"(%x, %w, %pads) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>,
    feature_group_count = 1 : i64}> : (tensor<1x1x2xi32>, tensor<1x1x2xi32>, tensor<1x2xi64>) -> tensor<1x1x4xi32>
  return %r : tensor<1x1x4xi32>
}

// CHECK-LABEL: @convolution_of_nothing
// CHECK-NEXT: stablehlo.constant dense<0.000000e+00> : tensor<1x3x4xf32>
func.func @convolution_of_nothing() -> tensor<1x3x4xf32> {
  %x = stablehlo.constant dense<> : tensor<1x0x5xf32>
  %w = stablehlo.constant dense<> : tensor<3x0x2xf32>
  %r = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x0x5xf32>, tensor<3x0x2xf32>) -> tensor<1x3x4xf32>
  return %r : tensor<1x3x4xf32>
}

// As JAX writes jnp.fft.fft2.
// CHECK-LABEL: @fft_of_nothing
// CHECK-NEXT: stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
func.func @fft_of_nothing() -> tensor<2x0xcomplex<f32>> {
  %x = stablehlo.constant dense<> : tensor<2x0xcomplex<f32>>
  %r = stablehlo.fft %x, type = FFT, length = [2, 0] : (tensor<2x0xcomplex<f32>>) -> tensor<2x0xcomplex<f32>>
  return %r : tensor<2x0xcomplex<f32>>
}

// CHECK-LABEL: @half_a_spectrum_of_no_signals
// CHECK-NEXT: stablehlo.constant dense<> : tensor<0x3xcomplex<f32>>
func.func @half_a_spectrum_of_no_signals() -> tensor<0x3xcomplex<f32>> {
  %x = stablehlo.constant dense<> : tensor<0x4xf32>
  %r = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<0x4xf32>) -> tensor<0x3xcomplex<f32>>
  return %r : tensor<0x3xcomplex<f32>>
}

// The image that the padding cuts away has no place for a window.
// CHECK-LABEL: @convolution_without_a_window
// CHECK-NEXT: stablehlo.constant dense<> : tensor<1x0x3xf32>
func.func @convolution_without_a_window() -> tensor<1x0x3xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<1x1x5xf32>
  %w = stablehlo.constant dense<1.0> : tensor<3x1x2xf32>
  %r = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, 0, f]>, padding = dense<-3> : tensor<1x2xi64>}> : (tensor<1x1x5xf32>, tensor<3x1x2xf32>) -> tensor<1x0x3xf32>
  return %r : tensor<1x0x3xf32>
}

// The factors of a matrix share one array: its diagonal is that of the other one.
// CHECK-LABEL: @triangular_solve_does_not_read_a_diagonal_of_ones
// CHECK-NEXT: stablehlo.constant dense<{{\[\[}}1.000000e+00], [0.000000e+00]]>
func.func @triangular_solve_does_not_read_a_diagonal_of_ones() -> tensor<2x1xf32> {
  %a = stablehlo.constant dense<[[3.0, 5.0], [2.0, 4.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// CHECK-LABEL: @windows_of_nothing
// CHECK-NEXT: stablehlo.constant dense<> : tensor<2x0xi32>
func.func @windows_of_nothing() -> tensor<2x0xi32> {
  %x = stablehlo.constant dense<1> : tensor<2x3xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 4>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2x3xi32>, tensor<i32>) -> tensor<2x0xi32>
  return %r : tensor<2x0xi32>
}

// As @dynamic_conv, with named dimensions (IREE's tests have this form).
// CHECK-LABEL: @convolution_of_named_dimensions
// CHECK-NEXT: stablehlo.constant dense<{{\[\[\[}}10], [21], [2]]]>
func.func @convolution_of_named_dimensions() -> tensor<1x3x1xi32> {
  %x = stablehlo.constant dense<[[[1], [2]]]> : tensor<1x2x1xi32>
  %w = stablehlo.constant dense<[[[1, 10]]]> : tensor<1x1x2xi32>
  %r = "stablehlo.convolution"(%x, %w) {
    batch_group_count = 1 : i64,
    dimension_numbers = #stablehlo.conv<raw
      input_batch_dimension = 0,
      input_feature_dimension = 2,
      input_spatial_dimensions = [1],
      kernel_input_feature_dimension = 1,
      kernel_output_feature_dimension = 0,
      kernel_spatial_dimensions = [2],
      output_batch_dimension = 0,
      output_feature_dimension = 2,
      output_spatial_dimensions = [1]
    >,
    feature_group_count = 1 : i64, padding = dense<1> : tensor<1x2xi64>} : (tensor<1x2x1xi32>, tensor<1x1x2xi32>) -> tensor<1x3x1xi32>
  return %r : tensor<1x3x1xi32>
}

// StableHLO's parser takes a dimension that is left out for 0.
// CHECK-LABEL: @convolution_of_dimensions_left_out
// CHECK-NEXT: stablehlo.constant dense<5> : tensor<1x1x1xi32>
func.func @convolution_of_dimensions_left_out() -> tensor<1x1x1xi32> {
  %x = stablehlo.constant dense<[[[1, 2]]]> : tensor<1x1x2xi32>
  %r = "stablehlo.convolution"(%x, %x) <{dimension_numbers = #stablehlo.conv<raw input_feature_dimension = 1, input_spatial_dimensions = [2],
    kernel_input_feature_dimension = 1, kernel_spatial_dimensions = [2], output_feature_dimension = 1, output_spatial_dimensions = [2]>}>
    : (tensor<1x1x2xi32>, tensor<1x1x2xi32>) -> tensor<1x1x1xi32>
  return %r : tensor<1x1x1xi32>
}

// JAX's precision="F32_F32_F32" says what is computed anyway.
// CHECK-LABEL: @dot_of_a_plain_algorithm
// CHECK-NEXT: stablehlo.constant dense<1.100000e+01>
func.func @dot_of_a_plain_algorithm() -> tensor<f32> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = f32,
    rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1,
    allow_imprecise_accumulation = false> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}
