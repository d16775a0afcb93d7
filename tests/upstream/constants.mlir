// RUN: fold-opt %s -constprop -scrub -allow-unregistered-dialect | FileCheck %s
// RUN: fold-opt %s -constprop -scrub=resources -allow-unregistered-dialect | FileCheck %s --check-prefix=RESOURCE

// Constants of every kind of attribute.

// CHECK-LABEL: @splat
// CHECK: arith.constant dense<-1.000000e+00> : tensor<1000xf32>
func.func @splat() -> tensor<1000xf32> {
  %x = arith.constant dense<1.0> : tensor<1000xf32>
  %y = arith.negf %x : tensor<1000xf32>
  return %y : tensor<1000xf32>
}

// CHECK-LABEL: @resource
// CHECK: arith.constant dense<[-1, -2]> : tensor<2xi32>
func.func @resource() -> tensor<2xi32> {
  %x = arith.constant dense_resource<values> : tensor<2xi32>
  %zero = arith.constant dense<0> : tensor<2xi32>
  %y = arith.subi %zero, %x : tensor<2xi32>
  return %y : tensor<2xi32>
}

// CHECK-LABEL: @sparse
// CHECK: arith.constant dense<{{\[}}[0, 5], [6, 0]]> : tensor<2x2xi32>
func.func @sparse() -> tensor<2x2xi32> {
  %x = arith.constant sparse<[[0, 1], [1, 0]], [5, 6]> : tensor<2x2xi32>
  %zero = arith.constant dense<0> : tensor<2x2xi32>
  %y = arith.addi %zero, %x : tensor<2x2xi32>
  return %y : tensor<2x2xi32>
}

// Elements of a type of no known dialect are strings, which data movement takes.
// CHECK-LABEL: @strings
// CHECK: arith.constant dense<["d", "a"]> : tensor<2x!other.string>
// CHECK-NOT: tensor.extract_slice
func.func @strings() -> tensor<2x!other.string> {
  %x = arith.constant dense<["a", "b", "c", "d"]> : tensor<4x!other.string>
  %last = tensor.extract_slice %x[3] [1] [1] : tensor<4x!other.string> to tensor<1x!other.string>
  %first = tensor.extract_slice %x[0] [1] [1] : tensor<4x!other.string> to tensor<1x!other.string>
  %both = tensor.concat dim(0) %last, %first : (tensor<1x!other.string>, tensor<1x!other.string>) -> tensor<2x!other.string>
  return %both : tensor<2x!other.string>
}

// CHECK-LABEL: @complex_numbers
// CHECK: arith.constant dense<(3.000000e+00,4.000000e+00)> : tensor<1xcomplex<f32>>
// CHECK-NOT: tensor.extract_slice
func.func @complex_numbers() -> tensor<1xcomplex<f32>> {
  %x = arith.constant dense<[(1.0, 2.0), (3.0, 4.0)]> : tensor<2xcomplex<f32>>
  %y = tensor.extract_slice %x[1] [1] [1] : tensor<2xcomplex<f32>> to tensor<1xcomplex<f32>>
  return %y : tensor<1xcomplex<f32>>
}

// i1 is packed eight to a byte in an attribute.
// CHECK-LABEL: @packed_bits
// CHECK: arith.constant dense<[false, true, false, false, true, true, false, true, false]> : tensor<9xi1>
func.func @packed_bits() -> tensor<9xi1> {
  %x = arith.constant dense<[true, false, true, true, false, false, true, false, true]> : tensor<9xi1>
  %ones = arith.constant dense<true> : tensor<9xi1>
  %y = arith.xori %x, %ones : tensor<9xi1>
  return %y : tensor<9xi1>
}

// A type that says less than the value is kept for its readers.
// CHECK-LABEL: @dynamic_result
// CHECK: %[[C:.*]] = arith.constant dense<[1, 2]> : tensor<2xi32>
// CHECK: %[[D:.*]] = tensor.cast %[[C]] : tensor<2xi32> to tensor<?xi32>
// CHECK: return %[[D]]
func.func @dynamic_result() -> tensor<?xi32> {
  %x = arith.constant dense<[1, 2, 3]> : tensor<3xi32>
  %n = arith.constant 2 : index
  %y = tensor.extract_slice %x[0] [%n] [1] : tensor<3xi32> to tensor<?xi32>
  return %y : tensor<?xi32>
}

// Large results are resources if that is asked for.
// RESOURCE-LABEL: @large
// RESOURCE: arith.constant dense_resource<{{.*}}> : tensor<100xf32>
func.func @large() -> tensor<100xf32> {
  %y = tensor.generate {
  ^bb0(%i: index):
    %k = arith.index_cast %i : index to i32
    %f = arith.sitofp %k : i32 to f32
    tensor.yield %f : f32
  } : tensor<100xf32>
  return %y : tensor<100xf32>
}

{-#
  dialect_resources: {
    builtin: {
      values: "0x040000000100000002000000"
    }
  }
#-}
