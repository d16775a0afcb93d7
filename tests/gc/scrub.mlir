// Disposable attributes become ordinary ones, wherever they stand.
// RUN: fold-opt %s -scrub | FileCheck %s
// RUN: fold-opt %s -scrub=resources | FileCheck %s -check-prefix=RESOURCE
// RUN: fold-opt %s -scrub=in-file | FileCheck %s -check-prefix=RESOURCE
// RUN: fold-opt %s -scrub=resources | fold-opt | FileCheck %s -check-prefix=RESOURCE

// CHECK: module attributes {test.on_module = dense<[1, 2]> : tensor<2xi8>}
module attributes {test.on_module = #elements.dense<[1, 2]> : tensor<2xi8>} {
  // CHECK-LABEL: @f
  // CHECK-SAME: test.list = [dense<[true, false]> : tensor<2xi1>, unit]
  // CHECK: arith.constant dense<"0x0102{{.*}}"> : tensor<260xi8>
  // RESOURCE-LABEL: @f
  // RESOURCE-SAME: test.list = [dense<[true, false]> : tensor<2xi1>, unit]
  // RESOURCE: arith.constant dense_resource<elements> : tensor<260xi8>
  // RESOURCE: elements: "0x40000000{{0102.*FF}}"
  func.func @f() -> tensor<260xi8>
      attributes {test.list = [#elements.dense<[true, false]> : tensor<2xi1>, unit]} {
    %0 = arith.constant #elements.dense<"0x01020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607080901020304050607FF"> : tensor<260xi8>
    return %0 : tensor<260xi8>
  }
}
