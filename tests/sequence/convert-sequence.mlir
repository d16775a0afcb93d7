// A sequence becomes its storage and its length, also in loops and calls; known
// lengths and positions stay known. Then calls of the run-time library.
// RUN: fold-opt %s --convert-sequence | FileCheck %s
// RUN: fold-opt %s --convert-sequence --convert-seq-to-memref | FileCheck %s --check-prefix=MEMREF

!seq = !sequence.seq<tensor<?xf32>, ?>

// CHECK-LABEL: func.func @insert
// CHECK-SAME: (%[[S:.*]]: !sequence.storage, %[[N:.*]]: index, %[[M:.*]]: memref<?xf32>, %[[ASKED:.*]]: index) -> (!sequence.storage, index)
// CHECK: %[[R:.*]] = sequence.record_copy %[[M]]
// CHECK: %[[P:.*]] = sequence.seqposition %[[ASKED]] length %[[N]] for "insert" inclusive
// CHECK: %[[LENGTH:.*]] = arith.addi %[[N]]
// CHECK: %[[U:.*]] = sequence.seqreserve %[[S]] length %[[N]] room %[[LENGTH]]
// CHECK: %[[COUNT:.*]] = arith.subi %[[N]], %[[P]]
// CHECK: %[[NEXT:.*]] = arith.addi %[[P]]
// CHECK: sequence.seqmove %[[U]] from %[[P]] to %[[NEXT]] count %[[COUNT]]
// CHECK: sequence.seqstore %[[R]], %[[U]][%[[P]]]
// CHECK: return %[[U]], %[[LENGTH]]
// MEMREF-LABEL: func.func @insert
// MEMREF-SAME: (%[[S:.*]]: !llvm.ptr, %[[N:.*]]: index, %{{.*}}: memref<?xf32>, %{{.*}}: index) -> (!llvm.ptr, index)
// MEMREF: %[[R:.*]] = llvm.call @onnxfoldSequenceRecordCopy
// MEMREF-NOT: scf.if
// MEMREF: llvm.call @onnxfoldSequenceOutOfRangeIf(
// MEMREF: %[[U:.*]] = llvm.call @onnxfoldSequenceReserve(%[[S]]
// MEMREF: llvm.call @onnxfoldSequenceMove(%[[U]]
// MEMREF: llvm.store %[[R]]
func.func @insert(%s: !seq, %m: memref<?xf32>, %p: index) -> !seq {
  %r = sequence.record_copy %m : memref<?xf32>
  %t = sequence.insert %r into %s at %p : !sequence.record, !seq -> !seq
  return %t : !seq
}

// CHECK-LABEL: func.func @erase
// CHECK: %[[P:.*]] = sequence.seqposition %c-1 length %[[N:.*]] for "erase"
// CHECK: %[[U:.*]] = sequence.seqreserve %{{.*}} length %[[N]] room %[[N]]
// CHECK: %[[E:.*]] = sequence.seqextract %[[U]][%[[P]]] borrowed
// CHECK-NOT: seqmove
// CHECK: sequence.release %[[E]] : !sequence.record
func.func @erase(%s: !seq) -> !seq {
  %t = sequence.erase %s : !seq -> !seq
  return %t : !seq
}

// CHECK-LABEL: func.func @known
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[S:.*]] = sequence.seqalloc %[[ZERO]]
// CHECK: return %[[S]], %[[ZERO]]
func.func @known() -> !sequence.seq<tensor<?xf32>, 0> {
  %s = sequence.empty : !sequence.seq<tensor<?xf32>, 0>
  return %s : !sequence.seq<tensor<?xf32>, 0>
}

// CHECK-LABEL: func.func @loop
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[A:.*]] = %{{.*}}, %[[B:.*]] = %{{.*}}) -> (!sequence.storage, index)
// CHECK: %[[T:.*]]:2 = func.call @erase(%[[A]], %[[B]])
// CHECK: scf.yield %[[T]]#0, %[[T]]#1
// CHECK: return %[[R]]#0, %[[R]]#1
func.func @loop(%s: !seq, %n: index) -> !seq {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %s) -> !seq {
    %t = func.call @erase(%a) : (!seq) -> !seq
    scf.yield %t : !seq
  }
  return %r : !seq
}

// CHECK-LABEL: func.func @at
// CHECK: %[[R:.*]] = sequence.seqextract %[[S:.*]][%{{.*}}] borrowed
// CHECK: sequence.record_view %[[R]] : memref<?xf32>
// CHECK: sequence.seqdealloc %[[S]] length
// MEMREF-LABEL: func.func @at
// MEMREF-NOT: RecordRetain
// MEMREF: llvm.call @onnxfoldSequenceDealloc
func.func @at(%s: !seq, %p: index) -> f32 {
  %r = sequence.record_at %s[%p] borrowed : !seq
  %v = sequence.record_view %r : memref<?xf32>
  %x = memref.load %v[%p] : memref<?xf32>
  sequence.release %s : !seq
  return %x : f32
}
