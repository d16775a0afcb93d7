// Loops of 200,000 iterations take no stack for each: the descriptor of an
// unranked tensor did, 40 bytes an iteration and more. What a loop carries is
// kept.
// RUN: sequence-run %s | FileCheck %s

func.func private @dump_i64(tensor<*xi64> {bufferization.access = "read"})
func.func private @opaque_index(index) -> index

func.func private @count(%t: tensor<*xi64>) -> index {
  %r = tensor.rank %t : tensor<*xi64>
  return %r : index
}

// CHECK: i64 1 200000
// CHECK-NEXT: i64 1 200000
// CHECK-NEXT: i64 1 199999
// CHECK-NEXT: {{.*}}leaks=0 double-frees=0 unknown-frees=0 use-after-free=0 overruns=0
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %asked = arith.constant 200000 : index
  %n = call @opaque_index(%asked) : (index) -> index
  %zero = arith.constant dense<0> : tensor<1xi64>

  // A cast, and a call, in each iteration.
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0) -> index {
    %v = arith.index_cast %i : index to i64
    %e = tensor.from_elements %v : tensor<1xi64>
    %u = tensor.cast %e : tensor<1xi64> to tensor<*xi64>
    %r = func.call @count(%u) : (tensor<*xi64>) -> index
    %next = arith.addi %s, %r : index
    scf.yield %next : index
  }
  %w = arith.index_cast %sum : index to i64
  %t = tensor.from_elements %w : tensor<1xi64>
  %x = tensor.cast %t : tensor<1xi64> to tensor<*xi64>
  call @dump_i64(%x) : (tensor<*xi64>) -> ()

  // One that is carried, of another size in each iteration.
  %start = tensor.cast %zero : tensor<1xi64> to tensor<*xi64>
  %all, %p = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c0, %a = %start)
      -> (index, tensor<*xi64>) {
    %old = tensor.rank %a : tensor<*xi64>
    %more = arith.addi %s, %old : index
    %size = arith.remui %i, %c2 : index
    %v = arith.index_cast %i : index to i64
    %e = tensor.empty(%size) : tensor<?xi64>
    %f = linalg.fill ins(%v : i64) outs(%e : tensor<?xi64>) -> tensor<?xi64>
    %u = tensor.cast %f : tensor<?xi64> to tensor<*xi64>
    scf.yield %more, %u : index, tensor<*xi64>
  }
  %allw = arith.index_cast %all : index to i64
  %allt = tensor.from_elements %allw : tensor<1xi64>
  %allx = tensor.cast %allt : tensor<1xi64> to tensor<*xi64>
  call @dump_i64(%allx) : (tensor<*xi64>) -> ()
  call @dump_i64(%p) : (tensor<*xi64>) -> ()
  return
}
