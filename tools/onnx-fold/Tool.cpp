//===- Tool.cpp - onnx-fold -----------------------------------------------===//
//
// Reads the command line, calls foldModel, says what became of it.
// Exit status: 0 done; 1 usage, input or output error; 2 --check: folding would
// change the model; 3 --verify found a difference.
//
//===----------------------------------------------------------------------===//

#include "Tool.h"
#include "Heap.h"
#include "Options.h"
#include "OtherEngine.h"
#include "Progress.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/onnx/driver/CompareModels.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>

using namespace onnxfold;

/// The memory of the largest folded operator is all that a run takes beside its
/// tables: what is computed and kept for later goes to a file that has no name,
/// in the folder that has room for the output.
static void limitMemory(const Options &options) {
  MemoryLimits limits;
  limits.largestInMemory = limits.keptBytes;
  limits.keptBytes = 32 << 20;
  if (!options.check && options.compared.empty() && options.output != "-")
    limits.folder = folderOfModel(options.output);
  setMemoryLimits(limits);
}

/// The text of an error, which is not consumed.
static std::string textOf(const llvm::Error &error) {
  std::string text;
  llvm::raw_string_ostream(text) << error;
  return text;
}

/// What a user sees while foldModel works. `progress` shows one step.
static FoldCallbacks callbacks(const Options &options, const Messages &messages,
                               std::optional<Progress> &progress) {
  FoldCallbacks result;
  // A text report on standard error has the warnings too.
  bool isReported = options.fold.report == ReportFormat::Text &&
                    options.fold.reportFile.empty() && !messages.isJson;
  if (!options.quiet && !isReported)
    result.warn = [&](llvm::StringRef text) { messages.warn(text); };
  if (!options.quiet)
    result.waits = [&](llvm::StringRef output) { messages.waits(output); };
  result.verified = [&](const VerifyResult &found) {
    messages.verified(found, /*all=*/!options.quiet);
  };
  if (!progress->isEnabled())
    return result;
  result.step = [&] { progress->step(); };
  result.wrote = [&](uint64_t bytes, uint64_t total) {
    progress->wrote(bytes, total);
  };
  result.endedStep = [&](llvm::StringRef name) {
    messages.progress(llvm::json::Object{{"ended", name}});
    progress.emplace(options, messages);
  };
  return result;
}

static void printReport(const FoldReport &report, const Options &options,
                        const Messages &messages) {
  if (messages.isJson) {
    if (!options.quiet || (options.fold.report != ReportFormat::None &&
                           options.fold.reportFile.empty()))
      messages.report(report);
    return;
  }
  if (!options.quiet && !options.check && options.compared.empty())
    report.printSummary(llvm::errs());
  if (options.fold.reportFile.empty())
    report.print(llvm::errs(), options.fold.report);
}

static llvm::Error work(const Options &options, FoldReport &report,
                        const FoldCallbacks &callbacks) {
  if (!options.compared.empty())
    return compareModels(options.input, options.compared, options.fold, report,
                         callbacks);
  return foldModel(ModelInput::file(options.input),
                   options.check ? ModelOutput::none()
                                 : ModelOutput::file(options.output),
                   options.fold, report, callbacks);
}

static int run(const Options &options, const Messages &messages) {
  limitMemory(options);
  std::optional<Progress> progress(std::in_place, options, messages);
  FoldReport report;
  llvm::Error error =
      work(options, report, callbacks(options, messages, progress));
  progress.reset();
  bool differs = report.verification && !report.verification->isEqual();
  if (!error || differs)
    printReport(report, options, messages);
  if (error && (!differs || messages.isJson))
    messages.fail(differs ? "differs" : "failed", textOf(error));
  int status = error ? int(takeCode(std::move(error)))
                     : (options.check && report.isChanged ? 2 : 0);
  messages.end(status, report.isChanged);
  return status;
}

int onnxfold::runTool(int argc, char **argv) {
  prepareHeap();
  // A full disk or a closed pipe is an error to report, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  Messages messages;
  llvm::Expected<Options> options = parseOptions(argc, argv, messages);
  if (options && options->forOtherEngine)
    if (llvm::Error error = verifyWithOnnxRuntime(*options))
      options = std::move(error);
  if (options)
    return run(*options, messages);
  messages.fail("usage", llvm::toString(options.takeError()));
  messages.end(/*status=*/1, /*isChanged=*/false);
  return 1;
}
