//===- Verification.cpp - What runs with --verify share -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/compare/internal/VerifyInputs.h"
#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/convert/TypeConversion.h"

using namespace onnxfold;
using llvm::StringRef;

/// Half the distance of 1 and the next number: what rounding costs.
static double roundoffOf(DataType type) {
  switch (type) {
  case DataType::BFloat16:
    return 0x1p-8;
  case DataType::Float16:
    return 0x1p-11;
  default:
    return 0x1p-24;
  }
}

/// A conversion is no fold: the result computes with fewer digits, or the model
/// did.
static void allowConversion(const FoldOptions &options, VerifyOptions &how) {
  constexpr double times = 64;
  auto pairs = llvm::cantFail(parseTypePairs(options.convert)); // was checked
  for (const TypePair &pair : pairs) {
    how.exact &= !isFloat(pair.from) && !pair.saturates;
    if (!isFloat(pair.from))
      continue;
    double mine = roundoffOf(pair.to), theirs = roundoffOf(pair.from);
    how.relative = std::max({how.relative, times * mine, times * theirs});
    if (mine > theirs)
      how.roundsInputs = pair.to;
  }
}

static VerifyOptions verifyOptionsOf(const FoldOptions &options, RunScope &run,
                                     bool isRounded) {
  VerifyOptions result;
  result.trials = options.verifyTrials;
  result.limits = options.limits;
  result.limits.maxWork = options.limits.maxWorkOfRun();
  result.exact =
      options.level <= 1 && options.precision == Precision::Exact && !isRounded;
  allowConversion(options, result);
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
  for (const std::string &wrong : result.wrongTypes)
    run.warn(run.report().input + ": " + wrong +
             "; it was run whatever types its body declares");
  if (run.callbacks().verified)
    run.callbacks().verified(result);
  return StepResult::Changed;
}

/// The remedy by which the next run compares it.
static std::string remedyFor(ReasonCode code) {
  switch (code) {
  case ReasonCode::WorkLimit:
    return "; " + setting("max-work", "unlimited") + " runs it";
  case ReasonCode::ResultLimit:
    return "; " + setting("max-result") + " sets the limit";
  case ReasonCode::TripLimit:
    return "; " + setting("max-trip-count") + " sets the limit";
  case ReasonCode::NoKernel:
  case ReasonCode::UnknownVersion:
  case ReasonCode::NotDeterministic:
  case ReasonCode::UnsupportedType:
    return "; 'python -m onnx_fold verify ORIGINAL FOLDED' may compare it";
  default:
    return "; " + setting("verify-inputs") + " gives inputs that it takes";
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
