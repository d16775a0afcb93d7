// What is constant, how long, and why the rest is not.
// RUN: fold-opt %s --print-constant-tensors -o /dev/null 2>&1 | FileCheck %s

// CHECK-LABEL: @tiers
// CHECK-NEXT: %arg0: variable, not marked
// CHECK-NEXT: %arg1: compiletime
// CHECK-NEXT: %arg2: runtime
// CHECK-NEXT: %cst = arith.constant: compiletime
// CHECK-NEXT: %0 = arith.addf: compiletime
// CHECK-NEXT: %1 = arith.addf: runtime
// CHECK-NEXT: %2 = math.exp: runtime
// CHECK-NEXT: %3 = arith.addf: variable, uses %arg0
// CHECK-NEXT: %4 = arith.negf: variable, uses %3
func.func @tiers(%x: tensor<4xf32>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32>
    attributes {compiletime_const_args_index = [1 : i32], runtime_const_args_index = [2 : i32]} {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = arith.addf %a, %c : tensor<4xf32>
  %1 = arith.addf %0, %b : tensor<4xf32>
  %2 = math.exp %1 : tensor<4xf32>
  %3 = arith.addf %x, %2 : tensor<4xf32>
  %4 = arith.negf %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}

// The framework's sparse analysis says that an `if` which yields two constants
// is constant, whatever its condition: a condition is no flow of values.
// CHECK-LABEL: @branches
// CHECK: %0 = scf.if: variable, uses %arg0
// CHECK: %1 = scf.if: runtime
// CHECK-NEXT: %2 = scf.if: variable, uses %arg3
func.func @branches(%p: i1, %q: i1 {onnxfold.constant = "runtime"}, %a: tensor<4xf32> {onnxfold.constant = "compiletime"},
                    %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = scf.if %p -> tensor<4xf32> {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %c : tensor<4xf32>
  }
  %1 = scf.if %q -> tensor<4xf32> {
    %n = arith.negf %a : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  } else {
    scf.yield %c : tensor<4xf32>
  }
  %2 = scf.if %q -> tensor<4xf32> {
    %n = arith.negf %x : tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  } else {
    scf.yield %c : tensor<4xf32>
  }
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A loop is constant as a whole; in one that is not, what does not depend on
// the iteration is.
// CHECK-LABEL: @loops
// CHECK: %0 = scf.for: runtime
// CHECK-NEXT: %1 = scf.for: variable, uses %arg1
// CHECK-NEXT: %2 = arith.negf: runtime
// CHECK-NEXT: %3 = arith.addf: variable, uses %arg3
func.func @loops(%w: tensor<4xf32> {onnxfold.constant = "runtime"}, %n: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%s = %w) -> tensor<4xf32> {
    %d = arith.addf %s, %w : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %w) -> tensor<4xf32> {
    %e = arith.negf %w : tensor<4xf32>
    %d = arith.addf %s, %e : tensor<4xf32>
    scf.yield %d : tensor<4xf32>
  }
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// Without operands is not constant: a call, the content of a global. Nor is what
// has effects, though all operands are constant.
// CHECK-LABEL: @without_operands
// CHECK: %0 = func.call: variable, has or may have side effects
// CHECK-NEXT: %1 = func.call: variable, has or may have side effects
// CHECK-NEXT: %2 = llvm.intr.stacksave: variable
// CHECK-NEXT: %3 = tensor.empty: compiletime
// CHECK-NEXT: %4 = memref.get_global: variable, memref.get_global has no operands and is not a literal
// CHECK-NEXT: %5 = linalg.generic: compiletime
// CHECK-NEXT: %generated = tensor.generate: variable, memref.get_global has no operands and is not a literal
memref.global "private" @global : memref<4xindex>
func.func private @random() -> tensor<4xf32>
func.func private @scaled(tensor<4xf32>) -> tensor<4xf32>
func.func @without_operands(%w: tensor<4xf32> {onnxfold.constant = "runtime"}) {
  %0 = call @random() : () -> tensor<4xf32>
  %1 = call @scaled(%w) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = llvm.intr.stacksave : !llvm.ptr
  %3 = tensor.empty() : tensor<4xindex>
  %4 = memref.get_global @global : memref<4xindex>
  %5 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%3 : tensor<4xindex>) {
  ^bb0(%out: index):
    %i = linalg.index 0 : index
    linalg.yield %i : index
  } -> tensor<4xindex>
  %6 = tensor.generate {
  ^bb0(%i: index):
    %g = memref.get_global @global : memref<4xindex>
    %v = memref.extract_aligned_pointer_as_index %g : memref<4xindex> -> index
    tensor.yield %v : index
  } : tensor<4xindex>
  return
}

// What may be undefined is constant where every run gets there, and is not
// tried at compile time.
// CHECK-LABEL: @undefined
// CHECK: %0 = arith.divsi: runtime
// CHECK: arith.divsi: variable, may be undefined, and is not reached in every run
// CHECK: arith.addi: compiletime
func.func @undefined(%a: tensor<4xi32> {onnxfold.constant = "compiletime"}, %b: tensor<4xi32> {onnxfold.constant = "compiletime"},
                     %p: i1) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = arith.divsi %a, %b : tensor<4xi32>
  %1 = scf.if %p -> tensor<4xi32> {
    %d = arith.divsi %b, %a : tensor<4xi32>
    scf.yield %d : tensor<4xi32>
  } else {
    %s = arith.addi %b, %a : tensor<4xi32>
    scf.yield %s : tensor<4xi32>
  }
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// Behind a call that may not return either.
// CHECK-LABEL: @after_call
// CHECK: arith.divsi: variable, may be undefined, and is not reached in every run
func.func private @may_exit()
func.func @after_call(%a: tensor<4xi32> {onnxfold.constant = "runtime"}) -> tensor<4xi32> {
  call @may_exit() : () -> ()
  %0 = arith.divsi %a, %a : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// A constant memref keeps its content; one that is not, does not.
// CHECK-LABEL: @memrefs
// CHECK: %0 = bufferization.to_tensor: runtime
// CHECK: %1 = memref.load: runtime
// CHECK: %2 = bufferization.to_tensor: variable, uses %arg1
// CHECK: %alloc = memref.alloc: variable, has or may have side effects
// CHECK: %3 = bufferization.to_tensor: variable, has or may have side effects
func.func @memrefs(%w: memref<4xf32> {onnxfold.constant = "runtime"}, %x: memref<4xf32>)
    -> (tensor<4xf32>, f32, tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %0 = bufferization.to_tensor %w restrict : memref<4xf32> to tensor<4xf32>
  %1 = memref.load %w[%c0] : memref<4xf32>
  %2 = bufferization.to_tensor %x restrict : memref<4xf32> to tensor<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %3 = bufferization.to_tensor %w restrict writable : memref<4xf32> to tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, f32, tensor<4xf32>, tensor<4xf32>
}

// Values of later blocks are constant if what they use is; arguments of blocks
// are not, though all edges pass the same constant.
// CHECK-LABEL: @blocks
// CHECK: %0 = arith.negf: runtime
// CHECK: %2 = arith.negf: variable, uses %1
// CHECK-NEXT: %3 = arith.negf: runtime
func.func @blocks(%p: i1, %w: tensor<4xf32> {onnxfold.constant = "runtime"}) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = arith.negf %w : tensor<4xf32>
  cf.cond_br %p, ^a, ^b(%w : tensor<4xf32>)
^a:
  cf.br ^b(%w : tensor<4xf32>)
^b(%v: tensor<4xf32>):
  %1 = arith.negf %v : tensor<4xf32>
  %2 = arith.negf %0 : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// Bodies of linalg operations hold numbers, and named operations do not print theirs: they are left out.
// CHECK-LABEL: @linalg_bodies
// CHECK-NEXT: %arg0: variable, not marked
// CHECK-NEXT: %0 = tensor.empty: compiletime
// CHECK-NEXT: %1 = linalg.generic: variable, uses %arg0
// CHECK-NEXT: %2 = arith.negf: variable, uses %1
func.func @linalg_bodies(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = tensor.empty() : tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<4xf32>
  %2 = arith.negf %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
