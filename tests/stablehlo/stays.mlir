// RUN: stablehlo-fold --passes=constprop,scrub %s | FileCheck %s
// RUN: fold-opt --allow-unregistered-dialect -constprop --remarks-filter-missed=constprop %s 2>&1 >%t.out | FileCheck %s --check-prefix=WHY

// What StableHLO leaves to implementations is kept, each with its reason.

// WHY: element [1] divides by 0, or overflows
// CHECK-LABEL: @divide_i32_by_zero_stays
// CHECK: "stablehlo.divide"
func.func @divide_i32_by_zero_stays() -> tensor<2xi32> {
  %x = stablehlo.constant dense<[6, 7]> : tensor<2xi32>
  %y = stablehlo.constant dense<[3, 0]> : tensor<2xi32>
  %r = "stablehlo.divide"(%x, %y) : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  return %r : tensor<2xi32>
}

// WHY: element [0] is not a number of i8
// CHECK-LABEL: @convert_out_of_range_stays
// CHECK: "stablehlo.convert"
func.func @convert_out_of_range_stays() -> tensor<1xi8> {
  %x = stablehlo.constant dense<[300.0]> : tensor<1xf32>
  %r = "stablehlo.convert"(%x) : (tensor<1xf32>) -> tensor<1xi8>
  return %r : tensor<1xi8>
}

// WHY: exponent [0] is not in [0, 63]
// CHECK-LABEL: @power_of_a_negative_exponent_stays
// CHECK: "stablehlo.power"
func.func @power_of_a_negative_exponent_stays() -> tensor<1xi32> {
  %x = stablehlo.constant dense<[2]> : tensor<1xi32>
  %y = stablehlo.constant dense<[-1]> : tensor<1xi32>
  %r = "stablehlo.power"(%x, %y) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// XLA takes six bits of an exponent: 0 to the power of 64 is 1.
// WHY: exponent [0] is not in [0, 63]
// CHECK-LABEL: @power_of_a_large_exponent_stays
// CHECK: "stablehlo.power"
func.func @power_of_a_large_exponent_stays() -> tensor<1xi32> {
  %x = stablehlo.constant dense<[0]> : tensor<1xi32>
  %y = stablehlo.constant dense<[64]> : tensor<1xi32>
  %r = "stablehlo.power"(%x, %y) : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi32>
  return %r : tensor<1xi32>
}

// WHY: a NaN is not a number of f4E2M1
// CHECK-LABEL: @convert_of_nan_to_f4_stays
// CHECK: "stablehlo.convert"
func.func @convert_of_nan_to_f4_stays() -> tensor<1xf4E2M1FN> {
  %x = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  %r = "stablehlo.convert"(%x) : (tensor<1xf32>) -> tensor<1xf4E2M1FN>
  return %r : tensor<1xf4E2M1FN>
}

// The six bits of both types have no NaN either; it became -0.
// WHY: a NaN is not a number of f6E2M3
// WHY: a NaN is not a number of f6E3M2
// CHECK-LABEL: @convert_of_nan_to_f6_stays
// CHECK: "stablehlo.convert"
// CHECK: "stablehlo.convert"
func.func @convert_of_nan_to_f6_stays() -> (tensor<1xf6E2M3FN>, tensor<1xf6E3M2FN>) {
  %x = stablehlo.constant dense<[0x7FC00000]> : tensor<1xf32>
  %r = "stablehlo.convert"(%x) : (tensor<1xf32>) -> tensor<1xf6E2M3FN>
  %s = "stablehlo.convert"(%x) : (tensor<1xf32>) -> tensor<1xf6E3M2FN>
  return %r, %s : tensor<1xf6E2M3FN>, tensor<1xf6E3M2FN>
}

// WHY: keeps what is before it from what is after it
// CHECK-LABEL: @optimization_barrier_stays
// CHECK: "stablehlo.optimization_barrier"
func.func @optimization_barrier_stays() -> tensor<i32> {
  %x = stablehlo.constant dense<2> : tensor<i32>
  %r = "stablehlo.optimization_barrier"(%x) : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// WHY: each implementation has numbers of its own
// CHECK-LABEL: @rng_bit_generator_stays
// CHECK: "stablehlo.rng_bit_generator"
func.func @rng_bit_generator_stays() -> tensor<2xui32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xui64>
  %r:2 = "stablehlo.rng_bit_generator"(%x) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  return %r#1 : tensor<2xui32>
}

// WHY: the order of equal elements is left open
// CHECK-LABEL: @unstable_sort_of_equal_keys_stays
// CHECK: "stablehlo.sort"
func.func @unstable_sort_of_equal_keys_stays() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[2, 1, 2]> : tensor<3xi32>
  %y = stablehlo.constant dense<[0, 1, 2]> : tensor<3xi32>
  %r:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64, is_stable = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
    %l = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    "stablehlo.return"(%l) : (tensor<i1>) -> ()
  }) : (tensor<3xi32>, tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>)
  return %r#1 : tensor<3xi32>
}

// WHY: a slice of the updates is partly outside
// CHECK-LABEL: @scatter_partly_outside_stays
// CHECK: "stablehlo.scatter"
func.func @scatter_partly_outside_stays() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %i = stablehlo.constant dense<[2]> : tensor<1xi32>
  %u = stablehlo.constant dense<[7, 8]> : tensor<2xi32>
  %r = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], scatter_dims_to_operand_dims = [0]>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b) : (tensor<i32>) -> ()
  }) : (tensor<3xi32>, tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// WHY: its windows are padded, and the first value is not neutral
// CHECK-LABEL: @padded_window_without_neutral_value_stays
// CHECK: "stablehlo.reduce_window"
func.func @padded_window_without_neutral_value_stays() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<5> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%s) : (tensor<i32>) -> ()
  }) : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// WHY: type !stablehlo.token is not supported
// CHECK-LABEL: @token_stays
// CHECK: "stablehlo.create_token"() : () -> !stablehlo.token
func.func @token_stays() -> !stablehlo.token {
  %r = "stablehlo.create_token"() : () -> !stablehlo.token
  return %r : !stablehlo.token
}

// WHY: shapes [2, 3] and [2, 3] do not fit
// CHECK-LABEL: @wrong_shapes_stay
// CHECK: "stablehlo.dot_general"
func.func @wrong_shapes_stay() -> tensor<2x3xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2x3xf32>
  %r = "stablehlo.dot_general"(%x, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// An operation of a later version, with all that it says.
// CHECK-LABEL: @unknown_operation_stays
// CHECK: "stablehlo.of_next_year"(%{{.*}}) {how = #stablehlo.way<fast = true>} : (tensor<i32>) -> tensor<i32>
func.func @unknown_operation_stays() -> tensor<i32> {
  %x = stablehlo.constant dense<2> : tensor<i32>
  %r = "stablehlo.of_next_year"(%x) {how = #stablehlo.way<fast = true>} : (tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}

// Floats of 4 and 6 bits are moved and compared, and nothing else.
// WHY: stablehlo.clamp not folded: no kernel for these element types
// CHECK-LABEL: @clamp_of_f4_stays
// CHECK: "stablehlo.clamp"
func.func @clamp_of_f4_stays() -> tensor<2xf4E2M1FN> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf4E2M1FN>
  %r = "stablehlo.clamp"(%x, %x, %x) : (tensor<2xf4E2M1FN>, tensor<2xf4E2M1FN>, tensor<2xf4E2M1FN>) -> tensor<2xf4E2M1FN>
  return %r : tensor<2xf4E2M1FN>
}

// WHY: it has 0 operands, expected 1
// CHECK-LABEL: @without_operands_stays
// CHECK: "stablehlo.reshape"
// CHECK: "stablehlo.concatenate"
// CHECK: "chlo.top_k"
func.func @without_operands_stays() -> (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xi32>) {
  %r = "stablehlo.reshape"() : () -> tensor<2xf32>
  %s = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<2xf32>
  %t:2 = "chlo.top_k"() <{k = 1 : i64}> : () -> (tensor<1xf32>, tensor<1xi32>)
  return %r, %s, %t#0, %t#1 : tensor<2xf32>, tensor<2xf32>, tensor<1xf32>, tensor<1xi32>
}

// WHY: it has not two results
// CHECK-LABEL: @top_k_of_one_result_stays
// CHECK: "chlo.top_k"
func.func @top_k_of_one_result_stays() -> tensor<1xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = "chlo.top_k"(%x) <{k = 1 : i64}> : (tensor<2xf32>) -> tensor<1xf32>
  return %r : tensor<1xf32>
}

// WHY: its body has 5 results
// CHECK-LABEL: @window_of_too_many_results_stays
// CHECK: "stablehlo.reduce_window"
func.func @window_of_too_many_results_stays() -> tensor<3xi32> {
  %x = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %i = stablehlo.constant dense<0> : tensor<i32>
  %r = "stablehlo.reduce_window"(%x, %i) <{padding = dense<1> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    "stablehlo.return"(%b, %b, %b, %b, %b) : (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
  }) : (tensor<2xi32>, tensor<i32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}

// Sizes whose sum or product is no 64-bit integer.
// WHY: result #0 is f32[1, 1, 0], expected f32[1, 1, 3]
// CHECK-LABEL: @dilation_of_the_largest_integer_stays
// CHECK: "stablehlo.convolution"
func.func @dilation_of_the_largest_integer_stays() -> tensor<1x1x3xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<1x1x3xf32>
  %r = "stablehlo.convolution"(%x, %x) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 4611686018427387904>}> : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %r : tensor<1x1x3xf32>
}

// WHY: its windows do not fit the shapes
// CHECK-LABEL: @padding_of_the_largest_integer_stays
// CHECK: "stablehlo.select_and_scatter"
func.func @padding_of_the_largest_integer_stays() -> tensor<3xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %s = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %i = stablehlo.constant dense<0.0> : tensor<f32>
  %r = "stablehlo.select_and_scatter"(%x, %s, %i) <{padding = dense<9223372036854775807> : tensor<1x2xi64>, window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    "stablehlo.return"(%g) : (tensor<i1>) -> ()
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %g = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%g) : (tensor<f32>) -> ()
  }) : (tensor<3xf32>, tensor<1xf32>, tensor<f32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// WHY: a matrix is not Hermitian and positive definite
// CHECK-LABEL: @cholesky_of_an_indefinite_matrix_stays
// CHECK: "stablehlo.cholesky"
func.func @cholesky_of_an_indefinite_matrix_stays() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<[[1.0, 2.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %r = stablehlo.cholesky %x, lower = true : tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// WHY: a matrix is singular
// CHECK-LABEL: @triangular_solve_without_solution_stays
// CHECK: "stablehlo.triangular_solve"
func.func @triangular_solve_without_solution_stays() -> tensor<2x1xf32> {
  %a = stablehlo.constant dense<[[0.0, 0.0], [2.0, 1.0]]> : tensor<2x2xf32>
  %b = stablehlo.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %r = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x1xf32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// WHY: 'broadcast_dimensions' is [0], expected the last ones of 2
// CHECK-LABEL: @broadcast_of_other_dimensions_stays
// CHECK: "chlo.broadcast_add"
func.func @broadcast_of_other_dimensions_stays() -> tensor<2x2xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %y = stablehlo.constant dense<1.0> : tensor<2xf32>
  %r = chlo.broadcast_add %x, %y {broadcast_dimensions = array<i64: 0>} : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// XLA has no code for it on the CPU, which could be the measure.
// WHY: no kernel for chlo.ragged_dot
// CHECK-LABEL: @ragged_dot_stays
// CHECK: "chlo.ragged_dot"
func.func @ragged_dot_stays() -> tensor<2x1xf32> {
  %x = stablehlo.constant dense<1.5> : tensor<2x3xf32>
  %y = stablehlo.constant dense<1.5> : tensor<1x3x1xf32>
  %g = stablehlo.constant dense<2> : tensor<1xi32>
  %r = "chlo.ragged_dot"(%x, %y, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<2x3xf32>, tensor<1x3x1xf32>, tensor<1xi32>) -> tensor<2x1xf32>
  return %r : tensor<2x1xf32>
}

// The integers of a quantised tensor are not its values.
// WHY: type tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>> is not supported
// CHECK-LABEL: @quantised_stays
// CHECK: stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.000000e+00:15>>
// CHECK-NEXT: "stablehlo.add"
func.func @quantised_stays() -> tensor<2x!quant.uniform<i8:f32, 2.0:15>> {
  %x = stablehlo.constant() <{value = dense<[1, 2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  %r = stablehlo.add %x, %x : tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  return %r : tensor<2x!quant.uniform<i8:f32, 2.0:15>>
}

func.func private @twice(%x: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.add %x, %x : tensor<f32>
  return %r : tensor<f32>
}

// The addition would ask for a value that nobody gave.
// CHECK-LABEL: @composite_without_its_argument_stays
// CHECK: "stablehlo.composite"
func.func @composite_without_its_argument_stays() -> tensor<f32> {
  %r = "stablehlo.composite"() <{decomposition = @twice, name = "my.twice"}> : () -> tensor<f32>
  return %r : tensor<f32>
}

// A splat of a list that no memory holds.
// WHY: attribute 'dimensions' has one value 1000000000000 times, more than 16777216
// CHECK-LABEL: @list_of_a_huge_splat_stays
// CHECK: "stablehlo.reverse"
func.func @list_of_a_huge_splat_stays() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = "stablehlo.reverse"(%x) <{dimensions = dense<0> : tensor<1000000000000xi64>}> : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// XLA and C have different values of complex numbers that are not finite.
// WHY: element [0] is a complex number that is not finite
// CHECK-LABEL: @exponential_of_infinity_stays
// CHECK: "stablehlo.exponential"
func.func @exponential_of_infinity_stays() -> tensor<1xcomplex<f32>> {
  %x = stablehlo.constant dense<[(0x7F800000, 0x7F800000)]> : tensor<1xcomplex<f32>>
  %r = "stablehlo.exponential"(%x) : (tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r : tensor<1xcomplex<f32>>
}

// The root of -4 - 0i is -2i, and 2i in XLA.
// WHY: element [1] is on a branch cut, of which a -0 chooses the side
// WHY: element [0] is on a branch cut, of which a -0 chooses the side
// CHECK-LABEL: @functions_on_a_cut_stay
// CHECK: "stablehlo.sqrt"
// CHECK: "chlo.asinh"
func.func @functions_on_a_cut_stay() -> (tensor<2xcomplex<f64>>, tensor<1xcomplex<f64>>) {
  %x = stablehlo.constant dense<[(4.0, -0.0), (-4.0, -0.0)]> : tensor<2xcomplex<f64>>
  %y = stablehlo.constant dense<[(-0.0, 2.0)]> : tensor<1xcomplex<f64>>
  %r = "stablehlo.sqrt"(%x) : (tensor<2xcomplex<f64>>) -> tensor<2xcomplex<f64>>
  %s = "chlo.asinh"(%y) : (tensor<1xcomplex<f64>>) -> tensor<1xcomplex<f64>>
  return %r, %s : tensor<2xcomplex<f64>>, tensor<1xcomplex<f64>>
}

// WHY: element [] is at a pole, or 106 bits do not give its value
// WHY: element [0] is at a pole, or 106 bits do not give its value
// CHECK-LABEL: @poles_stay
// CHECK: "stablehlo.rsqrt"
// CHECK: "stablehlo.power"
func.func @poles_stay() -> (tensor<complex<f32>>, tensor<1xcomplex<f32>>) {
  %x = stablehlo.constant dense<(0.0, 0.0)> : tensor<complex<f32>>
  %y = stablehlo.constant dense<[(0.0, 0.0)]> : tensor<1xcomplex<f32>>
  %z = stablehlo.constant dense<[(-1.0, 0.0)]> : tensor<1xcomplex<f32>>
  %r = "stablehlo.rsqrt"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %s = "stablehlo.power"(%y, %z) : (tensor<1xcomplex<f32>>, tensor<1xcomplex<f32>>) -> tensor<1xcomplex<f32>>
  return %r, %s : tensor<complex<f32>>, tensor<1xcomplex<f32>>
}

// XLA has 2^-127 or NaN, as the number comes from f32 or f64.
// WHY: element [0] is next to the smallest number of f8E8M0
// CHECK-LABEL: @convert_below_f8E8M0_stays
// CHECK: "stablehlo.convert"
func.func @convert_below_f8E8M0_stays() -> tensor<1xf8E8M0FNU> {
  %x = stablehlo.constant dense<[1.0e-40]> : tensor<1xf64>
  %r = "stablehlo.convert"(%x) : (tensor<1xf64>) -> tensor<1xf8E8M0FNU>
  return %r : tensor<1xf8E8M0FNU>
}

// WHY: type tensor<1xf8E3M4> is not supported
// CHECK-LABEL: @f8E3M4_stays
// CHECK: "stablehlo.convert"
func.func @f8E3M4_stays() -> tensor<1xf8E3M4> {
  %x = stablehlo.constant dense<[1.0]> : tensor<1xf32>
  %r = "stablehlo.convert"(%x) : (tensor<1xf32>) -> tensor<1xf8E3M4>
  return %r : tensor<1xf8E3M4>
}

// XLA rounds each sum: 16 + 1 + 1 is 16, or 18.
// WHY: sums of f8E4M3FN depend on their order, which is left open
// CHECK-LABEL: @sum_of_f8_stays
// CHECK: "stablehlo.reduce"
func.func @sum_of_f8_stays() -> tensor<f8E4M3FN> {
  %x = stablehlo.constant dense<[16.0, 1.0, 1.0]> : tensor<3xf8E4M3FN>
  %zero = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
  %r = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %sum = "stablehlo.add"(%a, %b) : (tensor<f8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
    "stablehlo.return"(%sum) : (tensor<f8E4M3FN>) -> ()
  }) : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  return %r : tensor<f8E4M3FN>
}

// So it is where the body adds in f32: this one folded to 16.
// WHY: sums of f8E4M3FN depend on their order, which is left open
// CHECK-LABEL: @sum_of_f8_in_f32_stays
// CHECK: "stablehlo.reduce"
func.func @sum_of_f8_in_f32_stays() -> tensor<f8E4M3FN> {
  %x = stablehlo.constant dense<[16.0, 1.0, 1.0]> : tensor<3xf8E4M3FN>
  %zero = stablehlo.constant dense<0.0> : tensor<f8E4M3FN>
  %r = "stablehlo.reduce"(%x, %zero) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f8E4M3FN>, %b: tensor<f8E4M3FN>):
    %c = "stablehlo.convert"(%a) : (tensor<f8E4M3FN>) -> tensor<f32>
    %d = "stablehlo.convert"(%b) : (tensor<f8E4M3FN>) -> tensor<f32>
    %sum = "stablehlo.add"(%c, %d) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %e = "stablehlo.convert"(%sum) : (tensor<f32>) -> tensor<f8E4M3FN>
    "stablehlo.return"(%e) : (tensor<f8E4M3FN>) -> ()
  }) : (tensor<3xf8E4M3FN>, tensor<f8E4M3FN>) -> tensor<f8E4M3FN>
  return %r : tensor<f8E4M3FN>
}

// WHY: a complex number is NaN, which has no order
// CHECK-LABEL: @maximum_of_complex_nan_stays
// CHECK: "stablehlo.maximum"
func.func @maximum_of_complex_nan_stays() -> tensor<2xcomplex<f32>> {
  %x = stablehlo.constant dense<[(0x7FC00000, 9.0), (1.0, 4.0)]> : tensor<2xcomplex<f32>>
  %y = stablehlo.constant dense<1.0> : tensor<2xf32>
  %z = stablehlo.complex %y, %y : tensor<2xcomplex<f32>>
  %r = stablehlo.maximum %x, %z : tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// XLA for the CPU does not round the operands to bf16.
// WHY: its algorithm is given by an attribute
// CHECK-LABEL: @dot_of_an_algorithm_that_rounds_stays
// CHECK: "stablehlo.dot_general"
func.func @dot_of_an_algorithm_that_rounds_stays() -> tensor<f32> {
  %x = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %y = stablehlo.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %r = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2xf32>, tensor<2xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// Operands of no elements do not excuse a type that does not fit.
// WHY: result #0 is f32[1, 3, 4], expected f32[7, 7]
// WHY: the shapes do not fit: [1, 0, 5] and [3, 1, 2]
// CHECK-LABEL: @convolution_of_nothing_stays
// CHECK-COUNT-2: "stablehlo.convolution"
func.func @convolution_of_nothing_stays() -> (tensor<7x7xf32>, tensor<1x3x4xf32>) {
  %x = stablehlo.constant dense<> : tensor<1x0x5xf32>
  %none = stablehlo.constant dense<> : tensor<3x0x2xf32>
  %w = stablehlo.constant dense<1.0> : tensor<3x1x2xf32>
  %r = "stablehlo.convolution"(%x, %none) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>}> : (tensor<1x0x5xf32>, tensor<3x0x2xf32>) -> tensor<7x7xf32>
  %s = "stablehlo.convolution"(%x, %w) <{dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>}> : (tensor<1x0x5xf32>, tensor<3x1x2xf32>) -> tensor<1x3x4xf32>
  return %r, %s : tensor<7x7xf32>, tensor<1x3x4xf32>
}

// WHY: result #0 is c64[3], expected i32[0]
// CHECK-LABEL: @fft_to_nothing_stays
// CHECK: stablehlo.fft
func.func @fft_to_nothing_stays() -> tensor<0xi32> {
  %x = stablehlo.constant dense<(1.0, 2.0)> : tensor<3xcomplex<f32>>
  %r = stablehlo.fft %x, type = FFT, length = [3] : (tensor<3xcomplex<f32>>) -> tensor<0xi32>
  return %r : tensor<0xi32>
}
