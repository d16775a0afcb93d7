// memref.realloc becomes the C function where buffers come from malloc: a buffer grows where it is, or its pages move.
// RUN: fold-opt %s -realloc-in-place | FileCheck %s
// RUN: fold-opt %s -buffer-deallocation-and-reuse -lower-deallocation-to-llvm | FileCheck %s --check-prefix=MALLOC
// RUN: fold-opt %s -buffer-deallocation-and-reuse -lower-deallocation-to-llvm=generic-alloc-functions=1 | FileCheck %s --check-prefix=GENERIC
//
// And it runs: e10 of the measurements grows 100 to 500 elements, then shrinks; with an alignment it is copied.
// RUN: fold-opt %s -buffer-deallocation-and-reuse -lower-deallocation-to-llvm -o %t.mlir
// RUN: mlir-runner %t.mlir -e grow -entry-point-result=i32 | FileCheck %s --check-prefix=GROWN
// RUN: mlir-runner %t.mlir -e grow_aligned -entry-point-result=i32 | FileCheck %s --check-prefix=GROWN
// RUN: mlir-runner %t.mlir -e shrink -entry-point-result=i32 | FileCheck %s --check-prefix=SHRUNK
// GROWN: 15
// SHRUNK: 7

// MALLOC: llvm.func @realloc(!llvm.ptr, i64) -> !llvm.ptr
// GENERIC-NOT: @realloc
// GENERIC: llvm.call @_mlir_memref_to_llvm_free

// Five loads of what was stored in the buffer before it grew, each one more than the last: 1 + 2 + 3 + 4 + 5.
// CHECK-LABEL: @grow()
// CHECK: %[[BLOCK:.*]] = deallocation.get_buffer %[[M:.*]] : memref<?xi32>
// CHECK: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[M]]
// CHECK: arith.cmpi eq, %[[BLOCK]], %[[START]]
// CHECK: llvm.call @realloc
// CHECK: } else {
// CHECK: memref.realloc %[[M]]
// CHECK: memref.reinterpret_cast %[[M]]
// MALLOC-LABEL: llvm.func @grow(
// MALLOC: llvm.call @realloc
// MALLOC-LABEL: llvm.func @grow_aligned(
func.func @grow() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %c100 = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %a = memref.alloc(%c100) : memref<?xi32>
  memref.store %one, %a[%c0] : memref<?xi32>
  %r, %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a, %s = %zero) -> (memref<?xi32>, i32) {
    %grow = arith.cmpi ne, %i, %c0 : index
    %y = scf.if %grow -> memref<?xi32> {
      %k = arith.addi %i, %c1 : index
      %size = arith.muli %k, %c100 : index
      %n = memref.realloc %x(%size) : memref<?xi32> to memref<?xi32>
      scf.yield %n : memref<?xi32>
    } else {
      scf.yield %x : memref<?xi32>
    }
    %v = memref.load %y[%i] : memref<?xi32>
    %w = arith.addi %v, %one : i32
    %j = arith.addi %i, %c1 : index
    memref.store %w, %y[%j] : memref<?xi32>
    %t = arith.addi %s, %v : i32
    scf.yield %y, %t : memref<?xi32>, i32
  }
  return %sum : i32
}

// The buffer starts behind the start of its block, as far as that is from a multiple of 4096, which may be another
// distance in another block: realloc would move the elements.
// CHECK-LABEL: @grow_aligned()
// CHECK: arith.cmpi eq
// CHECK: llvm.call @realloc
func.func @grow_aligned() -> i32 {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c100000 = arith.constant 100000 : index
  %v = arith.constant 15 : i32
  %a = memref.alloc(%c3) {alignment = 4096 : i64} : memref<?xi32>
  memref.store %v, %a[%c0] : memref<?xi32>
  %b = memref.realloc %a(%c100000) : memref<?xi32> to memref<?xi32>
  %w = memref.load %b[%c0] : memref<?xi32>
  return %w : i32
}

// Upstream's expand-realloc fails on it ("slice along dimension 0 runs out-of-bounds").
// CHECK-LABEL: @shrink()
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [0], sizes: [2], strides: [1] : memref<9xi32> to memref<2xi32>
// CHECK-NOT: memref.realloc
// CHECK: return
func.func @shrink() -> i32 {
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %a = memref.alloc() : memref<9xi32>
  memref.store %seven, %a[%c1] : memref<9xi32>
  %b = memref.realloc %a : memref<9xi32> to memref<2xi32>
  %w = memref.load %b[%c1] : memref<2xi32>
  return %w : i32
}

// What asks for an alignment, or has elements whose size the target decides, is left to expand-realloc.
// CHECK-LABEL: @kept
// CHECK-NOT: @realloc
func.func @kept(%n: index) -> index {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xindex>
  %b = memref.realloc %a(%n) : memref<?xindex> to memref<?xindex>
  %v = memref.load %b[%c0] : memref<?xindex>
  %x = memref.alloc(%n) : memref<?xi32>
  %y = memref.realloc %x(%n) {alignment = 64} : memref<?xi32> to memref<?xi32>
  memref.dealloc %y : memref<?xi32>
  return %v : index
}
