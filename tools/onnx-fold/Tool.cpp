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
#include "Progress.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/onnx/driver/FoldModel.h"
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
  if (!options.check && options.output != "-")
    limits.folder = folderOfModel(options.output);
  setMemoryLimits(limits);
}

static int fail(llvm::Error error) {
  llvm::errs() << "onnx-fold: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}

static void printVerification(const VerifyResult &result, bool all) {
  std::string text;
  llvm::raw_string_ostream out(text);
  result.print(out, all);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef line : lines)
    llvm::errs() << "onnx-fold: verify: " << line << "\n";
}

/// What a user sees while foldModel works. `progress` shows one step.
static FoldCallbacks callbacks(const Options &options,
                               std::optional<Progress> &progress) {
  FoldCallbacks result;
  // A text report on standard error has the warnings too.
  bool isReported = options.fold.report == ReportFormat::Text &&
                    options.fold.reportFile.empty();
  if (!options.quiet && !isReported)
    result.warn = [](llvm::StringRef text) {
      llvm::errs() << "onnx-fold: warning: " << text << "\n";
    };
  if (!options.quiet)
    result.waits = [](llvm::StringRef output) {
      llvm::errs() << "onnx-fold: waiting for another run that writes "
                   << output << "\n";
    };
  result.verified = [&](const VerifyResult &found) {
    printVerification(found, /*all=*/!options.quiet);
  };
  if (!progress->isEnabled())
    return result;
  result.step = [&] { progress->step(); };
  result.wrote = [&](uint64_t bytes, uint64_t total) {
    progress->wrote(bytes, total);
  };
  result.endedStep = [&](llvm::StringRef) { progress.emplace(options); };
  return result;
}

static void printReport(const FoldReport &report, const Options &options) {
  if (!options.quiet && !options.check)
    report.printSummary(llvm::errs());
  if (options.fold.reportFile.empty())
    report.print(llvm::errs(), options.fold.report);
}

static int run(const Options &options) {
  limitMemory(options);
  std::optional<Progress> progress(std::in_place, options);
  FoldReport report;
  llvm::Error error = foldModel(
      ModelInput::file(options.input),
      options.check ? ModelOutput::none() : ModelOutput::file(options.output),
      options.fold, report, callbacks(options, progress));
  progress.reset();
  bool differs = report.verification && !report.verification->isEqual();
  if (error && !differs)
    return fail(std::move(error));
  printReport(report, options);
  if (error)
    return int(takeCode(std::move(error)));
  return options.check && report.isChanged ? 2 : 0;
}

int onnxfold::runTool(int argc, char **argv) {
  prepareHeap();
  // A full disk or a closed pipe is an error to report, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  llvm::Expected<Options> options = parseOptions(argc, argv);
  return options ? run(*options) : fail(options.takeError());
}
