// RUN: stablehlo-fold --passes=constprop,scrub %s | FileCheck %s

// Functions of complex numbers (ComplexFunctionsTest.cpp has their values). Each kernel runs once.

// CHECK-LABEL: @of_stablehlo
// CHECK-COUNT-13: stablehlo.constant dense
// CHECK-NOT: "stablehlo.
// CHECK: return
func.func @of_stablehlo() -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>,
    tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>,
    tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %x = stablehlo.constant dense<[(3.0, -4.0), (0.5, 0.25)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.exponential %x : tensor<2xcomplex<f32>>
  %1 = stablehlo.exponential_minus_one %x : tensor<2xcomplex<f32>>
  %2 = stablehlo.log %x : tensor<2xcomplex<f32>>
  %3 = stablehlo.log_plus_one %x : tensor<2xcomplex<f32>>
  %4 = stablehlo.logistic %x : tensor<2xcomplex<f32>>
  %5 = stablehlo.sine %x : tensor<2xcomplex<f32>>
  %6 = stablehlo.cosine %x : tensor<2xcomplex<f32>>
  %7 = stablehlo.tan %x : tensor<2xcomplex<f32>>
  %8 = stablehlo.tanh %x : tensor<2xcomplex<f32>>
  %9 = stablehlo.rsqrt %x : tensor<2xcomplex<f32>>
  %10 = stablehlo.cbrt %x : tensor<2xcomplex<f32>>
  %11 = stablehlo.sign %x : tensor<2xcomplex<f32>>
  %12 = stablehlo.power %x, %x : tensor<2xcomplex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>,
    tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>,
    tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// CHECK-LABEL: @sqrt_c64
// CHECK-NEXT: stablehlo.constant dense<[(2.000000e+00,-1.000000e+00), (0.000000e+00,2.000000e+00)]>
func.func @sqrt_c64() -> tensor<2xcomplex<f32>> {
  %x = stablehlo.constant dense<[(3.0, -4.0), (-4.0, 0.0)]> : tensor<2xcomplex<f32>>
  %r = stablehlo.sqrt %x : tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: @power_c128_whole
// CHECK-NEXT: stablehlo.constant dense<[(-1.100000e+01,-2.000000e+00), (-1.000000e+00,0.000000e+00)]>
func.func @power_c128_whole() -> tensor<2xcomplex<f64>> {
  %x = stablehlo.constant dense<[(1.0, 2.0), (0.0, 1.0)]> : tensor<2xcomplex<f64>>
  %y = stablehlo.constant dense<[(3.0, 0.0), (2.0, 0.0)]> : tensor<2xcomplex<f64>>
  %r = stablehlo.power %x, %y : tensor<2xcomplex<f64>>
  return %r : tensor<2xcomplex<f64>>
}

// CHECK-LABEL: @of_chlo
// CHECK-COUNT-10: stablehlo.constant dense
// CHECK-NOT: "chlo.
// CHECK: return
func.func @of_chlo() -> (tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>,
    tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>) {
  %x = stablehlo.constant dense<(3.0, -4.0)> : tensor<complex<f32>>
  %0 = "chlo.acos"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %1 = "chlo.acosh"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %2 = "chlo.asin"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %3 = "chlo.asinh"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %4 = "chlo.atan"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %5 = "chlo.atanh"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %6 = "chlo.cosh"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %7 = "chlo.sinh"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %8 = "chlo.tan"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  %9 = "chlo.square"(%x) : (tensor<complex<f32>>) -> tensor<complex<f32>>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9 : tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>,
    tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>, tensor<complex<f32>>
}

// The diagonal of the upper factor was (2, -0), and the zeros below it (0, -0).
// CHECK-LABEL: @cholesky_c64_upper
// CHECK-NEXT: stablehlo.constant dense<{{\[\[}}(2.000000e+00,0.000000e+00), (0.000000e+00,-1.000000e+00)], [(0.000000e+00,0.000000e+00), (3.000000e+00,0.000000e+00)]]>
func.func @cholesky_c64_upper() -> tensor<2x2xcomplex<f32>> {
  %x = stablehlo.constant dense<[[(4.0, 0.0), (0.0, -2.0)], [(0.0, 2.0), (10.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %r = "stablehlo.cholesky"(%x) <{lower = false}> : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  return %r : tensor<2x2xcomplex<f32>>
}
