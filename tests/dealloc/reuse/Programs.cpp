//===- Programs.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/tests/dealloc/reuse/Programs.h"

#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/dealloc/runtime/RetainBuffers.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace onnxfold;

const char *const onnxfold::declarations = R"(
  func.func private @observe_i64(i64)
  func.func private @observe_i32(i32)
  func.func private @observe_f32(f32)
  func.func private @observe_f64(f64)
  func.func private @observe_index(index)
  func.func private @opaque_index(index) -> index
  func.func private @opaque_i64(i64) -> i64
  func.func private @opaque_i1(i1) -> i1
)";

const char *const onnxfold::helperFunctions = R"(
!T = memref<100xi32>
func.func private @fill(%m: !T, %v: i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  scf.for %i = %c0 to %n step %c1 {
    %k = arith.index_cast %i : index to i32
    %w = arith.addi %v, %k : i32
    memref.store %w, %m[%i] : !T
  }
  return
}
func.func private @add(%a: !T, %b: !T, %to: !T) {
  linalg.add ins(%a, %b : !T, !T) outs(%to : !T)
  return
}
func.func private @show(%m: !T) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0 : i32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> i32 {
    %v = memref.load %m[%i] : !T
    %three = arith.constant 3 : i32
    %t = arith.muli %s, %three : i32
    %u = arith.addi %t, %v : i32
    scf.yield %u : i32
  }
  func.call @observe_i32(%sum) : (i32) -> ()
  return
}
)";

const char *const onnxfold::helperConstants = R"(
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %seven = arith.constant 7 : i32
  %yes1 = arith.constant true
  %yes = func.call @opaque_i1(%yes1) : (i1) -> i1
)";

std::string onnxfold::programOf(const std::string &body,
                                const std::string &functions) {
  return std::string(helperFunctions) + declarations + functions +
         "func.func @main() {" + helperConstants + body + "  return\n}\n";
}

const char *const onnxfold::ourLowering =
    "lower-deallocation-to-llvm{generic-alloc-functions=1}";

const char *const onnxfold::upstreamLowering =
    "convert-bufferization-to-memref,func.func(convert-linalg-to-loops),"
    "expand-realloc,expand-strided-metadata,lower-affine,convert-scf-to-cf,"
    "finalize-memref-to-llvm{use-generic-functions=1},convert-math-to-llvm,"
    "convert-arith-to-llvm,convert-index-to-llvm,convert-func-to-llvm,"
    "convert-cf-to-llvm,reconcile-unrealized-casts";

std::ostream &onnxfold::operator<<(std::ostream &os, const Outcome &outcome) {
  if (!outcome.error.empty())
    return os << "error: " << outcome.error << "\n" << outcome.ir;
  return os << summarize(outcome.counts) << "\n" << outcome.ir;
}

mlir::MLIRContext &onnxfold::programContext() {
  static mlir::MLIRContext *context = [] {
    mlir::DialectRegistry registry;
    mlir::registerAllDialects(registry);
    registerJitDialects(registry);
    registerDeallocationDialects(registry);
    registerDeallocationPasses();
    mlir::registerAllPasses();
    return new mlir::MLIRContext(registry,
                                 mlir::MLIRContext::Threading::DISABLED);
  }();
  return *context;
}

std::string onnxfold::textOf(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  op->print(os);
  return text;
}

mlir::OwningOpRef<mlir::ModuleOp>
onnxfold::parseProgram(const std::string &text, std::string &error) {
  mlir::MLIRContext &context = programContext();
  mlir::ScopedDiagnosticHandler handler(
      &context,
      [&](mlir::Diagnostic &diagnostic) { error += diagnostic.str() + "\n"; });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module && error.empty())
    error = "does not parse";
  return module;
}

bool onnxfold::runPasses(mlir::ModuleOp module, const std::string &pipeline,
                         std::string &error) {
  mlir::MLIRContext &context = programContext();
  mlir::ScopedDiagnosticHandler handler(
      &context,
      [&](mlir::Diagnostic &diagnostic) { error += diagnostic.str() + "\n"; });
  mlir::PassManager pm(&context, mlir::ModuleOp::getOperationName());
  llvm::raw_string_ostream os(error);
  if (failed(mlir::parsePassPipeline(pipeline, pm, os)))
    return false;
  if (succeeded(pm.run(module)))
    return true;
  if (error.empty())
    error = "a pass failed without a word";
  return false;
}

Outcome onnxfold::runProgram(const std::string &text,
                             const std::string &pipeline,
                             const std::string &lowering, int optimizationLevel,
                             size_t countFrom) {
  Outcome outcome;
  auto module = parseProgram(text, outcome.error);
  if (!module)
    return outcome;
  bool done = runPasses(*module, pipeline, outcome.error);
  outcome.ir = textOf(*module);
  if (!done || !runPasses(*module, lowering, outcome.error))
    return outcome;
  JitOptions options;
  options.optimizationLevel = optimizationLevel;
  options.symbols = {{"onnxfold_retain_buffers",
                      reinterpret_cast<void *>(&onnxfold_retain_buffers)}};
  auto jit = Jit::compile(*module, options);
  auto run = jit ? jit->run("main", countFrom) : jit.takeError();
  if (!run) {
    outcome.error = llvm::toString(run.takeError());
    return outcome;
  }
  outcome.counts = run->counts;
  outcome.values = run->values;
  outcome.seconds = run->seconds;
  return outcome;
}

unsigned onnxfold::countOf(const std::string &text, const std::string &part) {
  unsigned count = 0;
  for (size_t at = text.find(part); at != std::string::npos;
       at = text.find(part, at + part.size()))
    ++count;
  return count;
}
