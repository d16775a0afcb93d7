// Disposable attributes in bytecode: in the record of the attribute and, from 4 KB on, as resources.
// RUN: seq -s, 1 1100 > %t.numbers && sed '/ INSERT$/r %t.numbers' %s > %t.mlir
// RUN: fold-opt %t.mlir -emit-bytecode | fold-opt | FileCheck %s
// RUN: fold-opt %t.mlir -emit-bytecode -o %t.mlirbc && fold-opt %t.mlirbc | FileCheck %s
// RUN: fold-opt %t.mlirbc -canonicalize -emit-bytecode | fold-opt -emit-bytecode | fold-opt | FileCheck %s
// RUN: fold-opt %t.mlir -emit-bytecode -elide-resource-data-from-bytecode | fold-opt | FileCheck %s -check-prefix=ELIDED
// RUN: fold-opt %t.mlirbc -scrub | FileCheck %s -check-prefix=SCRUBBED
// RUN: head -c 3000 %t.mlirbc > %t.short && not fold-opt %t.short 2>&1 | FileCheck %s -check-prefix=SHORT

// CHECK-LABEL: @values
// CHECK-SAME: test.elided = #elements.dense<__elided__> : tensor<3xf64>
// CHECK-SAME: test.empty = #elements.dense<> : tensor<0x2xindex>
// CHECK-SAME: test.large = #elements.dense<"0x0100000002000000{{.*}}4B0400004C040000"> : tensor<1100xi32>
// CHECK-SAME: test.list = [#elements.dense<[true, false, true]> : tensor<3xi1>, unit]
// CHECK-SAME: test.scalar = #elements.dense<(1.000000e+00,-2.000000e+00)> : tensor<complex<f32>>
// CHECK-SAME: test.splat = #elements.dense<7> : tensor<100000xi4>
// CHECK-SAME: test.strings = #elements.dense<["a\22", ""]> : tensor<2x!onnx.string>
// ELIDED-LABEL: @values
// ELIDED-SAME: test.large = #elements.dense<__elided__> : tensor<1100xi32>
// ELIDED-SAME: test.list = [#elements.dense<[true, false, true]> : tensor<3xi1>, unit]
// SCRUBBED-LABEL: @values
// SCRUBBED-SAME: test.large = dense<"0x0100000002000000{{.*}}4B0400004C040000"> : tensor<1100xi32>
// SHORT: error: attempting to parse {{[0-9]+}} bytes when only {{[0-9]+}} remain
func.func private @values() attributes {
  test.elided = #elements.dense<__elided__> : tensor<3xf64>,
  test.empty = #elements.dense<> : tensor<0x2xindex>,
  test.large = #elements.dense<[
  // INSERT
  ]> : tensor<1100xi32>,
  test.list = [#elements.dense<[true, false, true]> : tensor<3xi1>, unit],
  test.scalar = #elements.dense<(1.0, -2.0)> : tensor<complex<f32>>,
  test.splat = #elements.dense<7> : tensor<100000xi4>,
  test.strings = #elements.dense<["a\22", ""]> : tensor<2x!onnx.string>
}
