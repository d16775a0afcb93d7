// insert and erase at the front, in the middle, at the end, at negative
// positions and without one; every slot is looked at. The published
// implementation stored the elements before the position at the position, and
// lost one of those after it (S1, S2).
// RUN: sequence-run %s | FileCheck %s
// RUN: sequence-run --malloc %s
// RUN: sequence-run -O2 %s | FileCheck %s
// RUN: not --crash sequence-run %s --entry=insert_above 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: not --crash sequence-run %s --entry=insert_below 2>&1 | FileCheck %s --check-prefix=BELOW
// RUN: not --crash sequence-run %s --entry=erase_above 2>&1 | FileCheck %s --check-prefix=ERASE
// RUN: not --crash sequence-run %s --entry=erase_empty 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not --crash sequence-run %s --entry=at_above 2>&1 | FileCheck %s --check-prefix=AT

// ABOVE: sequence.insert: position 4 is not in [-3, 3] of a sequence of length 3
// BELOW: sequence.insert: position -4 is not in [-3, 3] of a sequence of length 3
// ERASE: sequence.erase: position 3 is not in [-3, 2] of a sequence of length 3
// EMPTY: sequence.erase: position -1 is not in [0, -1] of a sequence of length 0
// AT: sequence.at: position 3 is not in [-3, 2] of a sequence of length 3

!seq = !sequence.seq<tensor<?xf32>, ?>

func.func private @print_f32(tensor<*xf32> {bufferization.access = "read"})
func.func private @opaque_index(index) -> index

func.func private @vector(%n: index, %value: f32) -> tensor<?xf32> {
  %0 = tensor.empty(%n) : tensor<?xf32>
  %1 = linalg.fill ins(%value : f32) outs(%0 : tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

// [0] [1 1] [2 2 2] ...
func.func private @count_to(%n: index) -> !seq {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %empty = sequence.empty : !sequence.seq<tensor<?xf32>, ?>
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%s = %empty) -> !seq {
    %i32 = arith.index_cast %i : index to i32
    %value = arith.sitofp %i32 : i32 to f32
    %extent = arith.addi %i, %c1 : index
    %v = func.call @vector(%extent, %value) : (index, f32) -> tensor<?xf32>
    %t = sequence.insert %v into %s : tensor<?xf32>, !seq -> !seq
    scf.yield %t : !seq
  }
  return %s : !seq
}

func.func private @print(%s: !seq) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sequence.length %s : !seq
  scf.for %i = %c0 to %n step %c1 {
    %e = sequence.at %s[%i] : !seq -> tensor<?xf32>
    %any = tensor.cast %e : tensor<?xf32> to tensor<*xf32>
    func.call @print_f32(%any) : (tensor<*xf32>) -> ()
  }
  %i64 = arith.index_cast %n : index to i64
  %f = arith.sitofp %i64 : i64 to f32
  %t = tensor.from_elements %f : tensor<f32>
  %any = tensor.cast %t : tensor<f32> to tensor<*xf32>
  call @print_f32(%any) : (tensor<*xf32>) -> ()
  return
}

// Of three elements, with one more at a position that no pass knows.
func.func private @insert_at(%constant: index) {
  %p = func.call @opaque_index(%constant) : (index) -> index
  %c3 = arith.constant 3 : index
  %nine = arith.constant dense<9.0> : tensor<2xf32>
  %s = func.call @count_to(%c3) : (index) -> !seq
  %t = sequence.insert %nine into %s at %p : tensor<2xf32>, !seq -> !seq
  call @print(%t) : (!seq) -> ()
  return
}

func.func private @erase_at(%constant: index) {
  %p = func.call @opaque_index(%constant) : (index) -> index
  %c3 = arith.constant 3 : index
  %s = func.call @count_to(%c3) : (index) -> !seq
  %t = sequence.erase %s at %p : !seq -> !seq
  call @print(%t) : (!seq) -> ()
  return
}

func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %m1 = arith.constant -1 : index
  %m3 = arith.constant -3 : index
  // CHECK:      [9 9]
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 4
  call @insert_at(%c0) : (index) -> ()
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [9 9]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 4
  call @insert_at(%c1) : (index) -> ()
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: [9 9]
  // CHECK-NEXT: 4
  call @insert_at(%c3) : (index) -> ()
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [9 9]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 4
  call @insert_at(%m1) : (index) -> ()
  // CHECK-NEXT: [9 9]
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 4
  call @insert_at(%m3) : (index) -> ()
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 2
  call @erase_at(%c0) : (index) -> ()
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 2
  call @erase_at(%c1) : (index) -> ()
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: 2
  call @erase_at(%c2) : (index) -> ()
  // CHECK-NEXT: [0]
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: 2
  call @erase_at(%m1) : (index) -> ()
  // CHECK-NEXT: [1 1]
  // CHECK-NEXT: [2 2 2]
  // CHECK-NEXT: 2
  call @erase_at(%m3) : (index) -> ()
  // The last one, twice; then nothing is left.
  // CHECK-NEXT: [0]
  // CHECK-NEXT: 1
  // CHECK-NEXT: 0
  %s = func.call @count_to(%c2) : (index) -> !seq
  %t = sequence.erase %s : !seq -> !seq
  call @print(%t) : (!seq) -> ()
  %u = sequence.erase %t : !seq -> !seq
  call @print(%u) : (!seq) -> ()
  // Into an empty one.
  // CHECK-NEXT: [7]
  // CHECK-NEXT: 1
  %seven = arith.constant dense<7.0> : tensor<1xf32>
  %p = func.call @opaque_index(%c0) : (index) -> index
  %v = sequence.insert %seven into %u at %p : tensor<1xf32>, !seq -> !seq
  call @print(%v) : (!seq) -> ()
  return
}
// CHECK: leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0

func.func @insert_above() {
  %c4 = arith.constant 4 : index
  call @insert_at(%c4) : (index) -> ()
  return
}

func.func @insert_below() {
  %m4 = arith.constant -4 : index
  call @insert_at(%m4) : (index) -> ()
  return
}

func.func @erase_above() {
  %c3 = arith.constant 3 : index
  call @erase_at(%c3) : (index) -> ()
  return
}

// Known positions are looked at too.
func.func @erase_empty() {
  %s = sequence.empty : !sequence.seq<tensor<?xf32>, 0>
  %t = sequence.erase %s : !sequence.seq<tensor<?xf32>, 0> -> !seq
  call @print(%t) : (!seq) -> ()
  return
}

func.func @at_above() {
  %c3 = arith.constant 3 : index
  %s = func.call @count_to(%c3) : (index) -> !seq
  %e = sequence.at %s[%c3] : !seq -> tensor<?xf32>
  %any = tensor.cast %e : tensor<?xf32> to tensor<*xf32>
  call @print_f32(%any) : (tensor<*xf32>) -> ()
  return
}
