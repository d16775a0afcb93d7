// RUN: stablehlo-fold --passes=constprop,scrub %s | FileCheck %s

// Functions of complex numbers: the values are those of Python's cmath. ComplexFunctionsTest.cpp has others.

// CHECK-LABEL: @of_stablehlo
// CHECK-NEXT: stablehlo.constant dense<[(-13.1287832,15.2007847), (1.59746647,0.407900184)]>
// CHECK-NEXT: stablehlo.constant dense<[(-14.1287832,15.2007847), (0.597466528,0.407900184)]>
// CHECK-NEXT: stablehlo.constant dense<[(1.60943794,-0.927295207), (-0.581575394,0.463647604)]>
// CHECK-NEXT: stablehlo.constant dense<[(1.73286796,-0.785398185), (0.419164598,0.165148675)]>
// CHECK-NEXT: stablehlo.constant dense<[(1.03207219,0.0401955061), (0.624275147,0.0590029657)]>
// CHECK-NEXT: stablehlo.constant dense<[(3.85373807,27.0168133), (0.494485795,0.221688166)]>
// CHECK-NEXT: stablehlo.constant dense<[(-27.0349464,3.85115337), (0.905150175,-0.121108793)]>
// CHECK-NEXT: stablehlo.constant dense<[(-1.87346202E-4,-0.999355971), (0.504500687,0.312420696)]>
// CHECK-NEXT: stablehlo.constant dense<[(1.00070953,-0.0049082581), (0.485487282,0.198055446)]>
// CHECK-NEXT: stablehlo.constant dense<[(4.000000e-01,2.000000e-01), (1.30170166,-0.307290077)]>
// CHECK-NEXT: stablehlo.constant dense<[(1.62893713,-0.520174503), (0.813955962,0.126807466)]>
// CHECK-NEXT: stablehlo.constant dense<[(6.000000e-01,-8.000000e-01), (0.89442718,0.44721359)]>
// CHECK-NEXT: stablehlo.constant dense<[(-2.99799061,-0.623784601), (0.663358747,0.0574772581)]>
// CHECK-NEXT: return
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
// CHECK-NEXT: stablehlo.constant dense<(0.93681246,2.30550909)>
// CHECK-NEXT: stablehlo.constant dense<(2.30550909,-0.93681246)>
// CHECK-NEXT: stablehlo.constant dense<(0.63398385,-2.30550909)>
// CHECK-NEXT: stablehlo.constant dense<(2.29991412,-0.917616844)>
// CHECK-NEXT: stablehlo.constant dense<(1.44830704,-0.158997193)>
// CHECK-NEXT: stablehlo.constant dense<(0.117500909,-1.40992105)>
// CHECK-NEXT: stablehlo.constant dense<(-6.5806632,7.5815525)>
// CHECK-NEXT: stablehlo.constant dense<(-6.548120e+00,7.6192317)>
// CHECK-NEXT: stablehlo.constant dense<(-1.87346202E-4,-0.999355971)>
// CHECK-NEXT: stablehlo.constant dense<(-7.000000e+00,-2.400000e+01)>
// CHECK-NEXT: return
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

// Complex numbers are ordered by their real parts, then by their imaginary parts.
// CHECK-LABEL: @order
// CHECK-NEXT: stablehlo.constant dense<[(2.000000e+00,-5.000000e+00), (1.000000e+00,4.000000e+00)]>
// CHECK-NEXT: stablehlo.constant dense<[(1.000000e+00,9.000000e+00), (1.000000e+00,3.000000e+00)]>
func.func @order() -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %x = stablehlo.constant dense<[(1.0, 9.0), (1.0, 4.0)]> : tensor<2xcomplex<f32>>
  %y = stablehlo.constant dense<[(2.0, -5.0), (1.0, 3.0)]> : tensor<2xcomplex<f32>>
  %0 = stablehlo.maximum %x, %y : tensor<2xcomplex<f32>>
  %1 = stablehlo.minimum %x, %y : tensor<2xcomplex<f32>>
  return %0, %1 : tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// The squares of the parts were infinite, and their difference no number.
// CHECK-LABEL: @square_of_large_numbers
// CHECK-NEXT: stablehlo.constant dense<[(0xFFF0000000000000,0x7FF0000000000000), (0.000000e+00,0x7FF0000000000000), (-3.000000e+00,4.000000e+00)]>
func.func @square_of_large_numbers() -> tensor<3xcomplex<f64>> {
  %x = stablehlo.constant dense<[(1.0e200, 2.0e200), (1.0e300, 1.0e300), (1.0, 2.0)]> : tensor<3xcomplex<f64>>
  %r = chlo.square %x : tensor<3xcomplex<f64>> -> tensor<3xcomplex<f64>>
  return %r : tensor<3xcomplex<f64>>
}
