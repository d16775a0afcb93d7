//===- toy-fold.cpp - A driver that keeps its constants in the library ----===//
// SPDX-License-Identifier: Apache-2.0
//
//   toy-fold model.mlir                        loads, folds, cleans up
//   toy-fold model.mlir --toy-load --cse       passes as mlir-opt takes them
//
// The module is written to standard output with ordinary attributes, for tools that
// know nothing of the library; numbers are printed to standard error.
//
// What to look at: the lines with ModuleRoot, addCollector and scrub. They are
// all that a driver needs so that constants which no operation refers to any
// more leave memory after the pass that dropped them.
//
//===----------------------------------------------------------------------===//

#include "ToyDialect.h"
#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/gc/Collector.h"
#include "onnxfold/gc/DisposablePool.h"
#include "onnxfold/gc/Scrub.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;

namespace cl = llvm::cl;

static cl::opt<std::string> input(cl::Positional, cl::desc("<model.mlir>"),
                                  cl::Required);

static void printStatistics(MLIRContext &context, StringRef when) {
  onnxfold::DisposableStatistics now =
      onnxfold::DisposablePool::get(&context).statistics();
  llvm::errs() << when << ": " << now.created << " created, " << now.disposed
               << " freed, " << now.live() << " live (" << now.liveBytes
               << " bytes, at most " << now.peakBytes << ")\n";
}

/// The engine says why an operation is kept in remarks of its own category.
static LogicalResult showWhatStays(MLIRContext &context) {
  remark::RemarkCategories categories;
  categories.missed = "constprop";
  return remark::enableOptimizationRemarks(
      context, nullptr, std::make_unique<remark::RemarkEmittingPolicyAll>(),
      categories, /*printAsEmitRemarks=*/true);
}

/// The pipeline of the command line, or our own.
static LogicalResult addPasses(PassManager &passes,
                               const PassPipelineCLParser &pipeline) {
  if (pipeline.hasAnyOccurrences())
    return pipeline.addToPipeline(passes, [](const Twine &error) {
      llvm::errs() << error << "\n";
      return failure();
    });
  StringRef folder = llvm::sys::path::parent_path(input);
  passes.addPass(toy::createLoadPass(folder.empty() ? "." : folder.str()));
  passes.addPass(onnxfold::createConstantPropagationPass());
  passes.addPass(createCanonicalizerPass());
  return success();
}

int main(int argc, char **argv) {
  toy::registerLoadPass();
  onnxfold::registerConstantPropagationPass();
  registerCanonicalizerPass();
  registerCSEPass();
  registerPassManagerCLOptions();
  PassPipelineCLParser pipeline("", "Passes to run");
  cl::ParseCommandLineOptions(argc, argv, "folds constants of toy models\n");

  DialectRegistry registry;
  registry.insert<toy::ToyDialect, func::FuncDialect>();
  MLIRContext context(registry);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(input, sources, &context);
  if (!module)
    return 1;

  // From here on a constant is alive if this module refers to it. The root is
  // declared after the module, and so is gone before it.
  onnxfold::ModuleRoot root(*module);
  PassManager passes(&context);
  if (failed(applyPassManagerCLOptions(passes)) ||
      failed(addPasses(passes, pipeline)) || failed(showWhatStays(context)))
    return 1;
  onnxfold::addCollector(passes); // collects after each pass
  if (failed(passes.run(*module)))
    return 1;
  printStatistics(context, "after the passes");

  // For those who read the module next: DenseElementsAttr, as everywhere.
  onnxfold::ScrubResult scrubbed = onnxfold::scrub(*module);
  llvm::errs() << "scrubbed: " << scrubbed.replaced << " constants, "
               << scrubbed.bytes << " bytes\n";
  printStatistics(context, "at the end");
  module->print(llvm::outs());
  return 0;
}
