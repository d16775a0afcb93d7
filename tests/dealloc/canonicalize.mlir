// RUN: fold-opt %s -canonicalize="test-convergence" -cse | FileCheck %s

// CHECK-LABEL: @retain_of_nothing
// CHECK-NEXT: %[[NULL:.*]] = deallocation.null
// CHECK-NEXT: return %[[NULL]], %[[NULL]]
func.func @retain_of_nothing(%m: memref<2xi32>, %n: memref<2xi32>) -> (!deallocation.ownership, !deallocation.ownership) {
  %k:2 = deallocation.retain(%m, %n) of()
    : (memref<2xi32>, memref<2xi32>) -> (!deallocation.ownership, !deallocation.ownership)
  deallocation.retain() of() : () -> ()
  return %k#0, %k#1 : !deallocation.ownership, !deallocation.ownership
}

// CHECK-LABEL: @null_and_repeated
// CHECK: deallocation.retain(%arg0) of(%arg1, %arg2)
func.func @null_and_repeated(%m: memref<2xi32>, %a: !deallocation.ownership, %b: !deallocation.ownership) -> !deallocation.ownership {
  %null = deallocation.null
  %k = deallocation.retain(%m) of(%a, %null, %b, %a)
    : (memref<2xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership) -> !deallocation.ownership
  return %k : !deallocation.ownership
}

// CHECK-LABEL: @split
// CHECK-NEXT: deallocation.retain() of(%arg0)
// CHECK-NEXT: deallocation.retain() of(%arg1)
// CHECK-NEXT: return
func.func @split(%a: !deallocation.ownership, %b: !deallocation.ownership) {
  deallocation.retain() of(%a, %b) : (!deallocation.ownership, !deallocation.ownership) -> ()
  return
}

// The view is one of %m, so it has the allocation of %m; what is left is for %n.
// CHECK-LABEL: @known
// CHECK: %[[O:.*]] = deallocation.own %arg0
// CHECK: %[[K:.*]] = deallocation.retain(%arg1) of(%arg2)
// CHECK: return %[[O]], %[[K]]
func.func @known(%m: memref<4xi32>, %n: memref<2xi32>, %other: !deallocation.ownership)
    -> (!deallocation.ownership, !deallocation.ownership) {
  %o = deallocation.own %m : memref<4xi32>
  %view = memref.subview %m[1][2][1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  %k:2 = deallocation.retain(%view, %n) of(%other, %o)
    : (memref<2xi32, strided<[1], offset: 1>>, memref<2xi32>, !deallocation.ownership, !deallocation.ownership)
      -> (!deallocation.ownership, !deallocation.ownership)
  return %k#0, %k#1 : !deallocation.ownership, !deallocation.ownership
}

// Each allocation is returned once: the second view gets null.
// CHECK-LABEL: @known_twice
// CHECK-DAG: %[[O:.*]] = deallocation.own %arg0
// CHECK-DAG: %[[NULL:.*]] = deallocation.null
// CHECK: return %[[O]], %[[NULL]]
func.func @known_twice(%m: memref<4xi32>) -> (!deallocation.ownership, !deallocation.ownership) {
  %o = deallocation.own %m : memref<4xi32>
  %k:2 = deallocation.retain(%m, %m) of(%o)
    : (memref<4xi32>, memref<4xi32>, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  return %k#0, %k#1 : !deallocation.ownership, !deallocation.ownership
}

// CHECK-LABEL: @unknown_stays
// CHECK: deallocation.retain(%arg0) of(%arg1)
func.func @unknown_stays(%m: memref<4xi32>, %o: !deallocation.ownership) -> !deallocation.ownership {
  %k = deallocation.retain(%m) of(%o) : (memref<4xi32>, !deallocation.ownership) -> !deallocation.ownership
  return %k : !deallocation.ownership
}

// CHECK-LABEL: @get_buffer
// CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[M:.*]] = deallocation.get_buffer %arg0 : memref<4xi32>
// CHECK: return %[[M]], %[[M]], %[[ZERO]]
func.func @get_buffer(%m: memref<4xi32>) -> (index, index, index) {
  %view = memref.cast %m : memref<4xi32> to memref<?xi32>
  %o = deallocation.own %view : memref<?xi32>
  %a = deallocation.get_buffer %o : !deallocation.ownership
  %b = deallocation.get_buffer %m : memref<4xi32>
  %null = deallocation.null
  %c = deallocation.get_buffer %null : !deallocation.ownership
  return %a, %b, %c : index, index, index
}

// CHECK-LABEL: @free_null
// CHECK-NEXT: return
func.func @free_null() {
  %null = deallocation.null
  deallocation.free %null
  return
}
