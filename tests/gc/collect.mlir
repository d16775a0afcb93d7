// What passes leave behind is freed, and counted.
// RUN: fold-opt %s -pass-pipeline='builtin.module(canonicalize,collect)' -gc-statistics 2>&1 | FileCheck %s
// RUN: fold-opt %s -pass-pipeline='builtin.module(canonicalize,scrub)' -gc-statistics 2>&1 | FileCheck %s -check-prefix=SCRUB
// RUN: fold-opt %s -gc-statistics 2>&1 | FileCheck %s -check-prefix=UNTOUCHED
// RUN: not fold-opt %s -pass-pipeline='builtin.module(func.func(collect))' 2>&1 | FileCheck %s -check-prefix=NESTED

// CHECK: gc
// CHECK-NEXT: (S) 4 created      - disposable attributes made
// CHECK-NEXT: (S) 3 live         - of them alive
// CHECK-NEXT: (S) 12 live-bytes   - bytes of their values
// CHECK-NEXT: (S) 28 peak-bytes   - the most that was alive at once
// CHECK-NEXT: (S) 1 freed        - attributes disposed
// CHECK-NEXT: (S) 16 freed-bytes  - bytes of their values
// CHECK-NEXT: (S) 0 mapped-bytes - bytes of files mapped now
// CHECK-NEXT: (S) 3 collections  - collections
// CHECK-NEXT: (S) {{[0-9]+}} microseconds - time spent in them
// CHECK: module attributes {test.on_module = #elements.dense<[1, 2]> : tensor<2xi8>}

// SCRUB: (S) 4 created
// SCRUB-NEXT: (S) 0 live
// SCRUB-NEXT: (S) 0 live-bytes
// SCRUB: (S) 4 freed
// SCRUB: module attributes {test.on_module = dense<[1, 2]> : tensor<2xi8>}

// Without passes there is nothing to collect after.
// UNTOUCHED: (S) 4 created
// UNTOUCHED-NEXT: (S) 4 live
// UNTOUCHED: (S) 0 freed
// UNTOUCHED: (S) 0 collections

// NESTED: error: 'func.func' op collect: runs on top-level operations
module attributes {test.on_module = #elements.dense<[1, 2]> : tensor<2xi8>} {
  func.func @f() -> tensor<2xi16> attributes {test.x = #elements.dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi8>} {
    %0 = arith.constant #elements.dense<[7, 8]> : tensor<2xi16>
    %unused = arith.constant #elements.dense<[1, 2, 3, 4]> : tensor<4xi32>
    return %0 : tensor<2xi16>
  }
}
