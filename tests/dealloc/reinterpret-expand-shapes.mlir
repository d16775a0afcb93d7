// Where a dimension becomes several of unknown size, MLIR 22's expand-strided-metadata dies; the pass computes the strides before.
// RUN: fold-opt %s -reinterpret-expand-shapes -split-input-file | FileCheck %s
// RUN: fold-opt %s -lower-deallocation-to-llvm -split-input-file | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: expand_shape

// CHECK-LABEL: func @two_open_sizes(
// CHECK-SAME: %[[X:.*]]: memref<?xf32>, %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[BASE:[^,]*]], %{{.*}}, %{{.*}}, %{{.*}} = memref.extract_strided_metadata %[[X]]
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[M]], %[[N]]], strides: [%[[N]], 1]
func.func @two_open_sizes(%x: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %y = memref.expand_shape %x [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  return %y : memref<?x?xf32>
}

// -----

// The strides of the source go into those of each group; a fixed size between open ones is a factor.

// CHECK-LABEL: func @strided(
// CHECK-SAME: %[[X:.*]]: memref<?x6xf32, strided<[?, 2], offset: ?>>, %[[M:.*]]: index, %[[N:.*]]: index)
// CHECK: %[[BASE:[^,]*]], %[[OFFSET:.*]], %{{.*}}:2, %[[STRIDES:.*]]:2 = memref.extract_strided_metadata %[[X]]
// CHECK: %[[INNER:.*]] = arith.muli %[[STRIDES]]#0, %[[N]]
// CHECK: %[[OUTER:.*]] = arith.muli %[[INNER]], %{{.*}}
// CHECK: memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[M]], 4, %[[N]], 2, 3], strides: [%[[OUTER]], %[[INNER]], %[[STRIDES]]#0, 6, 2]
func.func @strided(%x: memref<?x6xf32, strided<[?, 2], offset: ?>>, %m: index, %n: index) -> memref<?x4x?x2x3xf32, strided<[?, ?, ?, 6, 2], offset: ?>> {
  %y = memref.expand_shape %x [[0, 1, 2], [3, 4]] output_shape [%m, 4, %n, 2, 3] : memref<?x6xf32, strided<[?, 2], offset: ?>> into memref<?x4x?x2x3xf32, strided<[?, ?, ?, 6, 2], offset: ?>>
  return %y : memref<?x4x?x2x3xf32, strided<[?, ?, ?, 6, 2], offset: ?>>
}

// -----

// One open size in a group is upstream's.

// CHECK-LABEL: func @one_open_size(
// CHECK: memref.expand_shape
func.func @one_open_size(%x: memref<?x?xf32>, %m: index, %n: index) -> memref<?x4x?xf32> {
  %y = memref.expand_shape %x [[0, 1], [2]] output_shape [%m, 4, %n] : memref<?x?xf32> into memref<?x4x?xf32>
  return %y : memref<?x4x?xf32>
}

// -----

// Nor by a size of 0 can the one of the source be divided.

// CHECK-LABEL: func @open_size_beside_zero(
// CHECK-NOT: memref.expand_shape
// CHECK: memref.reinterpret_cast {{.*}} sizes: [2, 0, %{{.*}}]
func.func @open_size_beside_zero(%x: memref<?xf32>, %m: index) -> memref<2x0x?xf32> {
  %y = memref.expand_shape %x [[0, 1, 2]] output_shape [2, 0, %m] : memref<?xf32> into memref<2x0x?xf32>
  return %y : memref<2x0x?xf32>
}
