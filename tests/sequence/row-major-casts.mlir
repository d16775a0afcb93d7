// RUN: fold-opt %s --row-major-casts | FileCheck %s

// Relu and Slice[:, 0:1] of [[0,1,2],[3,4,5]] gave [0,1]: the caller of a
// function that returns an unranked memref read it as row-major.
// CHECK-LABEL: func.func @strided
// CHECK: %[[DIM:.*]] = memref.dim %{{.*}}, %{{.*}} : memref<2x?xf32, strided<[3, 1]>>
// CHECK-NEXT: %[[COPY:.*]] = memref.alloc(%[[DIM]]) : memref<2x?xf32>
// CHECK-NEXT: memref.copy %{{.*}}, %[[COPY]]
// CHECK-NEXT: memref.cast %[[COPY]] : memref<2x?xf32> to memref<*xf32>
func.func @strided(%x: memref<2x?xf32, strided<[3, 1]>>) -> memref<*xf32> {
  %y = memref.cast %x : memref<2x?xf32, strided<[3, 1]>> to memref<*xf32>
  return %y : memref<*xf32>
}

// CHECK-LABEL: func.func @row_major
// CHECK-NOT: alloc
// CHECK: memref.cast %{{.*}} : memref<2x?xf32> to memref<*xf32>
func.func @row_major(%x: memref<2x?xf32>) -> memref<*xf32> {
  %y = memref.cast %x : memref<2x?xf32> to memref<*xf32>
  return %y : memref<*xf32>
}

// A cast that keeps the rank keeps the layout.
// CHECK-LABEL: func.func @ranked
// CHECK-NOT: alloc
// CHECK: memref.cast
func.func @ranked(%x: memref<2x?xf32, strided<[3, 1]>>) -> memref<2x1xf32, strided<[3, 1]>> {
  %y = memref.cast %x : memref<2x?xf32, strided<[3, 1]>> to memref<2x1xf32, strided<[3, 1]>>
  return %y : memref<2x1xf32, strided<[3, 1]>>
}

// A scalar that was two outputs without shapes ended the process: the clone's
// loop over sizes was folded to a size of a buffer of rank 0.
// CHECK-LABEL: func.func @clone
// CHECK: %[[CLONE:.*]] = bufferization.clone %{{.*}} : memref<f32> to memref<f32>
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[CLONE]] : memref<f32> to memref<*xf32>
// CHECK: return %{{.*}}, %[[CAST]]
func.func @clone(%x: memref<f32>) -> (memref<*xf32>, memref<*xf32>) {
  %y = memref.cast %x : memref<f32> to memref<*xf32>
  %z = bufferization.clone %y : memref<*xf32> to memref<*xf32>
  return %y, %z : memref<*xf32>, memref<*xf32>
}

// CHECK-LABEL: func.func @clone_of_any_rank
// CHECK: bufferization.clone %{{.*}} : memref<*xf32> to memref<*xf32>
func.func @clone_of_any_rank(%x: memref<*xf32>) -> memref<*xf32> {
  %z = bufferization.clone %x : memref<*xf32> to memref<*xf32>
  return %z : memref<*xf32>
}

// Canonicalization had made the cast a part of the clone.
// CHECK-LABEL: func.func @clone_without_cast
// CHECK: %[[CLONE:.*]] = bufferization.clone %{{.*}} : memref<i64> to memref<i64>
// CHECK-NEXT: memref.cast %[[CLONE]] : memref<i64> to memref<*xi64>
func.func @clone_without_cast(%x: memref<i64>) -> memref<*xi64> {
  %z = bufferization.clone %x : memref<i64> to memref<*xi64>
  return %z : memref<*xi64>
}

// The copy of a view is row-major.
// CHECK-LABEL: func.func @clone_of_a_view
// CHECK: %[[CLONE:.*]] = bufferization.clone %{{.*}} : memref<2x1xf32, strided<[3, 1]>> to memref<2x1xf32>
// CHECK-NEXT: memref.cast %[[CLONE]] : memref<2x1xf32> to memref<*xf32>
func.func @clone_of_a_view(%x: memref<2x1xf32, strided<[3, 1]>>) -> memref<*xf32> {
  %z = bufferization.clone %x : memref<2x1xf32, strided<[3, 1]>> to memref<*xf32>
  return %z : memref<*xf32>
}

// MLIR took this cast for compatible, as the stride of an unknown size is
// unknown: whoever read the result as row-major had the first row.
// CHECK-LABEL: func.func @open_sizes
// CHECK: %[[COPY:.*]] = memref.alloc() : memref<2x1xf32>
// CHECK: memref.copy %{{.*}}, %[[COPY]]
// CHECK: memref.cast %[[COPY]] : memref<2x1xf32> to memref<?x?xf32>
func.func @open_sizes(%x: memref<2x1xf32, strided<[3, 1]>>) -> memref<?x?xf32> {
  %y = memref.cast %x : memref<2x1xf32, strided<[3, 1]>> to memref<?x?xf32>
  return %y : memref<?x?xf32>
}

// CHECK-LABEL: func.func @open_strides
// CHECK: memref.copy
func.func @open_strides(%x: memref<?x?xf32, strided<[?, 1]>>) -> memref<?x?xf32> {
  %y = memref.cast %x : memref<?x?xf32, strided<[?, 1]>> to memref<?x?xf32>
  return %y : memref<?x?xf32>
}

// Row-major strides need no copy, nor does a cast that says less.
// CHECK-LABEL: func.func @row_major_strides
// CHECK-NOT: memref.copy
// CHECK: return
func.func @row_major_strides(%x: memref<2x3xf32, strided<[3, 1]>>, %y: memref<2x3xf32>) -> (memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>) {
  %z = memref.cast %x : memref<2x3xf32, strided<[3, 1]>> to memref<?x?xf32>
  %w = memref.cast %y : memref<2x3xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
  return %z, %w : memref<?x?xf32>, memref<?x?xf32, strided<[?, ?], offset: ?>>
}
