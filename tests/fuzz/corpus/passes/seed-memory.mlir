2func.func @f(%x: memref<?xf32>, %m: index, %n: index) -> memref<?x?xf32> {
  %a = memref.alloc(%m) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  %b = memref.expand_shape %a [[0, 1]] output_shape [%m, %n] : memref<?xf32> into memref<?x?xf32>
  %s = memref.subview %b[0, 0] [%m, 1] [1, 1] : memref<?x?xf32> to memref<?xf32, strided<[?]>>
  %v = arith.constant 1.5 : f32
  memref.store %v, %s[%m] : memref<?xf32, strided<[?]>>
  return %b : memref<?x?xf32>
}
