// What is shared: one element in two sequences, one sequence with two changes,
// an element that outlives its sequence, an element twice. Who changes a
// sequence that somebody else still reads gets slots of his own, and no element
// is copied.
// RUN: sequence-run %s | FileCheck %s
// RUN: sequence-run --malloc %s
// RUN: sequence-run -O2 %s | FileCheck %s

!seq = !sequence.seq<tensor<?xf32>, ?>

func.func private @print_f32(tensor<*xf32> {bufferization.access = "read"})
func.func private @opaque_index(index) -> index
func.func private @opaque_i1(i1) -> i1

func.func private @vector(%n: index, %value: f32) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%value : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

func.func private @print_vector(%v: tensor<?xf32>) {
  %any = tensor.cast %v : tensor<?xf32> to tensor<*xf32>
  call @print_f32(%any) : (tensor<*xf32>) -> ()
  return
}

func.func private @print(%s: !seq) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sequence.length %s : !seq
  scf.for %i = %c0 to %n step %c1 {
    %e = sequence.at %s[%i] : !seq -> tensor<?xf32>
    func.call @print_vector(%e) : (tensor<?xf32>) -> ()
  }
  return
}

// [1] [2 2]
func.func private @two() -> !seq {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %f1 = arith.constant 1.0 : f32
  %f2 = arith.constant 2.0 : f32
  %a = call @vector(%c1, %f1) : (index, f32) -> tensor<?xf32>
  %b = call @vector(%c2, %f2) : (index, f32) -> tensor<?xf32>
  %s = sequence.construct %a, %b : (tensor<?xf32>, tensor<?xf32>) -> !seq
  return %s : !seq
}

func.func private @last_of(%s: !seq) -> tensor<?xf32> {
  %m1 = arith.constant -1 : index
  %e = sequence.at %s[%m1] : !seq -> tensor<?xf32>
  return %e : tensor<?xf32>
}

// A last use in each branch.
func.func private @append_or_not(%s: !seq, %which: i1) -> !seq {
  %nine = arith.constant dense<9.0> : tensor<3xf32>
  %r = scf.if %which -> !seq {
    %t = sequence.insert %nine into %s : tensor<3xf32>, !seq -> !seq
    scf.yield %t : !seq
  } else {
    scf.yield %s : !seq
  }
  return %r : !seq
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %f8 = arith.constant 8.0 : f32
  %true = arith.constant true
  %false = arith.constant false
  %p0 = call @opaque_index(%c0) : (index) -> index
  %yes = call @opaque_i1(%true) : (i1) -> i1
  %no = call @opaque_i1(%false) : (i1) -> i1

  // Two changes of one sequence, which is printed last.
  // CHECK:      [1]
  // CHECK-NEXT: [2 2]
  // CHECK-NEXT: [8 8 8]
  // CHECK-NEXT: [2 2]
  // CHECK-NEXT: [1]
  // CHECK-NEXT: [2 2]
  %s = call @two() : () -> !seq
  %eight = call @vector(%c3, %f8) : (index, f32) -> tensor<?xf32>
  %t = sequence.insert %eight into %s : tensor<?xf32>, !seq -> !seq
  %u = sequence.erase %s at %p0 : !seq -> !seq
  call @print(%t) : (!seq) -> ()
  call @print(%u) : (!seq) -> ()
  call @print(%s) : (!seq) -> ()

  // An element of a sequence goes into another, and outlives it.
  // CHECK-NEXT: [1]
  // CHECK-NEXT: [2 2]
  // CHECK-NEXT: [1]
  // CHECK-NEXT: [1]
  %a = call @two() : () -> !seq
  %e = sequence.at %a[%p0] : !seq -> tensor<?xf32>
  %b = sequence.insert %e into %a : tensor<?xf32>, !seq -> !seq
  call @print(%b) : (!seq) -> ()
  call @print_vector(%e) : (tensor<?xf32>) -> ()

  // Taken by a function whose sequence ends there.
  // CHECK-NEXT: [2 2]
  %c = call @two() : () -> !seq
  %last = call @last_of(%c) : (!seq) -> tensor<?xf32>
  call @print_vector(%last) : (tensor<?xf32>) -> ()

  // The same tensor twice, and once as a tensor.
  // CHECK-NEXT: [8 8 8]
  // CHECK-NEXT: [8 8 8]
  // CHECK-NEXT: [8 8 8]
  %d = sequence.construct %eight, %eight : (tensor<?xf32>, tensor<?xf32>) -> !seq
  call @print(%d) : (!seq) -> ()
  call @print_vector(%eight) : (tensor<?xf32>) -> ()

  // Written to after it was inserted: the element keeps its value.
  // CHECK-NEXT: [8 8 8]
  // CHECK-NEXT: [3 3 3]
  %three = arith.constant 3.0 : f32
  %mine = call @vector(%c3, %f8) : (index, f32) -> tensor<?xf32>
  %kept = sequence.construct %mine : (tensor<?xf32>) -> !seq
  %written = linalg.fill ins(%three : f32) outs(%mine : tensor<?xf32>) -> tensor<?xf32>
  call @print(%kept) : (!seq) -> ()
  call @print_vector(%written) : (tensor<?xf32>) -> ()

  // An element that is written to after it was taken out.
  // CHECK-NEXT: [3]
  // CHECK-NEXT: [1]
  // CHECK-NEXT: [2 2]
  %f = call @two() : () -> !seq
  %g = sequence.at %f[%p0] : !seq -> tensor<?xf32>
  %h = linalg.fill ins(%three : f32) outs(%g : tensor<?xf32>) -> tensor<?xf32>
  call @print_vector(%h) : (tensor<?xf32>) -> ()
  call @print(%f) : (!seq) -> ()

  // CHECK-NEXT: [1]
  // CHECK-NEXT: [2 2]
  // CHECK-NEXT: [9 9 9]
  // CHECK-NEXT: [1]
  // CHECK-NEXT: [2 2]
  %i = call @two() : () -> !seq
  %j = call @append_or_not(%i, %yes) : (!seq, i1) -> !seq
  call @print(%j) : (!seq) -> ()
  %k = call @append_or_not(%i, %no) : (!seq, i1) -> !seq
  call @print(%k) : (!seq) -> ()

  // A choice that canonicalisation makes a select.
  // CHECK-NEXT: [1]
  // CHECK-NEXT: [2 2]
  // CHECK-NEXT: [9 9 9]
  %chosen = arith.select %yes, %j, %d : !seq
  call @print(%chosen) : (!seq) -> ()
  return
}
// CHECK: leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0
