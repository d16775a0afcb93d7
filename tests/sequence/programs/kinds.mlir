// Elements whose type and rank differ at run time: unranked sequences, split
// and concat along each axis, i1 and complex elements, what at looks at.
// RUN: sequence-run %s | FileCheck %s
// RUN: sequence-run --malloc %s
// RUN: sequence-run -O2 %s | FileCheck %s
// RUN: not --crash sequence-run %s --entry=other_rank 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not --crash sequence-run %s --entry=other_extent 2>&1 | FileCheck %s --check-prefix=EXTENT
// RUN: not --crash sequence-run %s --entry=other_length 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: not --crash sequence-run %s --entry=bad_sizes 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not --crash sequence-run %s --entry=bad_chunk 2>&1 | FileCheck %s --check-prefix=CHUNK
// RUN: not --crash sequence-run %s --entry=bad_concat 2>&1 | FileCheck %s --check-prefix=CONCAT
// RUN: not --crash sequence-run %s --entry=empty_concat 2>&1 | FileCheck %s --check-prefix=NOTHING

// RANK: sequence.at: the element has rank 1 where rank 2 is expected
// EXTENT: sequence.at: the element has size 2 in dimension 0 where 5 is expected
// LENGTH: sequence.cast: a sequence of length 3 where length 2 is expected
// SIZES: sequence.split: the sizes leave 2 of dimension 7
// CHUNK: sequence.split: chunk 0 is not above 0
// CONCAT: sequence.concat: dimension 0 of the element at position 1 is 2, that of the first one 3
// NOTHING: sequence.concat: of a sequence of length 0

!any = !sequence.seq<tensor<*xf32>, ?>

func.func private @print_f32(tensor<*xf32> {bufferization.access = "read"})
func.func private @print_i1(tensor<*xi1> {bufferization.access = "read"})
func.func private @opaque_index(index) -> index

func.func private @mixed() -> !any {
  %scalar = arith.constant dense<1.0> : tensor<f32>
  %vector = arith.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %matrix = arith.constant dense<[[4.0], [5.0]]> : tensor<2x1xf32>
  %0 = sequence.empty : !sequence.seq<tensor<*xf32>, 0>
  %1 = sequence.insert %scalar into %0 : tensor<f32>, !sequence.seq<tensor<*xf32>, 0> -> !any
  %2 = sequence.insert %vector into %1 : tensor<2xf32>, !any -> !any
  %3 = sequence.insert %matrix into %2 : tensor<2x1xf32>, !any -> !any
  return %3 : !any
}

func.func private @print(%s: !any) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = sequence.length %s : !any
  scf.for %i = %c0 to %n step %c1 {
    %e = sequence.at %s[%i] : !any -> tensor<*xf32>
    func.call @print_f32(%e) : (tensor<*xf32>) -> ()
  }
  return
}

func.func private @matrix() -> tensor<?x?xf32> {
  %0 = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0], [9.0, 10.0], [11.0, 12.0], [13.0, 14.0]]> : tensor<7x2xf32>
  %1 = tensor.cast %0 : tensor<7x2xf32> to tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}

// An element without a rank leaves its function, and is carried by a loop.
func.func private @first(%s: !any) -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %e = sequence.at %s[%c0] : !any -> tensor<*xf32>
  return %e : tensor<*xf32>
}

func.func private @last(%s: !any, %n: index) -> tensor<*xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = call @first(%s) : (!any) -> tensor<*xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %first) -> tensor<*xf32> {
    %e = sequence.at %s[%i] : !any -> tensor<*xf32>
    scf.yield %e : tensor<*xf32>
  }
  return %r : tensor<*xf32>
}

func.func @main() {
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m1 = arith.constant -1 : index
  // CHECK: 1
  // CHECK-NEXT: [2 3]
  // CHECK-NEXT: {{\[\[}}4] [5]]
  // CHECK-NEXT: {{\[\[}}4] [5]]
  %s = call @mixed() : () -> !any
  call @print(%s) : (!any) -> ()
  %taken = sequence.at %s[%m1] : !any -> tensor<2x1xf32>
  %again = tensor.cast %taken : tensor<2x1xf32> to tensor<*xf32>
  call @print_f32(%again) : (tensor<*xf32>) -> ()

  // CHECK-NEXT: 1
  // CHECK-NEXT: {{\[\[}}4] [5]]
  %n3 = call @opaque_index(%c3) : (index) -> index
  %first = call @first(%s) : (!any) -> tensor<*xf32>
  call @print_f32(%first) : (tensor<*xf32>) -> ()
  %last = call @last(%s, %n3) : (!any, index) -> tensor<*xf32>
  call @print_f32(%last) : (tensor<*xf32>) -> ()

  // Chunks of 3 of 7: the last one has 1.
  // CHECK-NEXT: {{\[\[}}1 2] [3 4] [5 6]]
  // CHECK-NEXT: {{\[\[}}7 8] [9 10] [11 12]]
  // CHECK-NEXT: {{\[\[}}13 14]]
  %m = call @matrix() : () -> tensor<?x?xf32>
  %p3 = call @opaque_index(%c3) : (index) -> index
  %chunks = sequence.split %m axis 0 chunk %p3 : tensor<?x?xf32> -> !any
  call @print(%chunks) : (!any) -> ()
  // Together again, along the first axis and side by side.
  // CHECK-NEXT: {{\[\[}}1 2] [3 4] [5 6] [7 8] [9 10] [11 12] [13 14]]
  %whole = sequence.concat %chunks axis 0 : !any -> tensor<*xf32>
  call @print_f32(%whole) : (tensor<*xf32>) -> ()
  // Sizes, one of which is 0, along the last axis.
  // CHECK-NEXT: {{\[\[}}] [] [] [] [] [] []]
  // CHECK-NEXT: {{\[\[}}1 2] [3 4] [5 6] [7 8] [9 10] [11 12] [13 14]]
  %sizes = arith.constant dense<[0, 2]> : tensor<2xi64>
  %parts = sequence.split %m axis -1 sizes %sizes : tensor<2xi64>, tensor<?x?xf32>
      -> !sequence.seq<tensor<*xf32>, ?>
  call @print(%parts) : (!any) -> ()
  // Columns, without their axis, stacked along each axis: the transpose, and
  // the matrix.
  // CHECK-NEXT: [1 3 5 7 9 11 13]
  // CHECK-NEXT: [2 4 6 8 10 12 14]
  // CHECK-NEXT: {{\[\[}}1 3 5 7 9 11 13] [2 4 6 8 10 12 14]]
  // CHECK-NEXT: {{\[\[}}1 2] [3 4] [5 6] [7 8] [9 10] [11 12] [13 14]]
  %columns = sequence.split %m axis 1 squeeze : tensor<?x?xf32> -> !any
  call @print(%columns) : (!any) -> ()
  %rows = sequence.concat %columns axis 0 stack : !any -> tensor<?x?xf32>
  %r = tensor.cast %rows : tensor<?x?xf32> to tensor<*xf32>
  call @print_f32(%r) : (tensor<*xf32>) -> ()
  %back = sequence.concat %columns axis -1 stack : !any -> tensor<7x2xf32>
  %b = tensor.cast %back : tensor<7x2xf32> to tensor<*xf32>
  call @print_f32(%b) : (tensor<*xf32>) -> ()
  // A slice of a slice is not contiguous.
  // CHECK-NEXT: {{\[\[}}2] [6] [10]]
  %slice = tensor.extract_slice %m[0, 1] [3, 1] [2, 1] : tensor<?x?xf32> to tensor<3x1xf32>
  %one = sequence.construct %slice : (tensor<3x1xf32>) -> !any
  call @print(%one) : (!any) -> ()
  // CHECK-NEXT: [1 0 1]
  %truths = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %t = sequence.construct %truths : (tensor<3xi1>) -> !sequence.seq<tensor<*xi1>, ?>
  %p = call @opaque_index(%m1) : (index) -> index
  %u = sequence.at %t[%p] : !sequence.seq<tensor<*xi1>, ?> -> tensor<*xi1>
  call @print_i1(%u) : (tensor<*xi1>) -> ()
  return
}
// CHECK: leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0

func.func @other_rank() {
  %c1 = arith.constant 1 : index
  %s = call @mixed() : () -> !any
  %e = sequence.at %s[%c1] : !any -> tensor<?x?xf32>
  %any = tensor.cast %e : tensor<?x?xf32> to tensor<*xf32>
  call @print_f32(%any) : (tensor<*xf32>) -> ()
  return
}

func.func @other_extent() {
  %c1 = arith.constant 1 : index
  %s = call @mixed() : () -> !any
  %e = sequence.at %s[%c1] : !any -> tensor<5xf32>
  %any = tensor.cast %e : tensor<5xf32> to tensor<*xf32>
  call @print_f32(%any) : (tensor<*xf32>) -> ()
  return
}

func.func @other_length() {
  %s = call @mixed() : () -> !any
  %t = sequence.cast %s : !any to !sequence.seq<tensor<*xf32>, 2>
  %u = sequence.cast %t : !sequence.seq<tensor<*xf32>, 2> to !any
  call @print(%u) : (!any) -> ()
  return
}

func.func @bad_sizes() {
  %m = call @matrix() : () -> tensor<?x?xf32>
  %sizes = arith.constant dense<[3, 2]> : tensor<2xi64>
  %parts = sequence.split %m axis 0 sizes %sizes : tensor<2xi64>, tensor<?x?xf32> -> !any
  call @print(%parts) : (!any) -> ()
  return
}

func.func @bad_chunk() {
  %c0 = arith.constant 0 : index
  %p = call @opaque_index(%c0) : (index) -> index
  %m = call @matrix() : () -> tensor<?x?xf32>
  %parts = sequence.split %m axis 0 chunk %p : tensor<?x?xf32> -> !any
  call @print(%parts) : (!any) -> ()
  return
}

func.func @bad_concat() {
  %a = arith.constant dense<1.0> : tensor<3x2xf32>
  %b = arith.constant dense<1.0> : tensor<2x2xf32>
  %s = sequence.construct %a, %b : (tensor<3x2xf32>, tensor<2x2xf32>) -> !any
  %t = sequence.concat %s axis 1 : !any -> tensor<*xf32>
  call @print_f32(%t) : (tensor<*xf32>) -> ()
  return
}

func.func @empty_concat() {
  %s = sequence.empty : !any
  %t = sequence.concat %s axis 1 : !any -> tensor<*xf32>
  call @print_f32(%t) : (tensor<*xf32>) -> ()
  return
}
