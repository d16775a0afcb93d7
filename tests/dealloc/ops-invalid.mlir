// RUN: fold-opt %s -split-input-file -verify-diagnostics

func.func @results(%m: memref<2xi32>, %o: !deallocation.ownership) {
  // expected-error @below {{'deallocation.retain' op has 2 results, expected one for each of the 1 retained memrefs}}
  %k:2 = deallocation.retain(%m) of(%o)
    : (memref<2xi32>, !deallocation.ownership) -> (!deallocation.ownership, !deallocation.ownership)
  return
}

// -----

func.func @not_a_memref(%i: index) {
  // expected-error @below {{'deallocation.own' op operand #0 must be}}
  %o = "deallocation.own"(%i) : (index) -> !deallocation.ownership
  return
}
