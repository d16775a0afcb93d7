// Retains that are too large for inline code, run: with the run-time library, on memrefs of rank 7, which overflowed the arrays
// of the published lowering, and on nulls.
// RUN: fold-opt %s -lower-deallocation-to-llvm=generic-alloc-functions=1 | dealloc-run - --entry=main --shared-libs=%build/lib/libonnxfold_dealloc_programs.so | FileCheck %s

func.func private @observe_index(index)

func.func @is_null(%o: !deallocation.ownership) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = deallocation.get_buffer %o : !deallocation.ownership
  %is = arith.cmpi eq, %a, %c0 : index
  %v = arith.select %is, %c1, %c0 : index
  call @observe_index(%v) : (index) -> ()
  return
}

// %b is kept once, for the first of its two memrefs; %d, which no owner has, gets null; %a and %c are freed.
// CHECK: value 0
// CHECK-NEXT: value 1
// CHECK-NEXT: value 1
// CHECK: allocations=4 peak=4 {{.*}}leaks=0 double-frees=0
func.func @main() {
  %a = memref.alloc() : memref<1x1x1x1x1x1x1xi32>
  %b = memref.alloc() : memref<1x1x1x1x1x1x1xi32>
  %c = memref.alloc() : memref<100xi32>
  %d = memref.alloc() : memref<100xi32>
  %ao = deallocation.own %a : memref<1x1x1x1x1x1x1xi32>
  %bo = deallocation.own %b : memref<1x1x1x1x1x1x1xi32>
  %co = deallocation.own %c : memref<100xi32>
  %null = deallocation.null
  %k:3 = deallocation.retain(%b, %b, %d) of(%ao, %null, %bo, %co)
    : (memref<1x1x1x1x1x1x1xi32>, memref<1x1x1x1x1x1x1xi32>, memref<100xi32>,
       !deallocation.ownership, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
      -> (!deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
  call @is_null(%k#0) : (!deallocation.ownership) -> ()
  call @is_null(%k#1) : (!deallocation.ownership) -> ()
  call @is_null(%k#2) : (!deallocation.ownership) -> ()
  deallocation.retain() of(%k#0) : (!deallocation.ownership) -> ()
  deallocation.free %k#1
  memref.dealloc %d : memref<100xi32>
  return
}
