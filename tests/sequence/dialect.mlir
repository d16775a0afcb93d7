// Each operation, printed and parsed in full: the length is part of the type.
// The published dialect printed none, and a round trip forgot it.
// RUN: fold-opt %s | fold-opt | FileCheck %s
// RUN: fold-opt --mlir-print-op-generic %s | fold-opt | FileCheck %s

// CHECK-LABEL: func.func @values
// CHECK-SAME: %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<4x3xf32>, %[[P:.*]]: index
func.func @values(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %p: index, %n: tensor<2xi64>) {
  // CHECK: %[[E:.*]] = sequence.empty : !sequence.seq<tensor<*xf32>, 0>
  %0 = sequence.empty : !sequence.seq<tensor<*xf32>, 0>
  // CHECK: %[[C:.*]] = sequence.construct %[[A]], %[[B]] : (tensor<2x3xf32>, tensor<4x3xf32>) -> !sequence.seq<tensor<?x3xf32>, 2>
  %1 = sequence.construct %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> !sequence.seq<tensor<?x3xf32>, 2>
  // CHECK: sequence.insert %[[A]] into %[[C]] : tensor<2x3xf32>, !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 3>
  %2 = sequence.insert %a into %1 : tensor<2x3xf32>, !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 3>
  // CHECK: sequence.insert %[[A]] into %[[E]] at %[[P]] : tensor<2x3xf32>, !sequence.seq<tensor<*xf32>, 0> -> !sequence.seq<tensor<*xf32>, ?>
  %3 = sequence.insert %a into %0 at %p : tensor<2x3xf32>, !sequence.seq<tensor<*xf32>, 0> -> !sequence.seq<tensor<*xf32>, ?>
  // CHECK: sequence.erase %{{.*}} at %[[P]] : !sequence.seq<tensor<?x3xf32>, 3> -> !sequence.seq<tensor<?x3xf32>, 2>
  %4 = sequence.erase %2 at %p : !sequence.seq<tensor<?x3xf32>, 3> -> !sequence.seq<tensor<?x3xf32>, 2>
  // CHECK: sequence.erase %{{.*}} : !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 1>
  %5 = sequence.erase %4 : !sequence.seq<tensor<?x3xf32>, 2> -> !sequence.seq<tensor<?x3xf32>, 1>
  // CHECK: sequence.at %{{.*}}[%[[P]]] : !sequence.seq<tensor<?x3xf32>, 1> -> tensor<?x3xf32>
  %6 = sequence.at %5[%p] : !sequence.seq<tensor<?x3xf32>, 1> -> tensor<?x3xf32>
  // CHECK: sequence.length %{{.*}} : !sequence.seq<tensor<*xf32>, ?>
  %7 = sequence.length %3 : !sequence.seq<tensor<*xf32>, ?>
  // CHECK: sequence.split %[[A]] axis 0 : tensor<2x3xf32> -> !sequence.seq<tensor<1x3xf32>, 2>
  %8 = sequence.split %a axis 0 : tensor<2x3xf32> -> !sequence.seq<tensor<1x3xf32>, 2>
  // CHECK: sequence.split %[[A]] axis 1 squeeze : tensor<2x3xf32> -> !sequence.seq<tensor<2xf32>, 3>
  %9 = sequence.split %a axis 1 squeeze : tensor<2x3xf32> -> !sequence.seq<tensor<2xf32>, 3>
  // CHECK: sequence.split %[[A]] axis -1 chunk %[[P]] : tensor<2x3xf32> -> !sequence.seq<tensor<2x?xf32>, ?>
  %10 = sequence.split %a axis -1 chunk %p : tensor<2x3xf32> -> !sequence.seq<tensor<2x?xf32>, ?>
  // CHECK: sequence.split %[[A]] axis 1 sizes %{{.*}} : tensor<2xi64>, tensor<2x3xf32> -> !sequence.seq<tensor<2x?xf32>, 2>
  %11 = sequence.split %a axis 1 sizes %n : tensor<2xi64>, tensor<2x3xf32> -> !sequence.seq<tensor<2x?xf32>, 2>
  // CHECK: sequence.concat %[[C]] axis 0 : !sequence.seq<tensor<?x3xf32>, 2> -> tensor<?x3xf32>
  %12 = sequence.concat %1 axis 0 : !sequence.seq<tensor<?x3xf32>, 2> -> tensor<?x3xf32>
  // CHECK: sequence.concat %{{.*}} axis 0 stack : !sequence.seq<tensor<2xf32>, 3> -> tensor<3x2xf32>
  %13 = sequence.concat %9 axis 0 stack : !sequence.seq<tensor<2xf32>, 3> -> tensor<3x2xf32>
  // CHECK: sequence.cast %[[C]] : !sequence.seq<tensor<?x3xf32>, 2> to !sequence.seq<tensor<*xf32>, ?>
  %14 = sequence.cast %1 : !sequence.seq<tensor<?x3xf32>, 2> to !sequence.seq<tensor<*xf32>, ?>
  return
}

// CHECK-LABEL: func.func @records
func.func @records(%m: memref<?xf32>, %p: index, %s: !sequence.seq<tensor<?xf32>, ?>) {
  // CHECK: %[[R:.*]] = sequence.record_copy %{{.*}} : memref<?xf32>
  %0 = sequence.record_copy %m : memref<?xf32>
  // CHECK: sequence.record_alloc(%{{.*}}) : memref<?x3xf32>
  %1 = sequence.record_alloc(%p) : memref<?x3xf32>
  // CHECK: sequence.record_view %[[R]] : memref<?xf32>
  %2 = sequence.record_view %0 : memref<?xf32>
  // CHECK: sequence.record_view %[[R]] checked : memref<3xf32>
  %3 = sequence.record_view %0 checked : memref<3xf32>
  // CHECK: sequence.record_at %{{.*}}[%{{.*}}] borrowed : !sequence.seq<tensor<?xf32>, ?>
  %4 = sequence.record_at %s[%p] borrowed : !sequence.seq<tensor<?xf32>, ?>
  // CHECK: sequence.retain %[[R]] : !sequence.record
  sequence.retain %0 : !sequence.record
  // CHECK: sequence.release %{{.*}} : !sequence.seq<tensor<?xf32>, ?>
  sequence.release %s : !sequence.seq<tensor<?xf32>, ?>
  // CHECK: %[[S:.*]] = sequence.seqalloc %[[N:.*]]
  %5 = sequence.seqalloc %p
  // CHECK: %[[U:.*]] = sequence.seqreserve %[[S]] length %[[N]] room %[[N]]
  %6 = sequence.seqreserve %5 length %p room %p
  // CHECK: sequence.seqstore %[[R]], %[[U]][%[[N]]]
  sequence.seqstore %0, %6[%p]
  // CHECK: sequence.seqmove %[[U]] from %[[N]] to %[[N]] count %[[N]]
  sequence.seqmove %6 from %p to %p count %p
  // CHECK: sequence.seqextract %[[U]][%[[N]]]
  %7 = sequence.seqextract %6[%p]
  // CHECK: sequence.seqposition %[[N]] length %[[N]] for "insert" inclusive
  %8 = sequence.seqposition %p length %p for "insert" inclusive
  // CHECK: sequence.seqretain %[[U]]
  sequence.seqretain %6
  // CHECK: sequence.seqdealloc %[[U]] length %[[N]]
  sequence.seqdealloc %6 length %p
  // CHECK: sequence.seqexpect %[[N]] is 3
  sequence.seqexpect %p is 3
  // CHECK: sequence.seqsplit %{{.*}} axis 0 chunk %[[N]] : memref<?xf32>
  %9:2 = sequence.seqsplit %m axis 0 chunk %p : memref<?xf32>
  // CHECK: sequence.seqconcat %[[U]] length %[[N]] axis 1 stack
  %10 = sequence.seqconcat %6 length %p axis 1 stack
  return
}
