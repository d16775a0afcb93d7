// The published tests of `deallocate` by name (reference: the design's test inventory), with our expectations: freed after
// the last use, forwarded where the design compares at run time.
// RUN: fold-opt %s -deallocate -split-input-file -allow-unregistered-dialect | FileCheck %s

// CHECK-LABEL: @loop_nested_if
func.func @loop_nested_if(%lb: index, %ub: index, %step: index, %arg: memref<2xi32>, %c: i1) {
  // CHECK: %[[NULL:.*]] = deallocation.null
  // CHECK: %[[OUTER:.*]]:2 = scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[MO:.*]] = %[[NULL]])
  %r = scf.for %i = %lb to %ub step %step iter_args(%m = %arg) -> memref<2xi32> {
    // CHECK: %[[INNER:.*]]:2 = scf.for {{.*}} iter_args(%[[N:.*]] = %[[M]], %[[NO:.*]] = %[[MO]])
    %s = scf.for %j = %lb to %ub step %step iter_args(%n = %m) -> memref<2xi32> {
      // CHECK: %[[IF:.*]]:2 = scf.if
      %t = scf.if %c -> memref<2xi32> {
        // The branch that does not yield it frees it.
        // CHECK: deallocation.retain() of(%[[NO]])
        // CHECK: %[[NEW:.*]] = memref.alloc
        // CHECK: %[[OWN:.*]] = deallocation.own %[[NEW]]
        // CHECK: scf.yield %[[NEW]], %[[OWN]]
        %new = memref.alloc() : memref<2xi32>
        scf.yield %new : memref<2xi32>
      } else {
        // CHECK: scf.yield %[[N]], %[[NO]]
        scf.yield %n : memref<2xi32>
      }
      // CHECK: scf.yield %[[IF]]#0, %[[IF]]#1
      scf.yield %t : memref<2xi32>
    }
    // CHECK: scf.yield %[[INNER]]#0, %[[INNER]]#1
    scf.yield %s : memref<2xi32>
  }
  // CHECK: "test.use"(%[[OUTER]]#0)
  // CHECK-NEXT: deallocation.retain() of(%[[OUTER]]#1)
  "test.use"(%r) : (memref<2xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: @nested_if
func.func @nested_if(%c: i1) -> (memref<2xi32>, memref<2xi32>) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[OA:.*]] = deallocation.own %[[A]]
  %a = memref.alloc() : memref<2xi32>
  // CHECK: %[[IF:.*]]:2 = scf.if
  %r = scf.if %c -> memref<2xi32> {
    // CHECK: %[[B:.*]] = memref.alloc
    // CHECK: %[[OB:.*]] = deallocation.own %[[B]]
    %b = memref.alloc() : memref<2xi32>
    // CHECK: %[[INNER:.*]]:2 = scf.if
    %s = scf.if %c -> memref<2xi32> {
      // CHECK: deallocation.retain() of(%[[OB]])
      // CHECK: %[[NULL:.*]] = deallocation.null
      // CHECK: scf.yield %[[A]], %[[NULL]]
      scf.yield %a : memref<2xi32>
    } else {
      // CHECK: scf.yield %[[B]], %[[OB]]
      scf.yield %b : memref<2xi32>
    }
    scf.yield %s : memref<2xi32>
  } else {
    // CHECK: %[[C:.*]] = memref.alloc
    // CHECK: %[[OC:.*]] = deallocation.own %[[C]]
    // CHECK: scf.yield %[[C]], %[[OC]]
    %d = memref.alloc() : memref<2xi32>
    scf.yield %d : memref<2xi32>
  }
  // The allocation is known to be that of %a.
  // CHECK: return %[[A]], %[[IF]]#0, %[[OA]], %[[IF]]#1
  return %a, %r : memref<2xi32>, memref<2xi32>
}

// -----

// The same allocation three times: one of them owns it.
// CHECK-LABEL: @while
func.func @while(%c: i1) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  // CHECK: %[[NULL:.*]] = deallocation.null
  // CHECK: scf.while (%{{.*}} = %[[A]], %{{.*}} = %[[A]], %{{.*}} = %[[A]], %{{.*}} = %[[O]], %{{.*}} = %[[NULL]], %{{.*}} = %[[NULL]])
  %a = memref.alloc() : memref<2xi32>
  %r:3 = scf.while (%x = %a, %y = %a, %z = %a) : (memref<2xi32>, memref<2xi32>, memref<2xi32>) -> (memref<2xi32>, memref<2xi32>, memref<2xi32>) {
    scf.condition(%c) %x, %y, %z : memref<2xi32>, memref<2xi32>, memref<2xi32>
  } do {
  ^bb0(%x: memref<2xi32>, %y: memref<2xi32>, %z: memref<2xi32>):
    scf.yield %y, %z, %x : memref<2xi32>, memref<2xi32>, memref<2xi32>
  }
  // CHECK: "test.use"
  // CHECK-NEXT: deallocation.retain() of
  // CHECK-NEXT: deallocation.retain() of
  // CHECK-NEXT: deallocation.retain() of
  "test.use"(%r#0, %r#1, %r#2) : (memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: @if_without_else
func.func @if_without_else(%c: i1) {
  // CHECK: scf.if
  scf.if %c {
    // CHECK: %[[A:.*]] = memref.alloc
    // CHECK: %[[O:.*]] = deallocation.own %[[A]]
    // CHECK: "test.use"(%[[A]])
    // CHECK-NEXT: deallocation.retain() of(%[[O]])
    %a = memref.alloc() : memref<2xi32>
    "test.use"(%a) : (memref<2xi32>) -> ()
    "test.other"() : () -> ()
  }
  return
}

// -----

// CHECK-LABEL: @yield_same_alloc_twice
func.func @yield_same_alloc_twice(%c: i1) -> (memref<2xi32>, memref<2xi32>) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  %a = memref.alloc() : memref<2xi32>
  // CHECK: scf.if
  %r:2 = scf.if %c -> (memref<2xi32>, memref<2xi32>) {
    // CHECK: %[[NULL:.*]] = deallocation.null
    // CHECK: scf.yield %[[A]], %[[A]], %[[O]], %[[NULL]]
    scf.yield %a, %a : memref<2xi32>, memref<2xi32>
  } else {
    // CHECK: %[[NULL2:.*]] = deallocation.null
    // CHECK: scf.yield %[[A]], %[[A]], %[[O]], %[[NULL2]]
    scf.yield %a, %a : memref<2xi32>, memref<2xi32>
  }
  return %r#0, %r#1 : memref<2xi32>, memref<2xi32>
}

// -----

// What an unknown operation returns may be a view of its operand, or not.
// CHECK-LABEL: @yield_derived
func.func @yield_derived(%lb: index, %ub: index, %step: index, %arg: memref<2xi32>) -> memref<2xi32> {
  // CHECK: scf.for {{.*}} iter_args(%[[M:.*]] = %{{.*}}, %[[MO:.*]] = %{{.*}})
  %r = scf.for %i = %lb to %ub step %step iter_args(%m = %arg) -> memref<2xi32> {
    // CHECK: deallocation.retain() of(%[[MO]])
    // CHECK: %[[A:.*]] = memref.alloc
    // CHECK: %[[O:.*]] = deallocation.own %[[A]]
    // CHECK: %[[D:.*]] = "test.derive"(%[[A]])
    // CHECK: %[[K:.*]] = deallocation.retain(%[[D]]) of(%[[O]])
    // CHECK: scf.yield %[[D]], %[[K]]
    %a = memref.alloc() : memref<2xi32>
    %d = "test.derive"(%a) : (memref<2xi32>) -> memref<2xi32>
    scf.yield %d : memref<2xi32>
  }
  return %r : memref<2xi32>
}

// -----

// CHECK-LABEL: @parallel
func.func @parallel(%lb: index, %ub: index, %step: index) {
  // CHECK: scf.parallel
  scf.parallel (%i) = (%lb) to (%ub) step (%step) {
    // CHECK: %[[A:.*]] = memref.alloc
    // CHECK: %[[O:.*]] = deallocation.own %[[A]]
    // CHECK: "test.use"(%[[A]])
    // CHECK-NEXT: deallocation.retain() of(%[[O]])
    // CHECK-NEXT: scf.reduce
    %a = memref.alloc() : memref<2xi32>
    "test.use"(%a) : (memref<2xi32>) -> ()
    scf.reduce
  }
  return
}

// -----

// CHECK-LABEL: @unconditional_realloc
func.func @unconditional_realloc(%n: index) {
  // CHECK: memref.alloc
  // CHECK: %[[R:.*]] = memref.realloc
  // CHECK-NEXT: %[[O:.*]] = deallocation.own %[[R]]
  // CHECK: "test.use"(%[[R]])
  // CHECK-NEXT: deallocation.retain() of(%[[O]])
  // CHECK-NEXT: return
  %a = memref.alloc(%n) : memref<?xi32>
  %r = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  "test.use"(%r) : (memref<?xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: @realloc_in_if
func.func @realloc_in_if(%n: index, %c: i1) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  %a = memref.alloc(%n) : memref<?xi32>
  // CHECK: %[[IF:.*]]:2 = scf.if
  %r = scf.if %c -> memref<?xi32> {
    // CHECK: %[[R:.*]] = memref.realloc %[[A]]
    // CHECK: %[[RO:.*]] = deallocation.own %[[R]]
    // CHECK: scf.yield %[[R]], %[[RO]]
    %new = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %new : memref<?xi32>
  } else {
    // CHECK: scf.yield %[[A]], %[[O]]
    scf.yield %a : memref<?xi32>
  }
  // CHECK: "test.use"(%[[IF]]#0)
  // CHECK-NEXT: deallocation.retain() of(%[[IF]]#1)
  "test.use"(%r) : (memref<?xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: @realloc_in_if_strange_but_ok
func.func @realloc_in_if_strange_but_ok(%n: index, %c: i1) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  %a = memref.alloc(%n) : memref<?xi32>
  %r = scf.if %c -> memref<?xi32> {
    // CHECK: %[[R:.*]] = memref.realloc %[[A]]
    // CHECK: %[[RO:.*]] = deallocation.own %[[R]]
    // CHECK: deallocation.retain() of(%[[RO]])
    // CHECK: %[[B:.*]] = memref.alloc
    // CHECK: %[[OB:.*]] = deallocation.own %[[B]]
    // CHECK: scf.yield %[[B]], %[[OB]]
    %new = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    "test.use"(%new) : (memref<?xi32>) -> ()
    %b = memref.alloc(%n) : memref<?xi32>
    scf.yield %b : memref<?xi32>
  } else {
    // CHECK: scf.yield %[[A]], %[[O]]
    scf.yield %a : memref<?xi32>
  }
  "test.use"(%r) : (memref<?xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: @realloc_in_loop
func.func @realloc_in_loop(%n: index, %c: i1, %lb: index, %ub: index, %step: index) {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  // CHECK: %[[FOR:.*]]:2 = scf.for {{.*}} iter_args(%[[M:.*]] = %[[A]], %[[MO:.*]] = %[[O]])
  %a = memref.alloc(%n) : memref<?xi32>
  %s = scf.for %i = %lb to %ub step %step iter_args(%m = %a) -> memref<?xi32> {
    // CHECK: %[[IF:.*]]:2 = scf.if
    %r = scf.if %c -> memref<?xi32> {
      // CHECK: memref.realloc %[[M]]
      %new = memref.realloc %m(%n) : memref<?xi32> to memref<?xi32>
      scf.yield %new : memref<?xi32>
    } else {
      // CHECK: scf.yield %[[M]], %[[MO]]
      scf.yield %m : memref<?xi32>
    }
    // CHECK: scf.yield %[[IF]]#0, %[[IF]]#1
    scf.yield %r : memref<?xi32>
  }
  // CHECK: deallocation.retain() of(%[[FOR]]#1)
  return
}

// -----

// CHECK-LABEL: @alloca
// CHECK-NOT: deallocation
func.func @alloca() {
  %a = memref.alloca() : memref<2xi32>
  "test.use"(%a) : (memref<2xi32>) -> ()
  return
}

// -----

// CHECK-LABEL: @dealloc
// CHECK-NOT: retain
// CHECK: memref.dealloc
// CHECK-NOT: retain
func.func @dealloc() {
  %a = memref.alloc() : memref<2xi32>
  "test.use"(%a) : (memref<2xi32>) -> ()
  memref.dealloc %a : memref<2xi32>
  return
}

// -----

// CHECK-LABEL: @dealloc_in_loop
func.func @dealloc_in_loop(%lb: index, %ub: index, %step: index) {
  // CHECK: scf.for
  scf.for %i = %lb to %ub step %step {
    // CHECK: memref.alloc
    // CHECK-NOT: retain
    // CHECK: memref.dealloc
    // CHECK-NOT: retain
    %a = memref.alloc() : memref<2xi32>
    memref.dealloc %a : memref<2xi32>
  }
  return
}

// -----

// CHECK-LABEL: @dealloc_around_loop
// CHECK-NOT: retain
// CHECK: memref.dealloc
// CHECK-NOT: retain
func.func @dealloc_around_loop(%lb: index, %ub: index, %step: index) {
  %a = memref.alloc() : memref<2xi32>
  scf.for %i = %lb to %ub step %step {
    "test.use"(%a) : (memref<2xi32>) -> ()
  }
  memref.dealloc %a : memref<2xi32>
  return
}

// -----

// CHECK-LABEL: @memory_effect_no_free_or_alloc
func.func @memory_effect_no_free_or_alloc() {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  // CHECK: %[[E:.*]] = memref.expand_shape
  // CHECK: "test.use"(%[[E]])
  // CHECK-NEXT: deallocation.retain() of(%[[O]])
  %a = memref.alloc() : memref<4xi32>
  %e = memref.expand_shape %a [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>
  "test.use"(%e) : (memref<2x2xi32>) -> ()
  return
}

// -----

// memref.view changes the type of the elements: the published code freed what escapes.
// CHECK-LABEL: @view_escapes
func.func @view_escapes(%i: index) -> memref<2xf32> {
  // CHECK: %[[O:.*]] = deallocation.own
  // CHECK: return %{{.*}}, %[[O]]
  %a = memref.alloc() : memref<64xi8>
  %v = memref.view %a[%i][] : memref<64xi8> to memref<2xf32>
  return %v : memref<2xf32>
}

// -----

// What holds neither a memref nor an address does not keep the buffer.
// CHECK-LABEL: @address
func.func @address(%i: index) {
  // CHECK: "test.first"
  // CHECK-NEXT: "test.last"
  // CHECK-NEXT: deallocation.retain()
  // CHECK-NEXT: "test.other"
  %a = memref.alloc() : memref<64xi8>
  %p = memref.extract_aligned_pointer_as_index %a : memref<64xi8> -> index
  %q = arith.index_cast %p : index to i64
  "test.first"() : () -> ()
  %n = "test.last"(%q) : (i64) -> f32
  "test.other"(%n) : (f32) -> ()
  return
}

// -----

// An operation of which nothing is known: its result may be a view of its operands, and it may run its region any number of
// times. What the region allocates is freed in it.
// CHECK-LABEL: @unknown_region
func.func @unknown_region() {
  // CHECK: %[[A:.*]] = memref.alloc
  // CHECK: %[[O:.*]] = deallocation.own %[[A]]
  // CHECK: %[[R:.*]] = "test.region"(%[[A]]) ({
  // CHECK: %[[B:.*]] = memref.alloc
  // CHECK: %[[OB:.*]] = deallocation.own %[[B]]
  // CHECK: "test.use"(%[[B]], %{{.*}})
  // CHECK-NEXT: deallocation.retain() of(%[[OB]])
  // CHECK: "test.use"(%[[R]])
  // CHECK-NEXT: deallocation.retain() of(%[[O]])
  %a = memref.alloc() : memref<2xi32>
  %r = "test.region"(%a) ({
  ^bb0(%x: memref<2xi32>):
    %b = memref.alloc() : memref<2xi32>
    "test.use"(%b, %x) : (memref<2xi32>, memref<2xi32>) -> ()
    "test.yield"() : () -> ()
  }) : (memref<2xi32>) -> memref<2xi32>
  "test.use"(%r) : (memref<2xi32>) -> ()
  return
}

// -----

// One of two arguments goes round, the other is new each time: they are never the same, and nothing is compared.
// CHECK-LABEL: @never_the_same
func.func @never_the_same(%lb: index, %ub: index, %step: index) {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  // CHECK: scf.for {{.*}} iter_args(%[[P:.*]] = %{{.*}}, %[[Q:.*]] = %{{.*}}, %[[PO:.*]] = %{{.*}}, %[[QO:.*]] = %{{.*}})
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%p = %a, %q = %b) -> (memref<2xi32>, memref<2xi32>) {
    // CHECK: %[[N:.*]] = memref.alloc
    // CHECK: %[[NO:.*]] = deallocation.own %[[N]]
    // CHECK: "test.use"(%[[P]], %[[Q]], %[[N]])
    // CHECK-NEXT: deallocation.retain() of(%[[PO]])
    // CHECK-NEXT: scf.yield %[[Q]], %[[N]], %[[QO]], %[[NO]]
    %n = memref.alloc() : memref<2xi32>
    "test.use"(%p, %q, %n) : (memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
    scf.yield %q, %n : memref<2xi32>, memref<2xi32>
  }
  return
}

// -----

// The loop uses the buffer itself, so that it cannot take it; it is freed behind the loop and what comes out of it.
// CHECK-LABEL: @used_in_the_loop
func.func @used_in_the_loop(%lb: index, %ub: index, %step: index) {
  // CHECK: %[[O:.*]] = deallocation.own
  // CHECK: %[[NULL:.*]] = deallocation.null
  // CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %[[NULL]])
  %a = memref.alloc() : memref<2xi32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%m = %a) -> memref<2xi32> {
    "test.use"(%a) : (memref<2xi32>) -> ()
    scf.yield %m : memref<2xi32>
  }
  // CHECK: "test.use"(%[[R]]#0)
  // CHECK-NEXT: deallocation.retain() of(%[[O]])
  // CHECK-NEXT: deallocation.retain() of(%[[R]]#1)
  "test.use"(%r) : (memref<2xi32>) -> ()
  return
}

// -----

// Both arguments start as the same buffer, which is freed elsewhere: neither comes with it, so that the owner of one
// never owns the other. They were told apart at run time, and %r#0 lived as long as %r#1.
// CHECK-LABEL: @both_start_as_one
func.func @both_start_as_one(%lb: index, %ub: index, %step: index) {
  %a = memref.alloc() : memref<2xi32>
  // CHECK: %[[NULL:.*]] = deallocation.null
  // CHECK: %[[R:.*]]:4 = scf.for {{.*}} iter_args({{.*}}, %[[XO:.*]] = %[[NULL]], %[[YO:.*]] = %[[NULL]])
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%x = %a, %y = %a) -> (memref<2xi32>, memref<2xi32>) {
    // CHECK: %[[B:.*]] = memref.alloc
    // CHECK: %[[BO:.*]] = deallocation.own %[[B]]
    // CHECK: "test.use"
    // CHECK-NEXT: deallocation.retain() of(%[[XO]])
    // CHECK-NEXT: deallocation.retain() of(%[[YO]])
    // CHECK: %[[C:.*]] = memref.alloc
    // CHECK: %[[CO:.*]] = deallocation.own %[[C]]
    // CHECK-NEXT: scf.yield %[[B]], %[[C]], %[[BO]], %[[CO]]
    %b = memref.alloc() : memref<2xi32>
    "test.use"(%x, %y, %b) : (memref<2xi32>, memref<2xi32>, memref<2xi32>) -> ()
    %c = memref.alloc() : memref<2xi32>
    scf.yield %b, %c : memref<2xi32>, memref<2xi32>
  }
  // CHECK: deallocation.retain() of(%[[R]]#2)
  // CHECK: "test.use"(%[[R]]#1)
  // CHECK: deallocation.retain() of(%[[R]]#3)
  "test.use"(%a) : (memref<2xi32>) -> ()
  "test.use"(%r#1) : (memref<2xi32>) -> ()
  return
}

// -----

// They start as the same buffer and come with it: one of them owns it, and it is not known which.
// CHECK-LABEL: @both_start_as_one_and_own_it
func.func @both_start_as_one_and_own_it(%lb: index, %ub: index, %step: index) {
  %a = memref.alloc() : memref<2xi32>
  // CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}, %[[XO:.*]] = %{{.*}}, %[[YO:.*]] = %{{.*}})
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%x = %a, %y = %a) -> (memref<2xi32>, memref<2xi32>) {
    // CHECK: "test.use"(%[[X]])
    // CHECK-NEXT: %[[B:.*]] = memref.alloc
    // CHECK-NEXT: %[[BO:.*]] = deallocation.own %[[B]]
    // CHECK-NEXT: "test.use"(%[[Y]])
    // CHECK-NEXT: deallocation.retain() of(%[[XO]])
    // CHECK-NEXT: deallocation.retain() of(%[[YO]])
    "test.use"(%x) : (memref<2xi32>) -> ()
    %b = memref.alloc() : memref<2xi32>
    "test.use"(%y) : (memref<2xi32>) -> ()
    %c = memref.alloc() : memref<2xi32>
    scf.yield %b, %c : memref<2xi32>, memref<2xi32>
  }
  return
}
