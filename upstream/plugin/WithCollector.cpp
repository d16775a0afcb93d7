//===- WithCollector.cpp - A pass that runs others with collection --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/plugin/WithCollector.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/gc/Collector.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// The pipeline has a pass manager of its own: instrumentation cannot be added
/// to one that runs.
struct WithCollector : PassWrapper<WithCollector, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WithCollector)
  WithCollector() = default;
  WithCollector(const WithCollector &other) : PassWrapper(other) {
    pipeline = other.pipeline;
    statistics = other.statistics;
  }

  StringRef getArgument() const override { return "with-collector"; }
  StringRef getDescription() const override {
    return "run passes and free the constants that they drop";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ElementsDialect>();
    OpPassManager passes(ModuleOp::getOperationName());
    if (succeeded(parsePassPipeline(pipeline, passes, llvm::nulls())))
      passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    PassManager passes(&getContext(), ModuleOp::getOperationName());
    if (failed(parsePassPipeline(pipeline, passes)))
      return signalPassFailure();
    addCollector(passes, {.registerRoot = true,
                          .statistics = statistics ? &llvm::errs() : nullptr});
    if (failed(passes.run(getOperation())))
      signalPassFailure();
  }

  Option<std::string> pipeline{*this, "pipeline",
                               llvm::cl::desc("passes on the module")};
  Option<bool> statistics{
      *this, "statistics", llvm::cl::init(false),
      llvm::cl::desc("print how many constants were made and freed")};
};

} // namespace

void onnxfold::registerWithCollectorPass() {
  registerPass([] { return std::make_unique<WithCollector>(); });
}
