//===- ModuleFolding.cpp - What foldModel does with the IR ----------------===//

#include "onnxfold/onnx/driver/ModuleFolding.h"
#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/onnx/driver/FoldError.h"

using namespace onnxfold;
using namespace mlir;

using Filter = std::function<Reason(Operation *)>;

/// After a cancellation no operation may change, so that the walk comes to its
/// end without another kernel.
static Filter stoppable(Filter filter, std::function<bool()> isCancelled) {
  if (!isCancelled)
    return filter;
  return [filter = std::move(filter),
          isCancelled = std::move(isCancelled)](Operation *op) {
    if (isCancelled())
      return notFolded(ReasonCode::Filtered, "cancelled");
    return filter ? filter(op) : Reason();
  };
}

ModuleFolding::ModuleFolding(Operation *root, ModuleFoldingOptions given)
    : root(root), options(std::move(given)),
      cleaning(options.level, options.disabled, options.mostUnrolled) {
  options.evaluation.filter =
      stoppable(std::move(options.evaluation.filter), options.isCancelled);
  cleaning.setBudget(options.budget);
  cleaning.stopIf([] {
    RunBudget *run = RunBudget::current();
    return run && run->isTimeShort();
  });
  if (options.dropsIdleFunctions)
    cleaning.dropIdleFunctions();
  if (options.keepsConstants)
    cleaning.keepConstants();
}

ModuleFolding::~ModuleFolding() = default;

llvm::Error ModuleFolding::run() {
  bool learns = true;
  while (learns) {
    table.emplace(root, options.evaluation);
    learns = cleaning.run(*table);
    if (options.isCancelled && options.isCancelled())
      return llvm::make_error<FoldError>(FoldErrorCode::Cancelled, "cancelled");
  }
  if (std::string problem = cleaning.problem(); !problem.empty())
    return llvm::createStringError(problem);
  return llvm::Error::success();
}

FoldPlan &ModuleFolding::plan() {
  if (!folded)
    folded = cleaning.plan();
  return *folded;
}

bool ModuleFolding::changesAnything() {
  return plan().changesAnything() || !cleaning.session().replaced().empty();
}
