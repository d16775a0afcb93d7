// RUN: fold-opt %s -split-alloc-tensors -split-input-file | FileCheck %s
// RUN: fold-opt %s -split-input-file -split-alloc-tensors -one-shot-bufferize="bufferize-function-boundaries allow-return-allocs-from-loops" -buffer-deallocation-and-reuse=reuse=0 | FileCheck %s --check-prefix=BUFFERS

// Each use has an allocation of its own, in other regions and blocks too.
// CHECK-LABEL: @three_uses
// CHECK-NOT: alloc_tensor
// CHECK: %[[A:.*]] = bufferization.alloc_tensor
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %[[A]])
// CHECK: %[[B:.*]] = bufferization.alloc_tensor
// CHECK: %[[C:.*]] = bufferization.alloc_tensor
// CHECK: linalg.map{{.*}} ins(%[[B]], {{.*}} outs(%[[C]]
// One buffer per iteration, and no copy; the reference counts an allocation and a copy without the pass.
// BUFFERS-LABEL: @three_uses
// BUFFERS: memref.alloc
// BUFFERS: scf.for
// BUFFERS-COUNT-2: memref.alloc
// BUFFERS-NOT: memref.copy
// BUFFERS: scf.yield
func.func @three_uses(%lb: index, %ub: index, %step: index) -> tensor<2xf32> {
  %a = bufferization.alloc_tensor() : tensor<2xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %a) -> tensor<2xf32> {
    %s = linalg.map { arith.addf } ins(%a, %x : tensor<2xf32>, tensor<2xf32>) outs(%a : tensor<2xf32>)
    scf.yield %s : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}

// -----

// CHECK-LABEL: @two_operands
// CHECK: %[[A:.*]] = bufferization.alloc_tensor
// CHECK: %[[B:.*]] = bufferization.alloc_tensor
// CHECK: return %[[A]], %[[B]]
func.func @two_operands() -> (tensor<2xf32>, tensor<2xf32>) {
  %a = bufferization.alloc_tensor() : tensor<2xf32>
  return %a, %a : tensor<2xf32>, tensor<2xf32>
}

// -----

// A copy has a content: it is kept a copy.
// CHECK-LABEL: @copy
// CHECK: %[[A:.*]] = bufferization.alloc_tensor() copy(%arg0)
// CHECK-NEXT: return %[[A]], %[[A]]
func.func @copy(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %a = bufferization.alloc_tensor() copy(%x) : tensor<2xf32>
  return %a, %a : tensor<2xf32>, tensor<2xf32>
}

// -----

// Unused ones go, declarations stay, blocks other than the first count.
// CHECK: func.func private @declaration(tensor<2xf32>)
func.func private @declaration(tensor<2xf32>)
// CHECK-LABEL: @blocks
// CHECK-NOT: alloc_tensor
// CHECK: ^bb1:
// CHECK-NEXT: %[[A:.*]] = bufferization.alloc_tensor
// CHECK-NEXT: call @declaration(%[[A]])
func.func @blocks() {
  %unused = bufferization.alloc_tensor() : tensor<2xf32>
  %a = bufferization.alloc_tensor() : tensor<2xf32>
  cf.br ^next
^next:
  call @declaration(%a) : (tensor<2xf32>) -> ()
  return
}
