//===- FoldModel.cpp - A model in, the folded model out -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// foldSteps() is the whole run. A new capability is a file with a function that
// returns StepResult, and a line in its list.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/cache/internal/CacheFolder.h"
#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/compare/internal/VerifyFold.h"
#include "onnxfold/onnx/driver/emit/internal/Emission.h"
#include "onnxfold/onnx/driver/emit/internal/RunOnceSplit.h"
#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "onnxfold/onnx/driver/fold/internal/Conversions.h"
#include "onnxfold/onnx/driver/fold/internal/FoldSteps.h"
#include "onnxfold/onnx/driver/rules/RuleFiles.h"

using namespace onnxfold;

static llvm::Error foldSteps(ModelSource &source, OutputTarget &target,
                             const FoldOptions &options, RunScope &run) {
  std::unique_ptr<CacheFolder> cache; // outlives all values
  ModelContext context;
  FoldedModel model;
  TypeMistakes mistakes(source.name(), options.strict);
  ExportSettings settings(model, options, target);
  PreparedModel &prepared = model.prepared;

  llvm::Error error = run.steps({
      // Preparation.
      {"cache",
       [&] { return openCache(options, target.isNone(), cache, run); }},
      {"schemas", [&] { return context.addFolding(options, run); }},
      {"rules",
       [&] {
         auto loaded = loadRules(options, context.rules(), run);
         model.rules = &context.rules().patterns();
         model.undone = rewritesUndone(options, context.rules());
         return loaded;
       }},
      {"lock", [&] { return target.lockInPlace(run); }},
      {"prepare",
       [&] { return prepareModel(source, options, context, run, prepared); }},
      {"open", [&] { return target.open(source, prepared, run); }},
      {"begin", [&] { return beginFold(model, options, run); }},
      {"hold", [&] { return holdInitializers(prepared, options); }},
      {"once", [&] { return findRunOnce(model, options); }},
      {"forms", [&] { return beginCleaning(model, options, run); }},

      // Folding.
      {"evaluate",
       [&] {
         return evaluate(model, options, source, context, cache.get(), mistakes,
                         run);
       }},
      {"plan", [&] { return plan(model, options, run); }},
      {"left out", [&] { return addLeftOut(model, options); }},
      {"rewrite", [&] { return rewrite(model, options, run); }},
      {"convert",
       [&] {
         return convertToOpset(model, options, source, context, cache.get(),
                               settings, run);
       }},
      {"types",
       [&] {
         return convertModelTypes(model, options, source, context, cache.get(),
                                  settings, run);
       }},
      {"compact", [&] { return compactModel(model, options, run); }},

      // Emission.
      {"verify",
       [&] {
         return verifyModule(model, options, source, context, target, run);
       }},
      {"write",
       [&] { return emit(model, options, target, settings, mistakes, run); }},
      {"verify",
       [&] {
         return verifyWritten(model, options, source, context, target, run);
       }},
      {"cache", [&] { return noteCache(options, cache.get(), run); }},
  });
  if (error)
    return error;

  // All that can fail comes before anything is replaced.
  bool isAccepted = !isRejected(run.report());
  if (llvm::Error error = target.writeReport(run, isAccepted))
    return error;
  if (!isAccepted) {
    if (llvm::Error error = target.commitReport())
      return error;
    return verificationError(
        *run.report().verification, source.name(),
        ModelFault()
            .file(source.name())
            .says("the result computes something else than the model"));
  }
  if (llvm::Error error = run.checkCancelled())
    return error;
  return target.commit(run);
}

llvm::Error onnxfold::foldModel(const ModelInput &input,
                                const ModelOutput &output,
                                const FoldOptions &options, FoldReport &report,
                                const FoldCallbacks &callbacks) {
  if (llvm::Error error = checkOptions(options))
    return asFoldError(std::move(error));
  return runInScope(input.name(), options, report, callbacks,
                    [&](RunScope &run) {
                      ModelSource source(input);
                      OutputTarget target(output, options);
                      report.wantsNodes = options.report != ReportFormat::None;
                      report.input = input.name();
                      report.output = target.path();
                      return foldSteps(source, target, options, run);
                    });
}

//===----------------------------------------------------------------------===//
// Inputs and outputs
//===----------------------------------------------------------------------===//

ModelInput ModelInput::file(llvm::StringRef path) {
  ModelInput input;
  input.path = path.str();
  return input;
}

ModelInput ModelInput::bytes(llvm::StringRef model, llvm::StringRef folder) {
  ModelInput input;
  input.model = model;
  input.folder = folder.str();
  return input;
}

llvm::StringRef ModelInput::name() const {
  return model ? llvm::StringRef("<memory>") : llvm::StringRef(path);
}

ModelOutput ModelOutput::file(llvm::StringRef path) {
  ModelOutput output;
  output.path = path.str();
  return output;
}

ModelOutput ModelOutput::bytes(std::string &result) {
  ModelOutput output;
  output.result = &result;
  return output;
}

ModelOutput ModelOutput::bytes(std::string &result, std::string &once) {
  ModelOutput output = bytes(result);
  output.once = &once;
  return output;
}

ModelOutput ModelOutput::none() { return {}; }
