// RUN: fold-opt %s -deallocation-to-scf -split-input-file | FileCheck %s

// CHECK-LABEL: @retain_nothing
// CHECK-NEXT: deallocation.free %arg0
// CHECK-NEXT: return
func.func @retain_nothing(%o: !deallocation.ownership) {
  deallocation.retain() of(%o) : (!deallocation.ownership) -> ()
  return
}

// -----

// CHECK-LABEL: @retain_something
// CHECK: %[[NULL:.*]] = deallocation.null
// CHECK: %[[A:.*]] = deallocation.get_buffer %arg1
// CHECK: %[[M:.*]] = deallocation.get_buffer %arg0
// CHECK: %[[IS:.*]] = arith.cmpi eq, %[[M]], %[[A]]
// CHECK: %[[KEPT:.*]] = arith.select %[[IS]], %arg1, %[[NULL]]
// CHECK: %[[LEFT:.*]] = arith.select %[[IS]], %[[NULL]], %arg1
// CHECK: deallocation.free %[[LEFT]]
// CHECK: return %[[KEPT]]
func.func @retain_something(%m: memref<2xi32>, %o: !deallocation.ownership) -> !deallocation.ownership {
  %k = deallocation.retain(%m) of(%o) : (memref<2xi32>, !deallocation.ownership) -> !deallocation.ownership
  return %k : !deallocation.ownership
}

// -----

// Two allocations: inline for any number of memrefs.
// CHECK-LABEL: @two_allocations
// CHECK-NOT: deallocation.retain
// CHECK-COUNT-6: arith.cmpi eq
// CHECK-COUNT-2: deallocation.free
func.func @two_allocations(%m: memref<2xi32>, %a: !deallocation.ownership, %b: !deallocation.ownership) -> !deallocation.ownership {
  %k:3 = deallocation.retain(%m, %m, %m) of(%a, %b)
    : (memref<2xi32>, memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership)
      -> (!deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
  return %k#0 : !deallocation.ownership
}

// -----

// Two memrefs and three allocations: a call, made by the conversion to LLVM.
// CHECK-LABEL: @large
// CHECK: deallocation.retain(%arg0, %arg0) of(%arg1, %arg1, %arg1)
func.func @large(%m: memref<2xi32>, %a: !deallocation.ownership) -> !deallocation.ownership {
  %k:2 = deallocation.retain(%m, %m) of(%a, %a, %a)
    : (memref<2xi32>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
      -> (!deallocation.ownership, !deallocation.ownership)
  return %k#0 : !deallocation.ownership
}
