// RUN: stablehlo-fold --passes=scrub %s | stablehlo-fold --passes=scrub - | FileCheck %s

// Each form of Forms.def; test_stablehlo.py compares them with the generic text
// that StableHLO has for them, which jax_forms.py recorded.

// CHECK-LABEL: @elementwise
// CHECK: "stablehlo.exponential"(%{{.*}}) <{result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>}> {mhlo.note = "kept"}
// CHECK: "stablehlo.reduce_precision"(%{{.*}}) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}>
func.func @elementwise(%x: tensor<2xf32>, %i: tensor<2xi32>, %c: tensor<2xi1>, %s: tensor<f32>) -> tensor<2xf32> {
  %0 = stablehlo.abs %x : tensor<2xf32>
  %1 = stablehlo.exponential %0 {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>, mhlo.note = "kept"} : tensor<2xf32>
  %2 = stablehlo.convert %1 : (tensor<2xf32>) -> tensor<2xf64>
  %3 = stablehlo.add %0, %1 {mhlo.note = 1 : i32} : tensor<2xf32>
  %4 = stablehlo.clamp %s, %3, %s : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = stablehlo.select %c, %3, %4 : tensor<2xi1>, tensor<2xf32>
  %6 = stablehlo.complex %5, %5 : tensor<2xcomplex<f32>>
  %7 = stablehlo.compare GT, %5, %5, TOTALORDER : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %8 = stablehlo.compare NE, %i, %i : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  %9 = stablehlo.reduce_precision %5, format = e5m10 : tensor<2xf32>
  %10 = stablehlo.is_finite %9 : (tensor<2xf32>) -> tensor<2xi1>
  %11 = stablehlo.select %10, %9, %9 : (tensor<2xi1>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %11 : tensor<2xf32>
}

func.func @movement(%x: tensor<3x4xf32>, %i: tensor<i32>, %s: tensor<f32>, %shape: tensor<3xi32>) -> tensor<i32> {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  %1 = stablehlo.slice %x [1:3, 0:4:2] : (tensor<3x4xf32>) -> tensor<2x2xf32>
  %2 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<3x4xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %3 = stablehlo.broadcast %x, sizes = [2] : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
  %4 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %5 = stablehlo.dynamic_broadcast_in_dim %x, %shape, dims = [1, 2] {known_expanding_dimensions = array<i64: 0>} : (tensor<3x4xf32>, tensor<3xi32>) -> tensor<?x3x4xf32>
  %6 = stablehlo.concatenate %x, %x, %4, dim = 0 : (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<9x4xf32>
  %7 = stablehlo.reverse %x, dims = [0, 1] : tensor<3x4xf32>
  %8 = stablehlo.transpose %x, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
  %9 = stablehlo.pad %x, %s, low = [0, -1], high = [1, 0], interior = [0, 2] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x9xf32>
  %10 = stablehlo.reshape %x : (tensor<3x4xf32>) -> tensor<12xf32>
  %11 = stablehlo.dynamic_update_slice %x, %2, %i, %i : (tensor<3x4xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<3x4xf32>
  %12 = stablehlo.dynamic_iota %shape, dim = 2 : (tensor<3xi32>) -> tensor<?x?x?xi32>
  %13 = stablehlo.set_dimension_size %5, %i, dim = 0 : (tensor<?x3x4xf32>, tensor<i32>) -> tensor<?x3x4xf32>
  %14 = stablehlo.get_dimension_size %13, dim = 0 : (tensor<?x3x4xf32>) -> tensor<i32>
  return %14 : tensor<i32>
}

func.func @products(%x: tensor<2x3x4xf32>, %y: tensor<2x4x3xf32>, %m: tensor<3x3xf32>, %image: tensor<1x8x8x3xf32>, %kernel: tensor<3x3x3x5xf32>, %z: tensor<4xcomplex<f32>>) -> tensor<3x3xf32> {
  %0 = stablehlo.dot %m, %m, precision = [HIGH, DEFAULT] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %1 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x3xf32>) -> tensor<2x3x3xf32>
  %2 = stablehlo.dot_general %m, %m, contracting_dims = [] x [] : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3x3x3xf32>
  %3 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[0, 1], [-1, 2]], lhs_dilate = [1, 2], rhs_dilate = [1, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]} : (tensor<1x8x8x3xf32>, tensor<3x3x3x5xf32>) -> tensor<1x4x14x5xf32>
  %4 = stablehlo.cholesky %m : tensor<3x3xf32>
  %5 = stablehlo.cholesky %4, lower = true : tensor<3x3xf32>
  %6 = stablehlo.fft %z, type = IFFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  %7 = stablehlo.einsum %m, %m, config = "ab,bc->ac" : (tensor<3x3xf32>, tensor<3x3xf32>) -> tensor<3x3xf32>
  %8 = stablehlo.unary_einsum %7, config = "ab->a" : (tensor<3x3xf32>) -> tensor<3xf32>
  return %5 : tensor<3x3xf32>
}

func.func @bodies(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>) -> (tensor<2xf32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant {mhlo.note = 1 : i32} dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.maximum across dimensions = [0, 1] {mhlo.note = 2 : i32} : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %1:2 = stablehlo.reduce(%x init: %zero), (%i init: %one) across dimensions = [1] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<2xf32>, tensor<2xi32>)
   reducer(%a: tensor<f32>, %c: tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>)  {
    %less = stablehlo.compare LT, %a, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %first = stablehlo.select %less, %a, %c : tensor<i1>, tensor<f32>
    %second = stablehlo.select %less, %b, %d : tensor<i1>, tensor<i32>
    stablehlo.return %first, %second : tensor<f32>, tensor<i32>
  }
  %2:3 = stablehlo.while(%count = %one, %p = %1#0, %q = %1#1) : tensor<i32>, tensor<2xf32>, tensor<2xi32> attributes {mhlo.note = 3 : i32}
  cond {
    %more = stablehlo.compare LT, %count, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %next = stablehlo.add %count, %one : tensor<i32>
    stablehlo.return %next, %p, %q : tensor<i32>, tensor<2xf32>, tensor<2xi32>
  }
  return %2#1, %2#2 : tensor<2xf32>, tensor<2xi32>
}

func.func @calls(%x: tensor<2xf32>, %state: tensor<2xui64>, %s: tensor<f32>, %shape: tensor<1xi64>) -> tensor<2xf32> {
  %0 = stablehlo.custom_call @"name of its own"(%x, %x) {api_version = 4 : i32, backend_config = {a = 1 : i32}, mhlo.note = 1 : i32} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = stablehlo.composite "my.twice" %0 {composite_attributes = {n = 2 : i32}, decomposition = @twice, version = 1 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  %token = stablehlo.create_token : !stablehlo.token
  %2 = stablehlo.after_all %token, %token : !stablehlo.token
  stablehlo.optimization_barrier()
  %3:2 = stablehlo.optimization_barrier %1, %0 : tensor<2xf32>, tensor<2xf32>
  %4 = stablehlo.tuple %3#0, %s : tuple<tensor<2xf32>, tensor<f32>>
  %5 = stablehlo.get_tuple_element %4[0] : (tuple<tensor<2xf32>, tensor<f32>>) -> tensor<2xf32>
  %new, %bits = stablehlo.rng_bit_generator %state, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<2xui32>)
  %6 = stablehlo.rng %s, %s, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<2xf32>
  %7 = stablehlo.replica_id : tensor<ui32>
  %8 = stablehlo.partition_id : tensor<ui32>
  return %5 : tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.add %x, %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @chlo(%x: tensor<2x3xf32>, %y: tensor<3xf32>, %c: tensor<i1>) -> (tensor<2x1xf32>, tensor<2x1xi32>) {
  %0 = chlo.erf %x : tensor<2x3xf32> -> tensor<2x3xf32>
  %1 = chlo.next_after %0, %0 : tensor<2x3xf32>, tensor<2x3xf32> -> tensor<2x3xf32>
  %2 = chlo.broadcast_add %1, %y {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %3 = chlo.broadcast_compare %2, %y {compare_type = #chlo<comparison_type FLOAT>, comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %4 = chlo.broadcast_select %3, %2, %y : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %values, %indices = chlo.top_k(%4, k = 1) : tensor<2x3xf32> -> (tensor<2x1xf32>, tensor<2x1xi32>)
  return %values, %indices : tensor<2x1xf32>, tensor<2x1xi32>
}
