// A cast to a type that says more is checked when the program runs. It was not,
// and an element of 2x3 read as a vector printed what stands behind it.
// RUN: not --crash sequence-run %s --entry=rank 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not --crash sequence-run %s --entry=size 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not --crash sequence-run %s --entry=length 2>&1 | FileCheck %s --check-prefix=LENGTH
// RUN: sequence-run %s --entry=fits | FileCheck %s --check-prefix=FITS

// RANK: sequence.cast: the sequence: element 1 has rank 2 where rank 1 is expected
// SIZE: sequence.cast: the sequence: element 0 has size 2 in dimension 0 where 3 is expected
// LENGTH: sequence.cast: the sequence has length 2 where length 3 is expected
// FITS: value 2
// FITS: leaks=0

func.func private @observe_f32(f32)
!any = !sequence.seq<tensor<*xf32>, ?>

func.func private @make() -> !any {
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  %1 = arith.constant dense<2.0> : tensor<2x3xf32>
  %s = sequence.construct %0, %1 : (tensor<2xf32>, tensor<2x3xf32>) -> !any
  return %s : !any
}

func.func @rank() -> index {
  %s = call @make() : () -> !any
  %t = sequence.cast %s : !any to !sequence.seq<tensor<?xf32>, ?>
  %c0 = arith.constant 0 : index
  %e = sequence.at %t[%c0] : !sequence.seq<tensor<?xf32>, ?> -> tensor<?xf32>
  %n = tensor.dim %e, %c0 : tensor<?xf32>
  return %n : index
}

func.func @size() -> index {
  %s = call @make() : () -> !any
  %t = sequence.cast %s : !any to !sequence.seq<tensor<3xf32>, ?>
  %c0 = arith.constant 0 : index
  %e = sequence.at %t[%c0] : !sequence.seq<tensor<3xf32>, ?> -> tensor<3xf32>
  %x = tensor.extract %e[%c0] : tensor<3xf32>
  func.call @observe_f32(%x) : (f32) -> ()
  return %c0 : index
}

func.func @length() -> index {
  %s = call @make() : () -> !any
  %t = sequence.cast %s : !any to !sequence.seq<tensor<?xf32>, 3>
  %c2 = arith.constant 2 : index
  %e = sequence.at %t[%c2] : !sequence.seq<tensor<?xf32>, 3> -> tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %e, %c0 : tensor<?xf32>
  return %n : index
}

func.func @fits() -> index {
  %c0 = arith.constant 0 : index
  %s = call @make() : () -> !any
  %r = sequence.erase %s : !any -> !any
  %t = sequence.cast %r : !any to !sequence.seq<tensor<2xf32>, ?>
  %e = sequence.at %t[%c0] : !sequence.seq<tensor<2xf32>, ?> -> tensor<2xf32>
  %n = tensor.dim %e, %c0 : tensor<2xf32>
  return %n : index
}
