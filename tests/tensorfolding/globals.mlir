// A constant memref.global with a value is constant: what is made of it runs once. It is no literal of the compiler, so
// never at compile time.
// RUN: fold-opt %s --print-constant-tensors -o /dev/null 2>&1 | FileCheck %s --check-prefix=PRINT
// RUN: fold-opt %s --constant-tensor-folding=entries=main | FileCheck %s
// RUN: fold-opt %s --constant-tensor-folding="entries=main mode=compiletime" | FileCheck %s --check-prefix=EARLY
// RUN: fold-opt %s --constant-tensor-folding=entries=main | grep -o 'hash = "[0-9a-f]*"' | sort -u | wc -l | FileCheck %s --check-prefix=HASHES
// HASHES: 2

memref.global "private" constant @weights : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 4.0]]>
memref.global "private" constant @others : memref<2x2xf32> = dense<[[1.0, 2.0], [3.0, 5.0]]>
memref.global "private" @state : memref<2x2xf32> = dense<0.0>
memref.global "private" constant @elsewhere : memref<2x2xf32>
memref.global "private" constant @nothing : memref<2x2xf32> = uninitialized

// PRINT: @main
// PRINT: = memref.get_global: runtime
// PRINT: = memref.get_global: runtime
// PRINT-COUNT-3: = memref.get_global: variable

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[^:]*]]: tensor<2x2xf32>, %[[A:[^:]*]]: tensor<2x2xf32> {{{[^}]*}}}, %[[B:[^:]*]]: tensor<2x2xf32> {{{[^}]*}}})
// CHECK-NOT: @weights
// CHECK: arith.addf %[[X]], %[[A]]
// CHECK: arith.addf %{{.*}}, %[[B]]
// CHECK: memref.get_global @state
// CHECK: math.exp
// CHECK: memref.get_global @elsewhere
// CHECK: math.exp
// CHECK: memref.get_global @nothing
// CHECK: math.exp
// CHECK: func.func @main.fold_runtime.0()
// CHECK: %[[W:.*]] = memref.get_global @weights
// CHECK: %[[T:.*]] = bufferization.to_tensor %[[W]]
// CHECK: math.exp %[[T]]
// CHECK: func.func @main.fold_runtime.1()
// CHECK: memref.get_global @others

// EARLY-NOT: fold_
func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = memref.get_global @weights : memref<2x2xf32>
  %wt = bufferization.to_tensor %w restrict : memref<2x2xf32> to tensor<2x2xf32>
  %we = math.exp %wt : tensor<2x2xf32>
  %y0 = arith.addf %x, %we : tensor<2x2xf32>
  %o = memref.get_global @others : memref<2x2xf32>
  %ot = bufferization.to_tensor %o restrict : memref<2x2xf32> to tensor<2x2xf32>
  %oe = math.exp %ot : tensor<2x2xf32>
  %y1 = arith.addf %y0, %oe : tensor<2x2xf32>
  %s = memref.get_global @state : memref<2x2xf32>
  %st = bufferization.to_tensor %s restrict : memref<2x2xf32> to tensor<2x2xf32>
  %se = math.exp %st : tensor<2x2xf32>
  %y2 = arith.addf %y1, %se : tensor<2x2xf32>
  %e = memref.get_global @elsewhere : memref<2x2xf32>
  %et = bufferization.to_tensor %e restrict : memref<2x2xf32> to tensor<2x2xf32>
  %ee = math.exp %et : tensor<2x2xf32>
  %y3 = arith.addf %y2, %ee : tensor<2x2xf32>
  %n = memref.get_global @nothing : memref<2x2xf32>
  %nt = bufferization.to_tensor %n restrict : memref<2x2xf32> to tensor<2x2xf32>
  %ne = math.exp %nt : tensor<2x2xf32>
  %y4 = arith.addf %y3, %ne : tensor<2x2xf32>
  return %y4 : tensor<2x2xf32>
}
