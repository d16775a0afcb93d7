//===- Verification.cpp - What runs with --verify share -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/compare/internal/VerifyInputs.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"

using namespace onnxfold;
using llvm::StringRef;

static VerifyOptions verifyOptionsOf(const FoldOptions &options, RunScope &run,
                                     bool isRounded) {
  VerifyOptions result;
  result.trials = options.verifyTrials;
  result.limits = options.limits;
  result.limits.maxWork = options.limits.maxWorkOfRun();
  result.exact =
      options.level <= 1 && options.precision == Precision::Exact && !isRounded;
  result.step = run.callbacks().step;
  result.isCancelled = run.question();
  return result;
}

/// Sizes and axes that are inputs. Whether they can be read is the writer's
/// business; without them there are random numbers.
static GivenInputs integerDefaults(const ImportedModel &model) {
  auto values = readInputDefaults(model, [](const TensorIndex &tensor) {
    return !tensor.problem && lookupTensorType(tensor.dataType) &&
           isInteger(DataType(tensor.dataType));
  });
  GivenInputs result;
  if (!values)
    llvm::consumeError(values.takeError());
  else
    for (auto &[name, value] : *values)
      result[name] = FoldedValue(value);
  return result;
}

llvm::Expected<StepResult> onnxfold::verifyInRun(const ImportedModel &before,
                                                 mlir::ModuleOp after,
                                                 const FoldOptions &options,
                                                 RunScope &run,
                                                 bool isRounded) {
  VerifyOptions how = verifyOptionsOf(options, run, isRounded);
  how.defaults = integerDefaults(before);
  if (!options.verifyInputs.empty())
    if (llvm::Error error =
            readVerifyInputs(options.verifyInputs, *before.module,
                             options.fixed.bound())
                .moveInto(how.inputs))
      return error;
  VerifyResult &result =
      run.report().verification.emplace(verify(*before.module, after, how));
  if (llvm::Error error = run.checkCancelled())
    return error;
  if (run.callbacks().verified)
    run.callbacks().verified(result);
  return StepResult::Changed;
}

/// What to do so that the next run compares it.
static StringRef remedyFor(ReasonCode code) {
  switch (code) {
  case ReasonCode::WorkLimit:
    return "; --max-work=unlimited runs it";
  case ReasonCode::ResultLimit:
    return "; --max-result sets the limit";
  case ReasonCode::TripLimit:
    return "; --max-trip-count sets the limit";
  case ReasonCode::NoKernel:
  case ReasonCode::UnknownVersion:
  case ReasonCode::NotDeterministic:
  case ReasonCode::UnsupportedType:
    return "; 'python -m onnx_fold verify ORIGINAL FOLDED' may compare it";
  default:
    return "; --verify-inputs gives inputs that it takes";
  }
}

llvm::Error onnxfold::verificationError(const VerifyResult &found,
                                        StringRef file,
                                        const ModelFault &difference) {
  if (!found.isEqual())
    return llvm::make_error<FoldError>(FoldErrorCode::Differs, difference);
  for (const NotRun &entry : found.notRun)
    if (entry.isOutput)
      return llvm::make_error<FoldError>(
          FoldErrorCode::NotVerified,
          ModelFault()
              .file(file)
              .context("not verified")
              .says(entry.textOfOutput() + remedyFor(entry.reason.code)));
  return llvm::Error::success();
}
