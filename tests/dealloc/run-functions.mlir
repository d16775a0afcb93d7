// Ownership across functions and blocks, run: with an owner per result, and with public functions that return new memory.
// RUN: fold-opt %s -deallocate -deallocation-simplification -lower-deallocation-to-llvm=generic-alloc-functions=1 -o %t.mlir
// RUN: dealloc-run %t.mlir --entry=returns_argument_or_new | FileCheck %s --check-prefix=ID
// RUN: dealloc-run %t.mlir --entry=recursion | FileCheck %s --check-prefix=RECURSION
// RUN: dealloc-run %t.mlir --entry=two_of_three | FileCheck %s --check-prefix=THREE
// RUN: dealloc-run %t.mlir --entry=indirect | FileCheck %s --check-prefix=INDIRECT
// RUN: dealloc-run %t.mlir --entry=blocks | FileCheck %s --check-prefix=BLOCKS
// RUN: dealloc-run %t.mlir --entry=private_takes | FileCheck %s --check-prefix=PRIVATE
// RUN: dealloc-run %t.mlir --entry=global | FileCheck %s --check-prefix=GLOBAL
// RUN: fold-opt %s -deallocate=public-results=clone -deallocation-simplification -lower-deallocation-to-llvm=generic-alloc-functions=1 -o %t.clone.mlir
// RUN: dealloc-run %t.clone.mlir --entry=returns_argument_or_new | FileCheck %s --check-prefix=IDCLONE
// RUN: dealloc-run %t.clone.mlir --entry=recursion | FileCheck %s --check-prefix=RECURSIONCLONE
// RUN: dealloc-run %t.clone.mlir --entry=indirect | FileCheck %s --check-prefix=INDIRECT
// RUN: dealloc-run %t.clone.mlir --entry=blocks | FileCheck %s --check-prefix=BLOCKS
// RUN: dealloc-run %t.clone.mlir --entry=global | FileCheck %s --check-prefix=GLOBALCLONE
// The same numbers with blocks in place of loops and branches.
// RUN: fold-opt %s -lower-affine -convert-scf-to-cf -deallocate -deallocation-simplification -lower-deallocation-to-llvm=generic-alloc-functions=1 -o %t.cf.mlir
// RUN: dealloc-run %t.cf.mlir --entry=returns_argument_or_new | FileCheck %s --check-prefix=ID
// RUN: dealloc-run %t.cf.mlir --entry=recursion | FileCheck %s --check-prefix=RECURSION
// RUN: dealloc-run %t.cf.mlir --entry=two_of_three | FileCheck %s --check-prefix=THREE
// RUN: dealloc-run %t.cf.mlir --entry=indirect | FileCheck %s --check-prefix=INDIRECT
// RUN: dealloc-run %t.cf.mlir --entry=blocks | FileCheck %s --check-prefix=BLOCKS
// RUN: dealloc-run %t.cf.mlir --entry=private_takes | FileCheck %s --check-prefix=PRIVATE
// RUN: dealloc-run %t.cf.mlir --entry=global | FileCheck %s --check-prefix=GLOBAL

func.func private @observe_f32(f32)
func.func private @opaque_i1(i1) -> i1
func.func private @opaque_index(index) -> index

func.func @show(%m: memref<100xf32>) {
  %c99 = arith.constant 99 : index
  %v = memref.load %m[%c99] : memref<100xf32>
  call @observe_f32(%v) : (f32) -> ()
  return
}

func.func @new(%v: f32) -> memref<100xf32> {
  %c99 = arith.constant 99 : index
  %m = memref.alloc() : memref<100xf32>
  memref.store %v, %m[%c99] : memref<100xf32>
  return %m : memref<100xf32>
}

func.func @flags() -> (i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %yes = call @opaque_i1(%true) : (i1) -> i1
  %no = call @opaque_i1(%false) : (i1) -> i1
  return %yes, %no : i1, i1
}

// e09: a public function returns its argument or a new buffer.
func.func @either(%c: i1, %x: memref<100xf32>) -> memref<100xf32> {
  %two = arith.constant 2.0 : f32
  %r = scf.if %c -> memref<100xf32> {
    scf.yield %x : memref<100xf32>
  } else {
    %n = func.call @new(%two) : (f32) -> memref<100xf32>
    scf.yield %n : memref<100xf32>
  }
  return %r : memref<100xf32>
}
// ID: value 0x1p+0
// ID: value 0x1p+1
// ID: allocations=2 peak=2 {{.*}}leaks=0 double-frees=0
// IDCLONE: value 0x1p+0
// IDCLONE: value 0x1p+1
// IDCLONE: allocations=3 peak=2 {{.*}}leaks=0 double-frees=0
func.func @returns_argument_or_new() {
  %one = arith.constant 1.0 : f32
  %f:2 = call @flags() : () -> (i1, i1)
  %a = call @new(%one) : (f32) -> memref<100xf32>
  %x = call @either(%f#0, %a) : (i1, memref<100xf32>) -> memref<100xf32>
  call @show(%x) : (memref<100xf32>) -> ()
  %y = call @either(%f#1, %a) : (i1, memref<100xf32>) -> memref<100xf32>
  call @show(%y) : (memref<100xf32>) -> ()
  return
}

// e16: a new buffer per level, five levels, and what the last one gets comes back.
func.func @down(%level: index, %x: memref<100xf32>) -> memref<100xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %done = arith.cmpi eq, %level, %c0 : index
  %r = scf.if %done -> memref<100xf32> {
    scf.yield %x : memref<100xf32>
  } else {
    %n = func.call @new(%one) : (f32) -> memref<100xf32>
    %next = arith.subi %level, %c1 : index
    %s = func.call @down(%next, %n) : (index, memref<100xf32>) -> memref<100xf32>
    scf.yield %s : memref<100xf32>
  }
  return %r : memref<100xf32>
}
// RECURSION: value 0x1p+0
// RECURSION: allocations=6 {{.*}}leaks=0 double-frees=0
// RECURSIONCLONE: value 0x1p+0
// RECURSIONCLONE: allocations=7 {{.*}}leaks=0 double-frees=0
func.func @recursion() {
  %c5 = arith.constant 5 : index
  %two = arith.constant 2.0 : f32
  %a = call @new(%two) : (f32) -> memref<100xf32>
  %r = call @down(%c5, %a) : (index, memref<100xf32>) -> memref<100xf32>
  call @show(%r) : (memref<100xf32>) -> ()
  return
}

// e41
func.func @pick(%c: i1) -> (memref<100xf32>, memref<100xf32>) {
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %three = arith.constant 3.0 : f32
  %x = call @new(%one) : (f32) -> memref<100xf32>
  %y = call @new(%two) : (f32) -> memref<100xf32>
  %z = call @new(%three) : (f32) -> memref<100xf32>
  %r:2 = scf.if %c -> (memref<100xf32>, memref<100xf32>) {
    scf.yield %x, %y : memref<100xf32>, memref<100xf32>
  } else {
    scf.yield %y, %z : memref<100xf32>, memref<100xf32>
  }
  return %r#0, %r#1 : memref<100xf32>, memref<100xf32>
}
// THREE: value 0x1p+1
// THREE: value 0x1.8p+1
// THREE: allocations=3 peak=3 {{.*}}leaks=0 double-frees=0
func.func @two_of_three() {
  %f:2 = call @flags() : () -> (i1, i1)
  %r:2 = call @pick(%f#1) : (i1) -> (memref<100xf32>, memref<100xf32>)
  call @show(%r#0) : (memref<100xf32>) -> ()
  call @show(%r#1) : (memref<100xf32>) -> ()
  return
}

// e27b: through a pointer, the result is new.
func.func private @target(%x: memref<100xf32>) -> memref<100xf32> {
  return %x : memref<100xf32>
}
// INDIRECT: value 0x1p+0
// INDIRECT: value 0x1p+0
// INDIRECT: allocations=2 peak=2 {{.*}}leaks=0 double-frees=0
func.func @indirect() {
  %one = arith.constant 1.0 : f32
  %a = call @new(%one) : (f32) -> memref<100xf32>
  %f = constant @target : (memref<100xf32>) -> memref<100xf32>
  %r = call_indirect %f(%a) : (memref<100xf32>) -> memref<100xf32>
  call @show(%r) : (memref<100xf32>) -> ()
  call @show(%a) : (memref<100xf32>) -> ()
  return
}

// A loop of blocks that carries a buffer, replaces it every other time, and uses one of outside.
// BLOCKS: value 0x1p+1
// BLOCKS: allocations=7 peak=2 {{.*}}leaks=0 double-frees=0
func.func @blocks() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %c99 = arith.constant 99 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = call @new(%one) : (f32) -> memref<100xf32>
  %k = call @new(%two) : (f32) -> memref<100xf32>
  cf.br ^head(%c0, %a : index, memref<100xf32>)
^head(%i: index, %m: memref<100xf32>):
  %more = arith.cmpi slt, %i, %c10 : index
  cf.cond_br %more, ^body, ^exit
^body:
  %rest = arith.remui %i, %c2 : index
  %even = arith.cmpi eq, %rest, %c0 : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %even, ^replace, ^head(%j, %m : index, memref<100xf32>)
^replace:
  %v = memref.load %k[%c99] : memref<100xf32>
  %n = call @new(%v) : (f32) -> memref<100xf32>
  cf.br ^head(%j, %n : index, memref<100xf32>)
^exit:
  call @show(%m) : (memref<100xf32>) -> ()
  return
}

func.func private @maybe(%c: i1, %x: memref<100xf32>) -> memref<100xf32> {
  %two = arith.constant 2.0 : f32
  %n = call @new(%two) : (f32) -> memref<100xf32>
  %r = arith.select %c, %x, %n : memref<100xf32>
  return %r : memref<100xf32>
}
// The private function has freed the first buffer when the last one is made.
// PRIVATE: value 0x1p+1
// PRIVATE: allocations=3 peak=2 {{.*}}leaks=0 double-frees=0
func.func @private_takes() {
  %one = arith.constant 1.0 : f32
  %f:2 = call @flags() : () -> (i1, i1)
  %a = call @new(%one) : (f32) -> memref<100xf32>
  %r = call @maybe(%f#1, %a) : (i1, memref<100xf32>) -> memref<100xf32>
  %last = call @new(%one) : (f32) -> memref<100xf32>
  memref.copy %r, %last : memref<100xf32> to memref<100xf32>
  call @show(%last) : (memref<100xf32>) -> ()
  return
}

memref.global "private" constant @table : memref<100xf32> = dense<3.0>
func.func @get_table() -> memref<100xf32> {
  %t = memref.get_global @table : memref<100xf32>
  return %t : memref<100xf32>
}
// GLOBAL: value 0x1.8p+1
// GLOBAL: allocations=0 {{.*}}leaks=0 double-frees=0
// GLOBALCLONE: value 0x1.8p+1
// GLOBALCLONE: allocations=1 {{.*}}leaks=0 double-frees=0
func.func @global() {
  %t = call @get_table() : () -> memref<100xf32>
  call @show(%t) : (memref<100xf32>) -> ()
  return
}
