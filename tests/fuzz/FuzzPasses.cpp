//===- FuzzPasses.cpp - The fuzz target of passes on textual IR -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/dealloc/Passes.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/Passes.h"
#include "onnxfold/sequence/transforms/Passes.h"
#include "onnxfold/tensorfolding/Passes.h"
#include "onnxfold/tensorfolding/lowering/Passes.h"
#include "onnxfold/upstream/MlirText.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace mlir;

/// What the first byte of an input chooses. Each is a program that a user can
/// give to fold-opt; a pass that needs another one before it has it here.
static constexpr llvm::StringLiteral pipelines[] = {
    "constant-tensors-metadata",
    "constant-tensor-folding-pipeline",
    "lower-deallocation-to-llvm",
    "lower-sequence-to-llvm",
    "lower-constant-tensors-to-llvm",
    "constprop,scrub",
    "buffer-deallocation-and-reuse,lower-deallocation-to-llvm",
    ("constant-tensor-folding{mode=both postpone-broadcasts},"
     "constant-tensors-metadata"),
    "ease-bufferization,sequence-ownership,convert-sequence",
    "prepare-constant-tensor-calls,protect-arguments,check-arguments",
};

static void registerOnce() {
  [[maybe_unused]] static const bool isRegistered = [] {
    registerConstantPropagationPass();
    registerCollectionPasses();
    registerDeallocationPasses();
    sequence::registerSequencePasses();
    sequence::registerSequencePipelines();
    registerTensorFoldingPasses();
    registerConstantTensorLowering();
    return true;
  }();
}

/// Parsers of MLIR that dereference null pointers: of linalg's operations, and
/// of array<index: ...> (docs/upstream-bugs.md). No pass can stand before them.
static bool endsParser(llvm::StringRef text) {
  llvm::Error error = checkMlirText(text);
  bool isRefused(error);
  llvm::consumeError(std::move(error));
  return isRefused || text.contains("linalg.");
}

FuzzOutcome onnxfold::fuzzPasses(llvm::StringRef bytes) {
  if (bytes.empty() || !isReadableText(bytes) || endsParser(bytes))
    return FuzzOutcome::Refused;
  registerOnce();
  DialectRegistry registry;
  registerDeallocationDialects(registry);
  sequence::registerSequenceDialects(registry);
  registerUpstreamKernels(registry);
  registry.insert<ElementsDialect, ml_program::MLProgramDialect,
                  tosa::TosaDialect>();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.loadAllAvailableDialects();
  context.getDiagEngine().registerHandler([](Diagnostic &) {});
  ParserConfig config(&context);
  size_t number = static_cast<unsigned char>(bytes.front()) - '0';
  // MLIR's lexer reads the null character behind it.
  std::string source = bytes.drop_front().str();
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, config);
  if (!module)
    return FuzzOutcome::Refused;
  PassManager manager(&context);
  if (failed(parsePassPipeline(pipelines[number % std::size(pipelines)],
                               manager, llvm::errs())))
    giveUp(llvm::createStringError(pipelines[number % std::size(pipelines)]),
           "not a pipeline");
  return failed(manager.run(*module)) ? FuzzOutcome::Read : FuzzOutcome::Folded;
}
