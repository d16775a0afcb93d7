//===- CleanForm.cpp - The form of a model, apart from its values ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/io/ConstantForms.h"
#include "onnxfold/onnx/io/Import.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"

using namespace onnxfold;
using namespace mlir;

static bool isAsked(const FoldOptions &options) {
  return options.constants != ConstantForm::Keep || options.sort ||
         options.prune || options.inputsWithoutInitializers ||
         !options.stripped.empty();
}

static FoldReport::Cleaning::Count &countOf(FoldReport &report,
                                            const std::string &what) {
  return report.cleaning->done[what];
}

llvm::Expected<StepResult> onnxfold::beginCleaning(FoldedModel &model,
                                                   const FoldOptions &options,
                                                   RunScope &run) {
  if (!isAsked(options))
    return StepResult::Unchanged;
  FoldReport &report = run.report();
  report.cleaning.emplace(FoldReport::Cleaning());
  if (options.inputsWithoutInitializers)
    if (size_t inputs = model.prepared.imported.bound.size())
      countOf(report, "input with an initializer").count = int64_t(inputs);
  if (options.prune && !model.prepared.imported.index->trainingInfos.empty())
    run.warn(model.prepared.name +
             ": has training information, so --prune leaves it as it is");
  if (options.constants == ConstantForm::Keep)
    return StepResult::Unchanged;
  if (int64_t held = holdConstantNodes(model.module()))
    report.operators["Constant"].first += held;
  return StepResult::Changed;
}

void onnxfold::holdConstantsAgain(ModuleOp module, const FoldOptions &options) {
  if (options.constants != ConstantForm::Keep)
    holdConstantNodes(module);
}

void onnxfold::pruneInitializers(FoldedModel &model, const FoldOptions &options,
                                 RunScope &run) {
  if (!options.prune || !model.prepared.imported.index->trainingInfos.empty())
    return;
  llvm::DenseSet<Operation *> held; // by --keep-initializer
  if (model.prepared.held)
    for (Value value : model.prepared.held->values())
      held.insert(value.getDefiningOp());
  SmallVector<Operation *> unread;
  FoldReport::Cleaning::Count pruned;
  mainGraph(model.module()).walk([&](Operation *op) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    bool isInitializer =
        constant ? !constant.getNode()
                 : isOpaqueInitializer(op) && op->getNumOperands() == 0;
    if (!isInitializer || !op->use_empty() || held.contains(op) ||
        (options.constants == ConstantForm::Nodes &&
         op->hasAttr(heldNodeAttrName))) // it stays a node
      return;
    unread.push_back(op);
    ++pruned.count;
    if (constant)
      pruned.bytes += int64_t(fromAttribute(constant.getValue()).bytes());
  });
  for (Operation *op : unread)
    op->erase();
  if (pruned.count != 0)
    countOf(run.report(), "unread initializer") = pruned;
}

void onnxfold::noteCleaning(const CleaningRecord &record, bool isLast,
                            FoldReport &report) {
  if (!report.cleaning)
    return;
  for (const auto &[what, done] : record.done) {
    FoldReport::Cleaning::Count &count = countOf(report, what);
    count.count += done.count;
    count.bytes += done.bytes;
  }
  if (!isLast)
    return;
  for (const CleaningRecord::Left &left : record.left)
    report.cleaning->left.push_back({left.name, left.reason});
  if (record.constantNodes != 0)
    report.operators["Constant"].second += record.constantNodes;
}
