// Ownership across functions: the published tests by name, and the options of the pass.
// RUN: fold-opt %s -deallocate -split-input-file -allow-unregistered-dialect | FileCheck %s
// RUN: fold-opt %s -deallocate=public-results=clone -split-input-file -allow-unregistered-dialect | FileCheck %s --check-prefix=CLONE

// An argument is the caller's: public functions return null for it.
// CHECK-LABEL: func @id(%arg0: memref<2xi32>) -> (memref<2xi32>, !deallocation.ownership)
// CHECK: %[[NULL:.*]] = deallocation.null
// CHECK: return %arg0, %[[NULL]]
// CLONE-LABEL: func @id(%arg0: memref<2xi32>) -> memref<2xi32>
// CLONE: %[[COPY:.*]] = bufferization.clone %arg0
// CLONE: return %[[COPY]]
func.func @id(%x: memref<2xi32>) -> memref<2xi32> {
  return %x : memref<2xi32>
}

// CHECK-LABEL: func @id_select
// CHECK: deallocation.null
func.func @id_select(%c: i1, %x: memref<2xi32>, %y: memref<2xi32>) -> memref<2xi32> {
  %r = arith.select %c, %x, %y : memref<2xi32>
  return %r : memref<2xi32>
}

// CHECK-LABEL: func @user_of_id_select
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[OA:.*]] = deallocation.own %[[A]]
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[OB:.*]] = deallocation.own %[[B]]
// CHECK: %[[R:.*]]:2 = call @id_select
// CHECK-DAG: %[[K:.*]] = deallocation.retain(%[[R]]#0) of(%[[OA]], %[[OB]], %[[R]]#1)
// CHECK: return %[[R]]#0, %[[K]]
// CLONE-LABEL: func @user_of_id_select
// The result is new: the operands are freed after the call.
// CLONE: %[[A:.*]] = memref.alloc
// CLONE: %[[OA:.*]] = deallocation.own %[[A]]
// CLONE: %[[B:.*]] = memref.alloc
// CLONE: %[[OB:.*]] = deallocation.own %[[B]]
// CLONE: %[[R:.*]] = call @id_select
// CLONE-NEXT: deallocation.own %[[R]]
// CLONE-NEXT: deallocation.retain() of(%[[OA]])
// CLONE-NEXT: deallocation.retain() of(%[[OB]])
// CLONE-NEXT: return %[[R]]
func.func @user_of_id_select(%c: i1) -> memref<2xi32> {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %r = call @id_select(%c, %a, %b) : (i1, memref<2xi32>, memref<2xi32>) -> memref<2xi32>
  return %r : memref<2xi32>
}

// -----

// A private function takes the ownership of what it may return.
// CHECK-LABEL: func private @may_reuse(%arg0: i1, %arg1: memref<2xi32>, %arg2: memref<2xi32>, %arg3: !deallocation.ownership)
// CHECK: %[[IF:.*]]:2 = scf.if
// CHECK: scf.yield %arg1, %arg3
// CHECK: } else {
// CHECK: deallocation.retain() of(%arg3)
// CHECK: return %[[IF]]#0, %[[IF]]#1
func.func private @may_reuse(%c: i1, %x: memref<2xi32>, %used: memref<2xi32>) -> memref<2xi32> {
  %r = scf.if %c -> memref<2xi32> {
    scf.yield %x : memref<2xi32>
  } else {
    %n = memref.alloc() : memref<2xi32>
    scf.yield %n : memref<2xi32>
  }
  "test.use"(%used) : (memref<2xi32>) -> ()
  return %r : memref<2xi32>
}

// CHECK-LABEL: func @user
// CHECK: %[[A:.*]] = memref.alloc
// CHECK: %[[OA:.*]] = deallocation.own %[[A]]
// CHECK: %[[B:.*]] = memref.alloc
// CHECK: %[[OB:.*]] = deallocation.own %[[B]]
// CHECK: %[[R:.*]]:2 = call @may_reuse(%{{.*}}, %[[A]], %[[B]], %[[OA]]) {keep}
// CHECK-NEXT: deallocation.retain() of(%[[OB]])
// CHECK-NEXT: "test.use"(%[[R]]#0)
// CHECK-NEXT: deallocation.retain() of(%[[R]]#1)
func.func @user(%c: i1) {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %r = call @may_reuse(%c, %a, %b) {keep} : (i1, memref<2xi32>, memref<2xi32>) -> memref<2xi32>
  "test.use"(%r) : (memref<2xi32>) -> ()
  return
}

// What is used afterwards is still the caller's.
// CHECK-LABEL: func @keeps
// CHECK: %[[D:.*]] = memref.alloc
// CHECK: %[[OD:.*]] = deallocation.own %[[D]]
// CHECK: %[[NULL:.*]] = deallocation.null
// CHECK: %[[S:.*]]:2 = call @may_reuse(%{{.*}}, %[[D]], %arg1, %[[NULL]])
// CHECK: "test.use"(%[[S]]#0, %[[D]])
// CHECK-NEXT: deallocation.retain() of(%[[OD]])
// CHECK-NEXT: deallocation.retain() of(%[[S]]#1)
func.func @keeps(%c: i1, %other: memref<2xi32>) {
  %d = memref.alloc() : memref<2xi32>
  %s = call @may_reuse(%c, %d, %other) : (i1, memref<2xi32>, memref<2xi32>) -> memref<2xi32>
  "test.use"(%s, %d) : (memref<2xi32>, memref<2xi32>) -> ()
  return
}

// -----

// Some call passes one buffer twice: the function must not free it before the last use of the other argument.
// CHECK-LABEL: func private @same
// CHECK-NOT: retain()
// CHECK: "test.use"(%arg2)
// CHECK-NEXT: %[[K:.*]] = deallocation.retain(%[[S:.*]]) of(%arg3, %{{.*}})
// CHECK: return %[[S]], %[[K]]
func.func private @same(%c: i1, %x: memref<2xi32>, %used: memref<2xi32>) -> memref<2xi32> {
  %n = memref.alloc() : memref<2xi32>
  %r = arith.select %c, %x, %n : memref<2xi32>
  "test.use"(%used) : (memref<2xi32>) -> ()
  return %r : memref<2xi32>
}
func.func @passes_twice(%c: i1) {
  %d = memref.alloc() : memref<2xi32>
  // CHECK: call @same(%{{.*}}, %[[D:.*]], %[[D]], %{{.*}})
  %s = call @same(%c, %d, %d) : (i1, memref<2xi32>, memref<2xi32>) -> memref<2xi32>
  return
}

// -----

// Two results: the indicators follow, in their order.
// CHECK-LABEL: func @insert_may_reuse_and_forward
// CHECK-SAME: -> (memref<2xi32>, i32, memref<4xi32>, !deallocation.ownership, !deallocation.ownership)
// CHECK: %[[A:.*]] = memref.alloc() : memref<4xi32>
// CHECK: %[[O:.*]] = deallocation.own %[[A]]
// CHECK: %[[NULL:.*]] = deallocation.null
// CHECK: return %arg0, %arg1, %[[A]], %[[NULL]], %[[O]]
func.func @insert_may_reuse_and_forward(%x: memref<2xi32>, %i: i32) -> (memref<2xi32>, i32, memref<4xi32>) {
  %a = memref.alloc() : memref<4xi32>
  return %x, %i, %a : memref<2xi32>, i32, memref<4xi32>
}

// -----

// CHECK-LABEL: func @endless
// CHECK: %[[R:.*]]:2 = call @endless(%arg0)
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @endless(%x: memref<2xi32>) -> memref<2xi32> {
  %r = call @endless(%x) : (memref<2xi32>) -> memref<2xi32>
  return %r : memref<2xi32>
}

// CHECK-LABEL: func @terminating
// CHECK: %[[IF:.*]]:2 = scf.if
// CHECK: %[[R:.*]]:2 = func.call @terminating
// CHECK: scf.yield %[[R]]#0, %[[R]]#1
// CHECK: return %[[IF]]#0, %[[IF]]#1
func.func @terminating(%c: i1, %x: memref<2xi32>) -> memref<2xi32> {
  %r = scf.if %c -> memref<2xi32> {
    %s = func.call @terminating(%c, %x) : (i1, memref<2xi32>) -> memref<2xi32>
    scf.yield %s : memref<2xi32>
  } else {
    scf.yield %x : memref<2xi32>
  }
  return %r : memref<2xi32>
}

// -----

// What each result may be a view of is known apart: %b is freed after its own last use. (The results may be one
// buffer for other callers, so that what comes with them lives as long as both.)
// CHECK-LABEL: func @user_of_forward
// CHECK: %[[OA:.*]] = deallocation.own
// CHECK: %[[OB:.*]] = deallocation.own
// CHECK: %[[R:.*]]:4 = call @forward
// CHECK-NEXT: "test.use"(%[[R]]#1)
// CHECK-NEXT: deallocation.retain() of(%[[OB]])
// CHECK-NEXT: "test.use"(%[[R]]#0)
// CHECK-NEXT: deallocation.retain() of(%[[OA]])
// CHECK-NEXT: deallocation.retain() of(%[[R]]#2)
// CHECK-NEXT: deallocation.retain() of(%[[R]]#3)
func.func @forward(%x: memref<2xi32>, %y: memref<2xi32>) -> (memref<2xi32>, memref<2xi32>) {
  return %x, %y : memref<2xi32>, memref<2xi32>
}
func.func @user_of_forward() {
  %a = memref.alloc() : memref<2xi32>
  %b = memref.alloc() : memref<2xi32>
  %r:2 = call @forward(%a, %b) : (memref<2xi32>, memref<2xi32>) -> (memref<2xi32>, memref<2xi32>)
  "test.use"(%r#1) : (memref<2xi32>) -> ()
  "test.use"(%r#0) : (memref<2xi32>) -> ()
  return
}

// -----

// Declarations: what a function returns is the caller's and new, unless it says that it was made by this pass.
// CHECK: func.func private @external(memref<2xi32>) -> memref<2xi32>
func.func private @external(memref<2xi32>) -> memref<2xi32>
// CHECK: func.func private @other_module(memref<2xi32>) -> (memref<2xi32>, !deallocation.ownership)
func.func private @other_module(memref<2xi32>) -> memref<2xi32> attributes {deallocation.ownership_results}
// CHECK-LABEL: func @calls
// CHECK: %[[OA:.*]] = deallocation.own
// CHECK: %[[R:.*]] = call @external
// CHECK-NEXT: %[[OR:.*]] = deallocation.own %[[R]]
// CHECK-NEXT: "test.use"(%[[R]])
// CHECK-NEXT: deallocation.retain() of(%[[OR]])
// CHECK: %[[S:.*]]:2 = call @other_module
// CHECK-NEXT: "test.use"(%[[S]]#0)
// CHECK-NEXT: deallocation.retain() of(%[[OA]])
// CHECK-NEXT: deallocation.retain() of(%[[S]]#1)
func.func @calls() {
  %a = memref.alloc() : memref<2xi32>
  %r = call @external(%a) : (memref<2xi32>) -> memref<2xi32>
  "test.use"(%r) : (memref<2xi32>) -> ()
  %s = call @other_module(%a) : (memref<2xi32>) -> memref<2xi32>
  "test.use"(%s) : (memref<2xi32>) -> ()
  return
}

// -----

// A function whose address is taken keeps its type.
// CHECK-LABEL: func private @target(%arg0: memref<2xi32>) -> memref<2xi32>
// CHECK: bufferization.clone
func.func private @target(%x: memref<2xi32>) -> memref<2xi32> {
  return %x : memref<2xi32>
}
// CHECK-LABEL: func @indirect
// CHECK: %[[R:.*]] = call_indirect
// CHECK-NEXT: %[[O:.*]] = deallocation.own %[[R]]
// CHECK-NEXT: "test.use"(%[[R]])
// CHECK-NEXT: deallocation.retain() of(%[[O]])
func.func @indirect(%x: memref<2xi32>) {
  %f = constant @target : (memref<2xi32>) -> memref<2xi32>
  %r = call_indirect %f(%x) : (memref<2xi32>) -> memref<2xi32>
  "test.use"(%r) : (memref<2xi32>) -> ()
  return
}

// -----

// A copy is made only where nothing is owned.
// CLONE-LABEL: func @maybe
// CLONE: %[[IF:.*]]:2 = scf.if
// CLONE: %[[ADDRESS:.*]] = deallocation.get_buffer %[[IF]]#1
// CLONE: %[[NONE:.*]] = arith.cmpi eq, %[[ADDRESS]]
// CLONE: %[[R:.*]] = scf.if %[[NONE]]
// CLONE: bufferization.clone %[[IF]]#0
// CLONE: } else {
// CLONE-NEXT: scf.yield %[[IF]]#0
// CLONE: return %[[R]]
// CHECK-LABEL: func @maybe
func.func @maybe(%c: i1, %x: memref<2xi32>) -> memref<2xi32> {
  %r = scf.if %c -> memref<2xi32> {
    scf.yield %x : memref<2xi32>
  } else {
    %n = memref.alloc() : memref<2xi32>
    scf.yield %n : memref<2xi32>
  }
  return %r : memref<2xi32>
}

// -----

// Memory that is nobody's.
memref.global "private" constant @table : memref<2xi32> = dense<1>
// CHECK-LABEL: func @global
// CHECK: %[[NULL:.*]] = deallocation.null
// CHECK: return %{{.*}}, %[[NULL]]
func.func @global() -> memref<2xi32> {
  %t = memref.get_global @table : memref<2xi32>
  return %t : memref<2xi32>
}
