//===- VerifyFold.cpp - --verify ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/VerifyFold.h"
#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/fold/internal/Conversions.h"
#include "onnxfold/onnx/verify/NodeNumbers.h"

using namespace onnxfold;
using namespace mlir;

bool onnxfold::isRejected(const FoldReport &report) {
  return report.verification && (!report.verification->isEqual() ||
                                 !report.verification->isComplete());
}

/// Reads the model once more, as it was, for a comparison with `result`.
/// The folded form of a converted model was written and read again, and has the
/// node numbers of that file.
static llvm::Expected<StepResult>
compareWith(ModuleOp result, const FoldedModel &model,
            const FoldOptions &options, const ModelSource &source,
            ModelContext &context, RunScope &run) {
  llvm::Expected<ImportedModel> original =
      prepareAgain(source, options, context, model.prepared);
  if (!original)
    return original.takeError();
  if (!options.convertsInterface && !model.isConverted)
    return verifyInRun(*original, result, options, run, model.isRounded);
  OwningOpRef<ModuleOp> copy(result.clone());
  if (model.isConverted)
    takeNodeNumbers(*copy, *original->module);
  if (options.convertsInterface)
    takeInterface(*copy, *original->module);
  return verifyInRun(*original, *copy, options, run, model.isRounded);
}

static bool verifiesModule(const FoldedModel &model, const FoldOptions &options,
                           const OutputTarget &target) {
  return target.isNone() || options.format == OutputFormat::Mlir || model.once;
}

llvm::Expected<StepResult>
onnxfold::verifyModule(FoldedModel &model, const FoldOptions &options,
                       const ModelSource &source, ModelContext &context,
                       const OutputTarget &target, RunScope &run) {
  if (options.verifyTrials == 0 || !verifiesModule(model, options, target))
    return StepResult::Unchanged;
  return compareWith(model.module(), model, options, source, context, run);
}

llvm::Expected<StepResult>
onnxfold::verifyWritten(FoldedModel &model, const FoldOptions &options,
                        const ModelSource &source, ModelContext &context,
                        const OutputTarget &target, RunScope &run) {
  if (options.verifyTrials == 0 || verifiesModule(model, options, target))
    return StepResult::Unchanged;
  if (!target.written()) // the output is the input
    return compareWith(model.module(), model, options, source, context, run);
  llvm::Expected<ImportedModel> result = target.written()->read(context);
  if (!result)
    return inContext("the result cannot be read back, nothing is written",
                     result.takeError());
  takeNodeNumbers(*result->module, model.module());
  return compareWith(*result->module, model, options, source, context, run);
}
