// References: one for each value, taken by its last use or released after it.
// RUN: fold-opt %s --sequence-ownership | FileCheck %s

!seq = !sequence.seq<tensor<?xf32>, ?>

// A last use is a move: nothing is counted.
// CHECK-LABEL: func.func @moved(
// CHECK-NOT: retain
// CHECK-NOT: release
// CHECK: return
func.func @moved(%s: !seq, %m: memref<?xf32>) -> !seq {
  %r = sequence.record_copy %m : memref<?xf32>
  %t = sequence.insert %r into %s : !sequence.record, !seq -> !seq
  return %t : !seq
}

// The sequence is needed afterwards: one reference more for the change.
// CHECK-LABEL: func.func @kept(
// CHECK: sequence.retain %[[S:.*]] : !sequence.seq
// CHECK-NEXT: %[[T:.*]] = sequence.insert %{{.*}} into %[[S]]
// CHECK-NOT: release
// CHECK: return %[[T]], %[[S]]
func.func @kept(%s: !seq, %m: memref<?xf32>) -> (!seq, !seq) {
  %r = sequence.record_copy %m : memref<?xf32>
  %t = sequence.insert %r into %s : !sequence.record, !seq -> !seq
  return %t, %s : !seq, !seq
}

// What nobody takes is released.
// CHECK-LABEL: func.func @unused(
// CHECK: sequence.release %arg0
// CHECK: sequence.length %arg1
// CHECK-NEXT: sequence.release %arg1
func.func @unused(%s: !seq, %t: !seq) -> index {
  %n = sequence.length %t : !seq
  return %n : index
}

// Each branch has a last use.
// CHECK-LABEL: func.func @branches(
// CHECK-NOT: retain
// CHECK-NOT: release
// CHECK: return
func.func @branches(%s: !seq, %c: i1) -> !seq {
  %r = scf.if %c -> !seq {
    %t = sequence.erase %s : !seq -> !seq
    scf.yield %t : !seq
  } else {
    scf.yield %s : !seq
  }
  return %r : !seq
}

// A branch that does not use it releases it.
// CHECK-LABEL: func.func @one_branch(
// CHECK: scf.if
// CHECK: } else {
// CHECK-NEXT: sequence.release %arg0
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @one_branch(%s: !seq, %c: i1) {
  scf.if %c {
    %t = sequence.erase %s : !seq -> !seq
    func.call @take(%t) : (!seq) -> ()
  }
  return
}
func.func private @take(!seq)

// In a loop the sequence of outside is kept.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK-NEXT: sequence.retain %arg0
// CHECK-NEXT: func.call @take(%arg0)
// CHECK-NEXT: }
// CHECK-NEXT: sequence.release %arg0
func.func @loop(%s: !seq, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @take(%s) : (!seq) -> ()
  }
  return
}

// An element that is only looked at is not counted.
// CHECK-LABEL: func.func @borrowed(
// CHECK: sequence.record_at %arg0[%arg1] borrowed
// CHECK: memref.load
// CHECK-NEXT: sequence.release %arg0
// CHECK-NOT: release
func.func @borrowed(%s: !seq, %p: index) -> f32 {
  %r = sequence.record_at %s[%p] : !seq
  %v = sequence.record_view %r : memref<?xf32>
  %x = memref.load %v[%p] : memref<?xf32>
  return %x : f32
}

// It is, where the sequence is changed before the last look.
// CHECK-LABEL: func.func @counted(
// CHECK: %[[R:.*]] = sequence.record_at %arg0[%arg1] :
// CHECK: sequence.erase %arg0
// CHECK: memref.load
// CHECK-NEXT: sequence.release %[[R]] : !sequence.record
func.func @counted(%s: !seq, %p: index) -> (f32, !seq) {
  %r = sequence.record_at %s[%p] : !seq
  %v = sequence.record_view %r : memref<?xf32>
  %t = sequence.erase %s : !seq -> !seq
  %x = memref.load %v[%p] : memref<?xf32>
  return %x, %t : f32, !seq
}

// A buffer that is filled and inserted is a record from the beginning.
// CHECK-LABEL: func.func @made(
// CHECK: %[[R:.*]] = sequence.record_alloc(%arg1) : memref<?xf32>
// CHECK-NEXT: %[[V:.*]] = sequence.record_view %[[R]]
// CHECK-NEXT: linalg.fill ins(%{{.*}}) outs(%[[V]]
// CHECK-NEXT: sequence.insert %[[R]] into %arg0
func.func @made(%s: !seq, %n: index, %x: f32) -> !seq {
  %m = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  %r = sequence.record_copy %m : memref<?xf32>
  %t = sequence.insert %r into %s : !sequence.record, !seq -> !seq
  return %t : !seq
}

// Not one that is written to afterwards.
// CHECK-LABEL: func.func @written(
// CHECK: memref.alloc
// CHECK-NEXT: sequence.record_copy
func.func @written(%s: !seq, %n: index, %x: f32) -> !seq {
  %m = memref.alloc(%n) : memref<?xf32>
  %r = sequence.record_copy %m : memref<?xf32>
  %t = sequence.insert %r into %s : !sequence.record, !seq -> !seq
  linalg.fill ins(%x : f32) outs(%m : memref<?xf32>)
  return %t : !seq
}

// The buffer of an element leaves the function: a copy, the caller's.
// CHECK-LABEL: func.func @leaves(
// CHECK: %[[V:.*]] = sequence.record_view
// CHECK-NEXT: %[[C:.*]] = bufferization.clone %[[V]]
// CHECK-NEXT: sequence.release %arg0
// CHECK-NEXT: return %[[C]]
func.func @leaves(%s: !seq, %p: index) -> memref<?xf32> {
  %r = sequence.record_at %s[%p] : !seq
  %v = sequence.record_view %r : memref<?xf32>
  return %v : memref<?xf32>
}

// From one sequence into another without a copy.
// CHECK-LABEL: func.func @shared(
// CHECK: %[[R:.*]] = sequence.record_at %arg0[%arg2] :
// CHECK-NEXT: sequence.release %arg0
// CHECK-NOT: record_copy
// CHECK: sequence.insert %[[R]] into %arg1
func.func @shared(%s: !seq, %t: !seq, %p: index) -> !seq {
  %r = sequence.record_at %s[%p] : !seq
  %v = sequence.record_view %r : memref<?xf32>
  %c = sequence.record_copy %v : memref<?xf32>
  %u = sequence.insert %c into %t : !sequence.record, !seq -> !seq
  return %u : !seq
}
