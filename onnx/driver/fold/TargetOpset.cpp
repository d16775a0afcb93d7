//===- TargetOpset.cpp - --target-opset and --ir-version ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/Conversions.h"
#include "onnxfold/onnx/driver/fold/internal/IrVersion.h"
#include "onnxfold/onnx/io/write/ConstantForms.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/opset/OpsetConversion.h"

using namespace onnxfold;
using namespace mlir;

static llvm::Error convertModule(FoldedModel &model, int64_t opset,
                                 RunScope &run) {
  RunBudgetScope bounded(run.budget());
  holdConstantNodes(model.module(), [&](OnnxConstantOp constant) {
    return isLaterConstant(constant, opset);
  });
  RewriteSession &session = model.folding->cleanUp().session();
  llvm::Expected<OpsetConversion> done = convertOpset(
      model.module(), opset,
      [&](Operation *op, ArrayRef<Operation *> made, ValueRange values) {
        return session.noteReplacedBy(op, made, values);
      });
  if (!done)
    return inFile(model.prepared.name, done.takeError());
  model.replaced = std::move(done->replaced);
  if (done->rounded.empty())
    return llvm::Error::success();
  model.isRounded = true;
  std::string counts;
  for (const auto &[op, count] : done->rounded)
    counts += (counts.empty() ? "" : ", ") + op + " " + std::to_string(count);
  run.warn(model.prepared.name + ": opset " + llvm::Twine(opset) +
           " does not have these operators, "
           "and the functions that define them take their place, whose floats "
           "may differ in the last digits: " +
           counts);
  return llvm::Error::success();
}

llvm::Expected<StepResult>
onnxfold::convertToOpset(FoldedModel &model, const FoldOptions &options,
                         const ModelSource &source, ModelContext &context,
                         ResultCache *cache, ExportSettings &settings,
                         RunScope &run) {
  if (options.targetOpset == 0 && options.irVersion == 0)
    return StepResult::Unchanged;
  bool foldsAgain = options.targetOpset != 0;
  if (options.targetOpset != 0)
    if (llvm::Error error = convertModule(model, options.targetOpset, run))
      return error;
  if (options.irVersion != 0) {
    llvm::Expected<bool> isOther = changeIrVersion(model, options.irVersion);
    if (!isOther)
      return isOther.takeError();
    foldsAgain |= *isOther;
  }
  if (!foldsAgain)
    return StepResult::Changed;
  return foldWritten(model, options, source, context, cache, settings, run);
}
