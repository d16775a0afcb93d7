//===- CompactModel.cpp - --compact-constants -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/CompactModel.h"
#include "onnxfold/onnx/driver/fold/internal/FoldSteps.h"
#include "onnxfold/onnx/transforms/compact/CompactConstants.h"

using namespace onnxfold;
using namespace mlir;

llvm::Expected<StepResult> onnxfold::compactModel(FoldedModel &model,
                                                  const FoldOptions &options,
                                                  RunScope &run) {
  if (!options.compactConstants || model.hasNoOutputs())
    return StepResult::Unchanged;
  llvm::StringSet<> annotated = annotatedNames(*model.prepared.imported.index);
  llvm::DenseSet<Operation *> held;
  if (model.prepared.held)
    for (Value value : model.prepared.held->values())
      held.insert(value.getDefiningOp());
  auto mayChange = [&](OnnxConstantOp constant) {
    return !held.contains(constant) &&
           !annotated.contains(constant.getOutput().get());
  };
  std::vector<CompactedConstant> done =
      compactConstants(model.module(), mayChange, model.replaced);
  FoldReport &report = run.report();
  for (CompactedConstant &one : done) {
    ++report.operators[one.opType].second;
    if (one.isReshaped)
      ++report.operators["Reshape"].second;
    report.compacted.push_back(
        {std::move(one.name), std::move(one.opType), one.before, one.after});
  }
  return done.empty() ? StepResult::Unchanged : StepResult::Changed;
}
