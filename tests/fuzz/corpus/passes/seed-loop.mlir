6func.func @f(%n: index, %x: memref<4xf32>) -> memref<4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %r = scf.for %i = %0 to %n step %1 iter_args(%c = %x) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    memref.copy %c, %a : memref<4xf32> to memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  return %r : memref<4xf32>
}
