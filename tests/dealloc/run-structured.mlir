// What the text of deallocate.mlir says, run: no leak, no double free, no use after free, and the allocations and the peak
// that are expected without buffer-reuse. Values are those of the program, whatever is freed when.
// RUN: fold-opt %s -deallocate -deallocation-simplification -lower-deallocation-to-llvm=generic-alloc-functions=1 -o %t.mlir
// RUN: dealloc-run %t.mlir --entry=rotating_while | FileCheck %s --check-prefix=WHILE
// RUN: dealloc-run %t.mlir --entry=fibonacci | FileCheck %s --check-prefix=FIB
// RUN: dealloc-run %t.mlir --entry=conditional_carry | FileCheck %s --check-prefix=CARRY
// RUN: dealloc-run %t.mlir --entry=same_twice | FileCheck %s --check-prefix=TWICE
// RUN: dealloc-run %t.mlir --entry=shifted_view | FileCheck %s --check-prefix=SHIFTED
// RUN: dealloc-run %t.mlir --entry=select_then_temporary | FileCheck %s --check-prefix=SELECT
// RUN: dealloc-run %t.mlir --entry=switch_and_region | FileCheck %s --check-prefix=SWITCH
// RUN: dealloc-run %t.mlir --entry=parallel_loops | FileCheck %s --check-prefix=PARALLEL
// RUN: dealloc-run %t.mlir --entry=affine | FileCheck %s --check-prefix=AFFINE
// RUN: dealloc-run %t.mlir --entry=scope | FileCheck %s --check-prefix=SCOPE
// RUN: dealloc-run %t.mlir --entry=raw_pointer | FileCheck %s --check-prefix=POINTER
// RUN: dealloc-run %t.mlir --entry=grow | FileCheck %s --check-prefix=GROW
// RUN: dealloc-run %t.mlir --entry=freed_by_program | FileCheck %s --check-prefix=FREED
// RUN: dealloc-run %t.mlir --entry=stack_or_heap | FileCheck %s --check-prefix=STACK
// RUN: dealloc-run %t.mlir --entry=view_of_larger | FileCheck %s --check-prefix=LARGER
// RUN: dealloc-run %t.mlir --entry=early | FileCheck %s --check-prefix=EARLY
// The same numbers with blocks in place of loops and branches.
// RUN: fold-opt %s -lower-affine -convert-scf-to-cf -deallocate -deallocation-simplification -lower-deallocation-to-llvm=generic-alloc-functions=1 -o %t.cf.mlir
// RUN: dealloc-run %t.cf.mlir --entry=rotating_while | FileCheck %s --check-prefix=WHILE
// RUN: dealloc-run %t.cf.mlir --entry=fibonacci | FileCheck %s --check-prefix=FIB
// RUN: dealloc-run %t.cf.mlir --entry=conditional_carry | FileCheck %s --check-prefix=CARRY
// RUN: dealloc-run %t.cf.mlir --entry=same_twice | FileCheck %s --check-prefix=TWICE
// RUN: dealloc-run %t.cf.mlir --entry=shifted_view | FileCheck %s --check-prefix=SHIFTED
// RUN: dealloc-run %t.cf.mlir --entry=select_then_temporary | FileCheck %s --check-prefix=SELECT
// RUN: dealloc-run %t.cf.mlir --entry=switch_and_region | FileCheck %s --check-prefix=SWITCH
// RUN: dealloc-run %t.cf.mlir --entry=parallel_loops | FileCheck %s --check-prefix=PARALLEL
// RUN: dealloc-run %t.cf.mlir --entry=affine | FileCheck %s --check-prefix=AFFINE
// RUN: dealloc-run %t.cf.mlir --entry=scope | FileCheck %s --check-prefix=SCOPE
// RUN: dealloc-run %t.cf.mlir --entry=raw_pointer | FileCheck %s --check-prefix=POINTER
// RUN: dealloc-run %t.cf.mlir --entry=grow | FileCheck %s --check-prefix=GROW
// RUN: dealloc-run %t.cf.mlir --entry=freed_by_program | FileCheck %s --check-prefix=FREED
// RUN: dealloc-run %t.cf.mlir --entry=stack_or_heap | FileCheck %s --check-prefix=STACK
// RUN: dealloc-run %t.cf.mlir --entry=view_of_larger | FileCheck %s --check-prefix=LARGER
// RUN: dealloc-run %t.cf.mlir --entry=early | FileCheck %s --check-prefix=EARLY

func.func private @observe_f32(f32)
func.func private @opaque_i1(i1) -> i1
func.func private @opaque_index(index) -> index

func.func @fill(%m: memref<100xf32>, %v: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    memref.store %v, %m[%i] : memref<100xf32>
  }
  return
}

func.func @show(%m: memref<100xf32>) {
  %c99 = arith.constant 99 : index
  %v = memref.load %m[%c99] : memref<100xf32>
  call @observe_f32(%v) : (f32) -> ()
  return
}

// e03 of the reference: upstream compares at run time, with 100 helper allocations.
// WHILE: value 0x1p+1
// WHILE: allocations=3 peak=2 {{.*}}leaks=0 double-frees=0
func.func @rotating_while() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  %one = arith.constant 1.0 : f32
  %two = arith.constant 2.0 : f32
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  call @fill(%b, %two) : (memref<100xf32>, f32) -> ()
  %r:3 = scf.while (%x = %a, %y = %b, %i = %c0)
      : (memref<100xf32>, memref<100xf32>, index) -> (memref<100xf32>, memref<100xf32>, index) {
    %more = arith.cmpi slt, %i, %c9 : index
    scf.condition(%more) %y, %x, %i : memref<100xf32>, memref<100xf32>, index
  } do {
  ^bb0(%x: memref<100xf32>, %y: memref<100xf32>, %i: index):
    %j = arith.addi %i, %c1 : index
    scf.yield %x, %y, %j : memref<100xf32>, memref<100xf32>, index
  }
  %t = memref.alloc() : memref<100xf32>
  memref.copy %r#1, %t : memref<100xf32> to memref<100xf32>
  call @show(%t) : (memref<100xf32>) -> ()
  return
}

// Two buffers go on, a third is made: nothing is compared at run time, and there are never more than three.
// FIB: value
// FIB: allocations=12 peak=3 {{.*}}leaks=0 double-frees=0
func.func @fibonacci() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  call @fill(%b, %one) : (memref<100xf32>, f32) -> ()
  %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%p = %a, %q = %b)
      -> (memref<100xf32>, memref<100xf32>) {
    %n = memref.alloc() : memref<100xf32>
    %u = memref.load %p[%c0] : memref<100xf32>
    %v = memref.load %q[%c0] : memref<100xf32>
    %s = arith.addf %u, %v : f32
    func.call @fill(%n, %s) : (memref<100xf32>, f32) -> ()
    scf.yield %q, %n : memref<100xf32>, memref<100xf32>
  }
  call @show(%r#1) : (memref<100xf32>) -> ()
  return
}

// e02: the carried buffer is replaced if a condition holds.
// CARRY: value
// CARRY: allocations=16 peak=2 {{.*}}leaks=0 double-frees=0
func.func @conditional_carry() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %a) -> memref<100xf32> {
    %scratch = memref.alloc() : memref<100xf32>
    memref.copy %m, %scratch : memref<100xf32> to memref<100xf32>
    %v = memref.load %scratch[%c1] : memref<100xf32>
    %rest = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    %next = scf.if %odd -> memref<100xf32> {
      %new = memref.alloc() : memref<100xf32>
      %w = arith.addf %v, %v : f32
      func.call @fill(%new, %w) : (memref<100xf32>, f32) -> ()
      scf.yield %new : memref<100xf32>
    } else {
      scf.yield %m : memref<100xf32>
    }
    scf.yield %next : memref<100xf32>
  }
  call @show(%r) : (memref<100xf32>) -> ()
  return
}

// e24: the published code lost one of two results here, and leaked.
// TWICE: value
// TWICE: allocations=11 peak=2 {{.*}}leaks=0 double-frees=0
func.func @same_twice() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  %r:2 = scf.for %i = %c0 to %c10 step %c1 iter_args(%p = %a, %q = %a)
      -> (memref<100xf32>, memref<100xf32>) {
    %n = memref.alloc() : memref<100xf32>
    %u = memref.load %p[%c0] : memref<100xf32>
    %v = memref.load %q[%c0] : memref<100xf32>
    %s = arith.addf %u, %v : f32
    func.call @fill(%n, %s) : (memref<100xf32>, f32) -> ()
    scf.yield %n, %n : memref<100xf32>, memref<100xf32>
  }
  call @show(%r#0) : (memref<100xf32>) -> ()
  call @show(%r#1) : (memref<100xf32>) -> ()
  return
}

// e15d: upstream compares aligned pointers, and freed this twice.
func.func @pick(%c: i1) -> memref<4xf32> {
  %c16 = arith.constant 16 : index
  %c0 = arith.constant 0 : index
  %seven = arith.constant 7.0 : f32
  %bytes = memref.alloc() : memref<400xi8>
  %view = memref.view %bytes[%c16][] : memref<400xi8> to memref<4xf32>
  %other = memref.alloc() : memref<4xf32>
  memref.store %seven, %view[%c0] : memref<4xf32>
  memref.store %seven, %other[%c0] : memref<4xf32>
  %r = arith.select %c, %view, %other : memref<4xf32>
  return %r : memref<4xf32>
}
// SHIFTED: value
// SHIFTED: value
// SHIFTED: allocations=4 peak=2 {{.*}}leaks=0 double-frees=0
func.func @shifted_view() {
  %c0 = arith.constant 0 : index
  %true = arith.constant true
  %false = arith.constant false
  %yes = call @opaque_i1(%true) : (i1) -> i1
  %no = call @opaque_i1(%false) : (i1) -> i1
  %a = call @pick(%yes) : (i1) -> memref<4xf32>
  %u = memref.load %a[%c0] : memref<4xf32>
  call @observe_f32(%u) : (f32) -> ()
  %b = call @pick(%no) : (i1) -> memref<4xf32>
  %v = memref.load %b[%c0] : memref<4xf32>
  call @observe_f32(%v) : (f32) -> ()
  return
}

// e15c: a select does not keep its operands alive together for longer than it lives.
// SELECT: value
// SELECT: allocations=3 peak=2 {{.*}}leaks=0 double-frees=0
func.func @select_then_temporary() {
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %c = call @opaque_i1(%true) : (i1) -> i1
  %a = memref.alloc() : memref<100xf32>
  %b = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  call @fill(%b, %one) : (memref<100xf32>, f32) -> ()
  %s = arith.select %c, %a, %b : memref<100xf32>
  call @show(%s) : (memref<100xf32>) -> ()
  %t = memref.alloc() : memref<100xf32>
  call @fill(%t, %one) : (memref<100xf32>, f32) -> ()
  return
}

// e14
// SWITCH: allocations=6 peak=2 {{.*}}leaks=0 double-frees=0
func.func @switch_and_region() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %outer = memref.alloc() : memref<100xf32>
  call @fill(%outer, %one) : (memref<100xf32>, f32) -> ()
  scf.for %i = %c0 to %c3 step %c1 {
    %r = scf.index_switch %i -> memref<100xf32>
    case 0 {
      scf.yield %outer : memref<100xf32>
    }
    case 1 {
      %new = memref.alloc() : memref<100xf32>
      func.call @fill(%new, %one) : (memref<100xf32>, f32) -> ()
      scf.yield %new : memref<100xf32>
    }
    default {
      scf.yield %outer : memref<100xf32>
    }
    %e = scf.execute_region -> memref<100xf32> {
      %odd = arith.cmpi eq, %i, %c1 : index
      cf.cond_br %odd, ^bb1, ^bb2
    ^bb1:
      %new = memref.alloc() : memref<100xf32>
      func.call @fill(%new, %one) : (memref<100xf32>, f32) -> ()
      scf.yield %new : memref<100xf32>
    ^bb2:
      %tmp = memref.alloc() : memref<100xf32>
      func.call @fill(%tmp, %one) : (memref<100xf32>, f32) -> ()
      scf.yield %r : memref<100xf32>
    }
    func.call @show(%e) : (memref<100xf32>) -> ()
  }
  %last = memref.alloc() : memref<100xf32>
  call @fill(%last, %one) : (memref<100xf32>, f32) -> ()
  return
}

// e13: each iteration frees its own.
// PARALLEL: allocations=8 peak=1 {{.*}}leaks=0 double-frees=0
func.func @parallel_loops() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %one = arith.constant 1.0 : f32
  scf.parallel (%i) = (%c0) to (%c4) step (%c1) {
    %t = memref.alloc() : memref<100xf32>
    func.call @fill(%t, %one) : (memref<100xf32>, f32) -> ()
    scf.reduce
  }
  scf.forall (%i) in (4) {
    %t = memref.alloc() : memref<100xf32>
    func.call @fill(%t, %one) : (memref<100xf32>, f32) -> ()
  }
  return
}

// AFFINE: value
// AFFINE: allocations=11 peak=2 {{.*}}leaks=0 double-frees=0
func.func @affine() {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  %r = affine.for %i = 0 to 10 iter_args(%m = %a) -> memref<100xf32> {
    %n = affine.if affine_set<(d0) : (d0 - 5 >= 0)>(%i) -> memref<100xf32> {
      %new = memref.alloc() : memref<100xf32>
      func.call @fill(%new, %one) : (memref<100xf32>, f32) -> ()
      affine.yield %new : memref<100xf32>
    } else {
      %t = memref.alloc() : memref<100xf32>
      func.call @fill(%t, %one) : (memref<100xf32>, f32) -> ()
      affine.yield %m : memref<100xf32>
    }
    affine.yield %n : memref<100xf32>
  }
  call @show(%r) : (memref<100xf32>) -> ()
  return
}

// SCOPE: value
// SCOPE: allocations=2 peak=2 {{.*}}leaks=0 double-frees=0
func.func @scope() {
  %one = arith.constant 1.0 : f32
  %r = memref.alloca_scope -> (memref<100xf32>) {
    %t = memref.alloc() : memref<100xf32>
    %a = memref.alloc() : memref<100xf32>
    func.call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
    memref.copy %a, %t : memref<100xf32> to memref<100xf32>
    memref.alloca_scope.return %a : memref<100xf32>
  }
  call @show(%r) : (memref<100xf32>) -> ()
  return
}

// e43: upstream frees before the pointer is used.
func.func private @strlen(i64) -> i64
// POINTER: allocations=1 peak=1 {{.*}}leaks=0 double-frees=0
func.func @raw_pointer() -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %letter = arith.constant 65 : i8
  %zero = arith.constant 0 : i8
  %a = memref.alloc() : memref<2xi8>
  memref.store %letter, %a[%c0] : memref<2xi8>
  memref.store %zero, %a[%c1] : memref<2xi8>
  %p = memref.extract_aligned_pointer_as_index %a : memref<2xi8> -> index
  %q = arith.index_cast %p : index to i64
  %n = call @strlen(%q) : (i64) -> i64
  return %n : i64
}

// e10: the buffer grows in place, and is the loop's all the time.
// GROW: value
// GROW: {{.*}}leaks=0 double-frees=0
func.func @grow() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %c100 = arith.constant 100 : index
  %one = arith.constant 1.0 : f32
  %size = call @opaque_index(%c100) : (index) -> index
  %a = memref.alloc(%size) : memref<?xf32>
  memref.store %one, %a[%c0] : memref<?xf32>
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %a) -> memref<?xf32> {
    %rest = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %rest, %c0 : index
    %n = scf.if %even -> memref<?xf32> {
      %j = arith.addi %i, %c2 : index
      %larger = arith.muli %j, %c100 : index
      %new = memref.realloc %m(%larger) : memref<?xf32> to memref<?xf32>
      scf.yield %new : memref<?xf32>
    } else {
      scf.yield %m : memref<?xf32>
    }
    scf.yield %n : memref<?xf32>
  }
  %v = memref.load %r[%c0] : memref<?xf32>
  call @observe_f32(%v) : (f32) -> ()
  return
}

// e21
// FREED: allocations=2 peak=1 {{.*}}leaks=0 double-frees=0
func.func @freed_by_program() {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  %cast = memref.cast %a : memref<100xf32> to memref<?xf32>
  memref.dealloc %cast : memref<?xf32>
  %b = memref.alloc() : memref<100xf32>
  call @fill(%b, %one) : (memref<100xf32>, f32) -> ()
  return
}

// e22
// STACK: value
// STACK: allocations=1 peak=1 {{.*}}leaks=0 double-frees=0
func.func @stack_or_heap() {
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %yes = call @opaque_i1(%true) : (i1) -> i1
  %no = call @opaque_i1(%false) : (i1) -> i1
  %stack = memref.alloca() : memref<100xf32>
  call @fill(%stack, %one) : (memref<100xf32>, f32) -> ()
  %r = scf.if %yes -> memref<100xf32> {
    scf.yield %stack : memref<100xf32>
  } else {
    %new = memref.alloc() : memref<100xf32>
    scf.yield %new : memref<100xf32>
  }
  call @show(%r) : (memref<100xf32>) -> ()
  %s = scf.if %no -> memref<100xf32> {
    scf.yield %stack : memref<100xf32>
  } else {
    %new = memref.alloc() : memref<100xf32>
    func.call @fill(%new, %one) : (memref<100xf32>, f32) -> ()
    scf.yield %new : memref<100xf32>
  }
  call @show(%s) : (memref<100xf32>) -> ()
  return
}

// e25: what is yielded is a part, what is freed is the whole.
// LARGER: value
// LARGER: allocations=11 peak=2 {{.*}}leaks=0 double-frees=0
func.func @view_of_larger() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<10xf32>
  memref.store %one, %a[%c0] : memref<10xf32>
  %view = memref.cast %a : memref<10xf32> to memref<10xf32, strided<[1], offset: ?>>
  %r = scf.for %i = %c0 to %c10 step %c1 iter_args(%m = %view)
      -> memref<10xf32, strided<[1], offset: ?>> {
    %large = memref.alloc() : memref<100xf32>
    %v = memref.load %m[%c0] : memref<10xf32, strided<[1], offset: ?>>
    %w = arith.addf %v, %one : f32
    func.call @fill(%large, %w) : (memref<100xf32>, f32) -> ()
    %part = memref.subview %large[%i][10][1] : memref<100xf32> to memref<10xf32, strided<[1], offset: ?>>
    scf.yield %part : memref<10xf32, strided<[1], offset: ?>>
  }
  %v = memref.load %r[%c0] : memref<10xf32, strided<[1], offset: ?>>
  call @observe_f32(%v) : (f32) -> ()
  return
}

// e26 and e42: each buffer is freed after its last use, so that there are never more than two.
// EARLY: value
// EARLY: allocations=5 peak=2 {{.*}}leaks=0 double-frees=0
func.func @early() {
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<100xf32>
  call @fill(%a, %one) : (memref<100xf32>, f32) -> ()
  %b = memref.alloc() : memref<100xf32>
  memref.copy %a, %b : memref<100xf32> to memref<100xf32>
  %c = memref.alloc() : memref<100xf32>
  memref.copy %b, %c : memref<100xf32> to memref<100xf32>
  %d = memref.alloc() : memref<100xf32>
  memref.copy %c, %d : memref<100xf32> to memref<100xf32>
  %e = memref.alloc() : memref<100xf32>
  memref.copy %d, %e : memref<100xf32> to memref<100xf32>
  call @show(%e) : (memref<100xf32>) -> ()
  return
}
