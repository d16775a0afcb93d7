//===- TensorPrograms.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/tests/dealloc/reuse/TensorPrograms.h"

#include "onnxfold/tests/dealloc/reuse/Programs.h"

using namespace onnxfold;

#define BUFFERIZE                                                              \
  "one-shot-bufferize{bufferize-function-boundaries=1 "                        \
  "allow-return-allocs-from-loops=1 "                                          \
  "function-boundary-type-conversion=identity-layout-map},canonicalize,cse,"

const char *const onnxfold::tensorsOurs =
    "func.func(empty-tensor-to-alloc-tensor,split-alloc-tensors)," BUFFERIZE
    "buffer-deallocation-and-reuse{stack-bytes=0}";
const char *const onnxfold::tensorsUpstream =
    "func.func(empty-tensor-to-alloc-tensor)," BUFFERIZE
    "buffer-deallocation-pipeline";
const char *const onnxfold::tensorsUpstreamHoisting =
    "func.func(empty-tensor-to-alloc-tensor)," BUFFERIZE
    "func.func(buffer-hoisting,buffer-loop-hoisting),"
    "buffer-deallocation-pipeline,func.func(optimize-allocation-liveness)";

// !M is a matrix. Helpers are private functions on tensors, as a front end
// makes them: each allocates its result.
static const char *const helpers = R"(
!M = tensor<64x64xf32>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func private @matrix(%scale: f32) -> !M {
  %m = tensor.generate {
  ^bb0(%i: index, %j: index):
    %c7 = arith.constant 7 : index
    %k = arith.muli %i, %c7 : index
    %l = arith.addi %k, %j : index
    %c13 = arith.constant 13 : index
    %n = arith.remui %l, %c13 : index
    %o = arith.index_cast %n : index to i32
    %f = arith.sitofp %o : i32 to f32
    %six = arith.constant 6.0 : f32
    %c = arith.subf %f, %six : f32
    %s = arith.mulf %c, %scale : f32
    tensor.yield %s : f32
  } : !M
  return %m : !M
}
func.func private @show(%m: !M) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> ()>],
      iterator_types = ["reduction", "reduction"]}
      ins(%m : !M) outs(%z : tensor<f32>) {
  ^bb0(%a: f32, %s: f32):
    %t = arith.addf %a, %s : f32
    linalg.yield %t : f32
  } -> tensor<f32>
  %v = tensor.extract %sum[] : tensor<f32>
  func.call @observe_f32(%v) : (f32) -> ()
  return
}
)";

/// %result = relu(%x * %w + %x / 8), with a temporary for each step.
static std::string layer(const std::string &result, const std::string &x,
                         const std::string &w) {
  std::string n = result.substr(1);
  return "  %z" + n + " = arith.constant 0.0 : f32\n  %e" + n +
         " = tensor.empty() : !M\n  %i" + n + " = linalg.fill ins(%z" + n +
         " : f32) outs(%e" + n + " : !M) -> !M\n  %p" + n +
         " = linalg.matmul ins(" + x + ", " + w + " : !M, !M) outs(%i" + n +
         " : !M) -> !M\n  %q" + n + " = tensor.empty() : !M\n  %s" + n +
         " = linalg.add ins(%p" + n + ", " + x + " : !M, !M) outs(%q" + n +
         " : !M) -> !M\n  %r" + n + " = tensor.empty() : !M\n  " + result +
         R"( = linalg.generic {indexing_maps = [#id, #id],
      iterator_types = ["parallel", "parallel"]}
      ins(%s)" +
         n + " : !M) outs(%r" + n + R"( : !M) {
  ^bb0(%in: f32, %out: f32):
    %eighth = arith.constant 0.125 : f32
    %part = arith.mulf %in, %eighth : f32
    %nothing = arith.constant 0.0 : f32
    %relu = arith.maximumf %part, %nothing : f32
    linalg.yield %relu : f32
  } -> !M
)";
}

static std::string mainOf(const std::string &body) {
  return std::string(helpers) + declarations + R"(
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c20 = arith.constant 20 : index
  %fx = arith.constant 0.25 : f32
  %fw = arith.constant 0.03125 : f32
  %x = call @matrix(%fx) : (f32) -> !M
  %w = call @matrix(%fw) : (f32) -> !M
)" + body +
         "  return\n}\n";
}

std::vector<TensorProgram> onnxfold::tensorPrograms() {
  std::string show = "  call @show(%y) : (!M) -> ()\n";
  return {
      {"mlp", mainOf(layer("%a", "%x", "%w") + layer("%b", "%a", "%w") +
                     layer("%c", "%b", "%w") + layer("%y", "%c", "%w") + show)},
      {"loop", mainOf(R"(
  %y = scf.for %i = %c0 to %c20 step %c1 iter_args(%v = %x) -> (!M) {
)" + layer("%a", "%v", "%w") +
                      layer("%b", "%a", "%w") + R"(
    scf.yield %b : !M
  }
)" + show)},
      {"while", mainOf(R"(
  %r:3 = scf.while (%i = %c0, %v = %x, %u = %w) : (index, !M, !M)
      -> (index, !M, !M) {
    %more = arith.cmpi slt, %i, %c20 : index
    scf.condition(%more) %i, %u, %v : index, !M, !M
  } do {
  ^bb0(%i: index, %v: !M, %u: !M):
)" + layer("%a", "%v", "%w") +
                       R"(
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %a, %u : index, !M, !M
  }
  %sum = tensor.empty() : !M
  %y = linalg.add ins(%r#1, %r#2 : !M, !M) outs(%sum : !M) -> !M
)" + show)},
      {"branch", mainOf(R"(
  %y = scf.for %i = %c0 to %c20 step %c1 iter_args(%v = %x) -> (!M) {
    %rest = arith.remui %i, %c2 : index
    %odd = arith.cmpi eq, %rest, %c1 : index
    %n = scf.if %odd -> (!M) {
)" + layer("%a", "%v", "%w") +
                        layer("%b", "%a", "%w") + R"(
      scf.yield %b : !M
    } else {
)" + layer("%c", "%v", "%w") +
                        R"(
      scf.yield %c : !M
    }
    scf.yield %n : !M
  }
)" + show)},
  };
}
