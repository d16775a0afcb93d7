// RUN: fold-opt %s | fold-opt | FileCheck %s
// RUN: fold-opt %s -mlir-print-op-generic | fold-opt | FileCheck %s

// CHECK-LABEL: func @null() -> !deallocation.ownership
func.func @null() -> !deallocation.ownership {
  // CHECK: %{{.*}} = deallocation.null
  %o = deallocation.null
  return %o : !deallocation.ownership
}

// CHECK-LABEL: func @own
func.func @own(%m: memref<2xi32>, %u: memref<*xi32>) {
  // CHECK: deallocation.own %{{.*}} : memref<2xi32>
  %o = deallocation.own %m : memref<2xi32>
  // CHECK: deallocation.own %{{.*}} : memref<*xi32>
  %p = deallocation.own %u : memref<*xi32>
  return
}

// CHECK-LABEL: func @get_buffer
func.func @get_buffer(%m: memref<2xi32>, %o: !deallocation.ownership) {
  // CHECK: deallocation.get_buffer %{{.*}} : memref<2xi32>
  %a = deallocation.get_buffer %m : memref<2xi32>
  // CHECK: deallocation.get_buffer %{{.*}} : !deallocation.ownership
  %b = deallocation.get_buffer %o : !deallocation.ownership
  return
}

// CHECK-LABEL: func @free
func.func @free(%o: !deallocation.ownership) {
  // CHECK: deallocation.free %arg0
  deallocation.free %o
  return
}

// CHECK-LABEL: func @retain
func.func @retain(%m: memref<2xi32>, %n: memref<*xi32>, %o: !deallocation.ownership) {
  // CHECK: %{{.*}}:2 = deallocation.retain(%arg0, %arg1) of(%arg2) : (memref<2xi32>, memref<*xi32>, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  %k:2 = deallocation.retain(%m, %n) of(%o)
    : (memref<2xi32>, memref<*xi32>, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  // CHECK: deallocation.retain() of(%arg2) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%o) : (!deallocation.ownership) -> ()
  return
}
