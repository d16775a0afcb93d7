// A buffer that is returned twice: MLIR 22 writes it into the parameter of its first result, and dies at the second.
// RUN: fold-opt %s --static-results-to-out-params --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @twice(
// CHECK-SAME: %[[X:.*]]: memref<3xf32>, %[[A:.*]]: memref<3xf32>, %[[B:.*]]: memref<3xf32>)
// CHECK: memref.copy %[[X]], %[[A]]
// CHECK: memref.copy %[[A]], %[[B]]
// CHECK: return
func.func @twice(%x: memref<3xf32>) -> (memref<3xf32>, memref<3xf32>) {
  %a = memref.alloc() : memref<3xf32>
  memref.copy %x, %a : memref<3xf32> to memref<3xf32>
  return %a, %a : memref<3xf32>, memref<3xf32>
}

// -----

// An argument that is returned twice is copied into both.

// CHECK-LABEL: func.func @argument(
// CHECK-SAME: %[[X:.*]]: memref<3xf32>, %[[A:.*]]: memref<3xf32>, %[[B:.*]]: memref<3xf32>)
// CHECK-DAG: memref.copy %[[X]], %[[B]]
// CHECK-DAG: memref.copy %[[X]], %[[A]]
func.func @argument(%x: memref<3xf32>) -> (memref<3xf32>, memref<3xf32>) {
  return %x, %x : memref<3xf32>, memref<3xf32>
}

// -----

// Buffers of unknown size stay results, and may be the same one.

// CHECK-LABEL: func.func @open(
// CHECK: return %{{.*}}, %{{.*}} : memref<?xf32>, memref<?xf32>
func.func @open(%x: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  return %x, %x : memref<?xf32>, memref<?xf32>
}
