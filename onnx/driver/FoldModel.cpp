//===- FoldModel.cpp - A model in, the folded model out -------------------===//

#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/internal/FoldRun.h"
#include <memory>
#include <new>

using namespace onnxfold;

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

/// But for what the caller has said.
static void clear(FoldReport &report) {
  std::vector<std::string> arguments = std::move(report.arguments);
  std::destroy_at(&report);
  std::construct_at(&report);
  report.arguments = std::move(arguments);
}

llvm::Error onnxfold::foldModel(const ModelInput &input,
                                const ModelOutput &output,
                                const FoldOptions &options, FoldReport &report,
                                const FoldCallbacks &callbacks) {
  if (llvm::Error error = checkOptions(options))
    return asFoldError(std::move(error));
  std::optional<FoldRun> run;
  try {
    EarlierRuns earlier;
    run.emplace(input, output, options, report, callbacks, earlier);
    llvm::Error error = run->execute();
    while (!error && run->mustRunAgain()) {
      run.reset(); // what it holds is freed first
      clear(report);
      run.emplace(input, output, options, report, callbacks, earlier);
      error = run->execute();
    }
    // A writer that was stopped only reports that it could not continue.
    if (error && run->isCancelled()) {
      llvm::consumeError(std::move(error));
      return llvm::make_error<FoldError>(FoldErrorCode::Cancelled,
                                         ModelFault("cancelled"));
    }
    return asFoldError(std::move(error));
  } catch (const std::bad_alloc &) {
    // What held most of the memory is freed by now: there is some for a
    // message.
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       run ? run->outOfMemory()
                                           : ModelFault("out of memory"));
  } catch (const UnreadableFile &unreadable) {
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       unreadable.fault());
  }
}
