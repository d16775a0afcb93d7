//===- CleanUpPass.cpp - Constant propagation with clean-ups --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/driver/Passes.h"
#include "onnxfold/onnx/driver/fold/ModuleFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"

namespace onnxfold {
#define GEN_PASS_DEF_ONNXCLEANUPPASS
#include "onnxfold/onnx/driver/Passes.h.inc"
} // namespace onnxfold

using namespace onnxfold;
using namespace mlir;

namespace {

struct OnnxCleanUpPass : onnxfold::impl::OnnxCleanUpPassBase<OnnxCleanUpPass> {
  using Base::Base;

  void runOnOperation() override {
    llvm::StringSet<> disabled;
    for (const std::string &name : disable) {
      if (!isCleanUp(name)) {
        getOperation()->emitError("onnx-clean-up: disable is '")
            << name << "', expected the name of a clean-up";
        return signalPassFailure();
      }
      disabled.insert(name);
    }
    std::optional<ParallelScope> parallel;
    if (getContext().isMultithreadingEnabled())
      parallel.emplace(getContext().getThreadPool());
    ModuleFoldingOptions options;
    options.level = level;
    options.disabled = disabled;
    if (maxGrowth >= 0)
      options.budget = maxGrowth;
    ModuleFolding folding(getOperation(), std::move(options));
    if (llvm::Error error = folding.run()) {
      getOperation()->emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    for (const std::string &refusal : folding.cleanUp().session().refusals())
      getOperation()->emitWarning(refusal);
    bool changes = folding.changesAnything();
    folding.applyPlan();
    if (!changes)
      markAllAnalysesPreserved();
  }
};

} // namespace
