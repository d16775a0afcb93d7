// RUN: fold-opt %s -convert-deallocation-ops-to-llvm -split-input-file | FileCheck %s
// RUN: fold-opt %s -convert-deallocation-ops-to-llvm=generic-alloc-functions=1 -split-input-file | FileCheck %s --check-prefix=GENERIC
// RUN: fold-opt %s -lower-deallocation-to-llvm -split-input-file | FileCheck %s --check-prefix=LLVM

// LLVM-NOT: unrealized_conversion_cast
// LLVM-NOT: deallocation.

// CHECK-LABEL: func @null() -> !llvm.ptr
// CHECK: %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
// CHECK: return %[[NULL]] : !llvm.ptr
func.func @null() -> !deallocation.ownership {
  %o = deallocation.null
  return %o : !deallocation.ownership
}

// -----

// The allocated pointer, not the aligned one.
// CHECK-LABEL: func @memref_get_buffer
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<2xi32> to !llvm.struct
// CHECK: %[[P:.*]] = llvm.extractvalue %[[D]][0]
// CHECK: %[[I:.*]] = llvm.ptrtoint %[[P]] : !llvm.ptr to i64
// CHECK: arith.index_cast %[[I]] : i64 to index
func.func @memref_get_buffer(%m: memref<2xi32>) -> index {
  %a = deallocation.get_buffer %m : memref<2xi32>
  return %a : index
}

// -----

// CHECK-LABEL: func @unranked
// CHECK: %[[D:.*]] = builtin.unrealized_conversion_cast %arg0 : memref<*xi32>
// CHECK: %[[R:.*]] = llvm.extractvalue %[[D]][1]
// CHECK: llvm.load %[[R]] : !llvm.ptr -> !llvm.ptr
func.func @unranked(%m: memref<*xi32>) -> !deallocation.ownership {
  %o = deallocation.own %m : memref<*xi32>
  return %o : !deallocation.ownership
}

// -----

// CHECK-LABEL: func @ownership_get_buffer(%arg0: !llvm.ptr)
// CHECK: llvm.ptrtoint %arg0 : !llvm.ptr to i64
func.func @ownership_get_buffer(%o: !deallocation.ownership) -> index {
  %a = deallocation.get_buffer %o : !deallocation.ownership
  return %a : index
}

// -----

// CHECK-LABEL: func @own_and_free
// CHECK: %[[P:.*]] = llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.call @free(%[[P]])
// GENERIC: llvm.func @_mlir_memref_to_llvm_free(!llvm.ptr)
// GENERIC: llvm.call @_mlir_memref_to_llvm_free
func.func @own_and_free(%m: memref<2xi32>) {
  %o = deallocation.own %m : memref<2xi32>
  deallocation.free %o
  return
}

// -----

// Another address space is cast: ownership is in that of free.
// CHECK-LABEL: func @address_space
// CHECK: %[[P:.*]] = llvm.extractvalue %{{.*}}[0]
// CHECK: llvm.addrspacecast %[[P]] : !llvm.ptr<3> to !llvm.ptr
func.func @address_space(%m: memref<2xi32, 3>) -> !deallocation.ownership {
  %o = deallocation.own %m : memref<2xi32, 3>
  return %o : !deallocation.ownership
}

// -----

// CHECK-LABEL: func @retain_multiple
// CHECK: llvm.intr.stacksave
// CHECK: llvm.alloca
// CHECK: llvm.alloca
// CHECK: %[[FREE:.*]] = llvm.mlir.addressof @free
// CHECK: llvm.call @onnxfold_retain_buffers(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[FREE]])
// CHECK-COUNT-2: llvm.load
// CHECK: llvm.intr.stackrestore
// GENERIC: llvm.mlir.addressof @_mlir_memref_to_llvm_free
func.func @retain_multiple(%m: memref<2xi32>, %n: memref<1x1x1x1x1x1x1xi32>, %a: !deallocation.ownership,
                           %b: !deallocation.ownership, %c: !deallocation.ownership)
    -> (!deallocation.ownership, !deallocation.ownership) {
  %k:2 = deallocation.retain(%m, %n) of(%a, %b, %c)
    : (memref<2xi32>, memref<1x1x1x1x1x1x1xi32>, !deallocation.ownership, !deallocation.ownership, !deallocation.ownership)
      -> (!deallocation.ownership, !deallocation.ownership)
  return %k#0, %k#1 : !deallocation.ownership, !deallocation.ownership
}

// -----

// Ownership in loops, branches, blocks, selects and calls.
// CHECK-LABEL: func @everywhere(%arg0: i1, %arg1: !llvm.ptr, %arg2: index) -> !llvm.ptr
// CHECK-NOT: !deallocation
func.func @everywhere(%c: i1, %o: !deallocation.ownership, %n: index) -> !deallocation.ownership {
  %p = scf.for %i = %n to %n step %n iter_args(%x = %o) -> !deallocation.ownership {
    %q = scf.if %c -> !deallocation.ownership {
      %null = deallocation.null
      scf.yield %null : !deallocation.ownership
    } else {
      scf.yield %x : !deallocation.ownership
    }
    scf.yield %q : !deallocation.ownership
  }
  cf.cond_br %c, ^a(%p : !deallocation.ownership), ^b
^a(%x: !deallocation.ownership):
  %r = func.call @everywhere(%c, %x, %n) : (i1, !deallocation.ownership, index) -> !deallocation.ownership
  return %r : !deallocation.ownership
^b:
  %s = arith.select %c, %o, %p : !deallocation.ownership
  return %s : !deallocation.ownership
}
