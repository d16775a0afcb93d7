//===- CleanUpPass.cpp - Constant propagation with clean-ups --------------===//

#include "onnxfold/onnx/driver/CleanUpPass.h"
#include "onnxfold/elements/ir/ElementsDialect.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/driver/ModuleFolding.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct OnnxCleanUpPass : PassWrapper<OnnxCleanUpPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(OnnxCleanUpPass)

  OnnxCleanUpPass() = default;
  OnnxCleanUpPass(const OnnxCleanUpPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "onnx-clean-up"; }
  StringRef getDescription() const override {
    return "constant propagation and exact clean-ups of ONNX graphs";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<ElementsDialect>(); // of the attributes that it makes
  }

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
    bool changes = folding.changesAnything();
    folding.plan().apply();
    if (!changes)
      markAllAnalysesPreserved();
  }

  ListOption<std::string> disable{
      *this, "disable", llvm::cl::desc("clean-ups to leave out, by name")};
  Option<int> level{*this, "level",
                    llvm::cl::desc("1: exact; 2: within a bound too"),
                    llvm::cl::init(1)};
  Option<int64_t> maxGrowth{
      *this, "max-growth",
      llvm::cl::desc("bytes that constants may gain (-1: no limit)"),
      llvm::cl::init(-1)};
};

} // namespace

std::unique_ptr<Pass> onnxfold::createOnnxCleanUpPass() {
  return std::make_unique<OnnxCleanUpPass>();
}

void onnxfold::registerOnnxCleanUpPass() {
  registerPass([] { return createOnnxCleanUpPass(); });
}
