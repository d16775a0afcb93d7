// RUN: fold-opt %s -deallocate -split-input-file -verify-diagnostics -allow-unregistered-dialect

func.func @dealloc_in_loop(%lb: index, %ub: index, %step: index) {
  %a = memref.alloc() : memref<2xi32>
  scf.for %i = %lb to %ub step %step {
    // expected-error @below {{'memref.dealloc' op frees a memref that is defined outside of 'scf.for', expected it to be passed in as an iteration argument}}
    memref.dealloc %a : memref<2xi32>
  }
  return
}

// -----

func.func @dealloc_in_if_in_loop(%lb: index, %ub: index, %step: index, %c: i1) {
  %a = memref.alloc() : memref<2xi32>
  scf.for %i = %lb to %ub step %step {
    scf.if %c {
      // expected-error @below {{frees a memref that is defined outside of 'scf.for'}}
      memref.dealloc %a : memref<2xi32>
    } else {
    }
  }
  return
}

// -----

func.func @realloc_no_else(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi32>
  scf.if %c {
    // expected-error @below {{'memref.realloc' op frees a memref that is defined outside of an 'scf.if' without else, expected an else region that yields the memref}}
    %r = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  }
  return
}

// -----

func.func @realloc_not_yielded(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi32>
  scf.if %c {
    // expected-error @below {{'memref.realloc' op frees a memref that is defined outside of the 'scf.if', expected the other region to yield the memref}}
    %r = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  } else {
  }
  return
}

// -----

func.func @realloc_arg(%n: index, %a: memref<?xi32>) {
  // expected-error @below {{'memref.realloc' op frees a memref that is not owned here, or that was freed before}}
  %r = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  return
}

// -----

func.func @realloc_twice(%n: index) {
  %a = memref.alloc(%n) : memref<?xi32>
  // expected-error @below {{'memref.realloc' op frees a memref that is used after it, expected its last use}}
  %r = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  %s = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
  return
}

// -----

func.func @realloc_twice_in_if(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xi32>
  %x = scf.if %c -> memref<?xi32> {
    // expected-error @below {{'memref.realloc' op frees a memref that is used after it}}
    %r = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    %s = memref.realloc %a(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %s : memref<?xi32>
  } else {
    scf.yield %a : memref<?xi32>
  }
  return
}

// -----

func.func @realloc_used_after_loop(%n: index, %lb: index, %ub: index, %step: index) -> i32 {
  %c0 = arith.constant 0 : index
  %a = memref.alloc(%n) : memref<?xi32>
  %s = scf.for %i = %lb to %ub step %step iter_args(%m = %a) -> memref<?xi32> {
    // expected-error @below {{'memref.realloc' op frees the argument of 'scf.for', whose initial value is not owned or used afterwards}}
    %r = memref.realloc %m(%n) : memref<?xi32> to memref<?xi32>
    scf.yield %r : memref<?xi32>
  }
  %v = memref.load %a[%c0] : memref<?xi32>
  return %v : i32
}

// -----

func.func @stored(%where: memref<memref<2xi32>>) {
  %c0 = arith.constant 0 : index
  %a = memref.alloc() : memref<2xi32>
  // expected-error @below {{'memref.store' op stores a memref in another memref: its owner cannot be known any more}}
  memref.store %a, %where[] : memref<memref<2xi32>>
  return
}

// -----

func.func @not_bufferised(%t: tensor<2xi32>) -> memref<2xi32> {
  // expected-error @below {{'bufferization.to_buffer' op is not accepted by deallocate, expected IR that is bufferised completely and does not free}}
  %m = bufferization.to_buffer %t : tensor<2xi32> to memref<2xi32>
  return %m : memref<2xi32>
}

// -----

func.func @twice() {
  %a = memref.alloc() : memref<2xi32>
  // expected-error @below {{'deallocation.own' op is there already: deallocate must run once}}
  %o = deallocation.own %a : memref<2xi32>
  return
}

// -----

func.func @parallel_memref(%lb: index, %ub: index, %step: index, %x: memref<2xi32>) {
  // expected-error @below {{'scf.parallel' op is not supported by deallocate: it passes memrefs through its regions}}
  %r = scf.parallel (%i) = (%lb) to (%ub) step (%step) init (%x) -> memref<2xi32> {
    scf.reduce(%x : memref<2xi32>) {
    ^bb0(%a: memref<2xi32>, %b: memref<2xi32>):
      scf.reduce.return %a : memref<2xi32>
    }
  }
  return
}

// -----

func.func @escapes_unknown_region() {
  %r = "test.region"() ({
    %a = memref.alloc() : memref<2xi32>
    // expected-error @below {{'test.yield' op passes a memref that is allocated in the region to 'test.region', which deallocate does not know to take it}}
    "test.yield"(%a) : (memref<2xi32>) -> ()
  }) : () -> memref<2xi32>
  return
}

// -----

module {
  module {
    func.func @nested() {
      // expected-error @below {{'memref.alloc' op allocates outside of the functions of the module that deallocate runs on}}
      %a = memref.alloc() : memref<2xi32>
      return
    }
  }
}

// -----

// A second error is reported as well, and nothing is changed.
func.func @two_errors(%where: memref<memref<2xi32>>, %x: memref<2xi32>) {
  // expected-error @below {{stores a memref in another memref}}
  memref.store %x, %where[] : memref<memref<2xi32>>
  // expected-error @below {{stores a memref in another memref}}
  affine.store %x, %where[] : memref<memref<2xi32>>
  return
}

// -----

func.func @unknown_branch(%x: memref<2xi32>) {
  // expected-error @below {{'test.branch' op is not supported by deallocate: it is a branch that does not forward its operands}}
  "test.branch"()[^next] : () -> ()
^next(%m: memref<2xi32>):
  return
}

// -----

func.func @frees_already(%x: memref<2xi32>, %c: i1) {
  // expected-error @below {{'bufferization.dealloc' op is not accepted by deallocate, expected IR that is bufferised completely and does not free}}
  bufferization.dealloc (%x : memref<2xi32>) if (%c)
  return
}

// -----

func.func @has_a_tensor() {
  // expected-error @below {{'bufferization.alloc_tensor' op is not accepted by deallocate}}
  %t = bufferization.alloc_tensor() : tensor<2xi32>
  return
}

// -----

func.func @freed_twice() {
  %a = memref.alloc() : memref<2xi32>
  // expected-error @below {{'memref.dealloc' op frees a memref that is used after it, expected its last use}}
  memref.dealloc %a : memref<2xi32>
  memref.dealloc %a : memref<2xi32>
  return
}
