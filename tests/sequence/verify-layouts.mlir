// RUN: fold-opt %s --verify-layouts --split-input-file --verify-diagnostics

// Relu and Slice[:, 0:1] gave the first row: a later pass may make such a cast
// again.
func.func @cast_to_unranked(%x: memref<2x1xf32, strided<[3, 1]>>) -> memref<*xf32> {
  // expected-error @+1 {{'memref.cast' op loses the layout of 'memref<2x1xf32, strided<[3, 1]>>': its result 'memref<*xf32>' is read as row-major}}
  %y = memref.cast %x : memref<2x1xf32, strided<[3, 1]>> to memref<*xf32>
  return %y : memref<*xf32>
}

// -----

func.func @cast_to_open_sizes(%x: memref<2x?xf32, strided<[3, 1]>>) -> memref<?x?xf32> {
  // expected-error @+1 {{'memref.cast' op loses the layout of 'memref<2x?xf32, strided<[3, 1]>>'}}
  %y = memref.cast %x : memref<2x?xf32, strided<[3, 1]>> to memref<?x?xf32>
  return %y : memref<?x?xf32>
}

// -----

func.func @cast_with_offset(%x: memref<3xf32, strided<[1], offset: ?>>) -> memref<*xf32> {
  // expected-error @+1 {{'memref.cast' op loses the layout}}
  %y = memref.cast %x : memref<3xf32, strided<[1], offset: ?>> to memref<*xf32>
  return %y : memref<*xf32>
}

// -----

func.func @in_a_loop(%x: memref<4xf32, strided<[2]>>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    // expected-error @+1 {{'memref.reinterpret_cast' op loses the layout of 'memref<4xf32, strided<[2]>>': its result 'memref<4xf32>' is read as row-major}}
    %y = memref.reinterpret_cast %x to offset: [0], sizes: [4], strides: [1] : memref<4xf32, strided<[2]>> to memref<4xf32>
  }
  return
}

// -----

// Casts that keep the layout, or have none to lose.
func.func @kept(%x: memref<2x3xf32, strided<[3, 1]>>, %y: memref<?x?xf32>, %z: memref<2x1xf32, strided<[3, 1]>>, %u: memref<*xf32>) -> (memref<?x?xf32>, memref<*xf32>, memref<?x1xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32>) {
  %a = memref.cast %x : memref<2x3xf32, strided<[3, 1]>> to memref<?x?xf32>
  %b = memref.cast %y : memref<?x?xf32> to memref<*xf32>
  %c = memref.cast %z : memref<2x1xf32, strided<[3, 1]>> to memref<?x1xf32, strided<[?, ?], offset: ?>>
  %d = memref.cast %u : memref<*xf32> to memref<?x?xf32>
  return %a, %b, %c, %d : memref<?x?xf32>, memref<*xf32>, memref<?x1xf32, strided<[?, ?], offset: ?>>, memref<?x?xf32>
}

// -----

// What MLIR lowers a subview to.
func.func @lowered_view(%x: memref<4x4xf32, strided<[8, 1], offset: 4>>) -> memref<2x2xf32, strided<[8, 1], offset: 5>> {
  %base, %offset, %sizes:2, %strides:2 = memref.extract_strided_metadata %x : memref<4x4xf32, strided<[8, 1], offset: 4>> -> memref<f32>, index, index, index, index, index
  %y = memref.reinterpret_cast %base to offset: [5], sizes: [2, 2], strides: [8, 1] : memref<f32> to memref<2x2xf32, strided<[8, 1], offset: 5>>
  return %y : memref<2x2xf32, strided<[8, 1], offset: 5>>
}
