// Buffers are freed right after their last use.
//
// mlir-opt --load-pass-plugin=libonnxfold_passes.so --load-dialect-plugin=libonnxfold_passes.so --pass-pipeline='builtin.module(buffer-deallocation-and-reuse)'

func.func @two_buffers(%n: index, %x: memref<?xf32>, %y: memref<?xf32>) {
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.exp ins(%x : memref<?xf32>) outs(%a : memref<?xf32>)
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.add ins(%a, %x : memref<?xf32>, memref<?xf32>) outs(%b : memref<?xf32>)
  memref.copy %b, %y : memref<?xf32> to memref<?xf32>
  return
}
