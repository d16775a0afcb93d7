//===- Tool.cpp - onnx-fold -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the command line, calls foldModel, says what became of it.
// Exit status: 0 done; 1 usage, input or output error; 2 --check: folding would
// change the model, diff: the models differ; 3 --verify found a difference;
// 4 --verify could not compare an output.
//
//===----------------------------------------------------------------------===//

#include "Tool.h"
#include "Batch.h"
#include "LastErrors.h"
#include "MachineMemory.h"
#include "Options.h"
#include "Progress.h"
#include "Reduce.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/compare/CompareModels.h"
#include "onnxfold/onnx/driver/compare/DiffModels.h"
#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/driver/rules/RuleFiles.h"
#include "onnxfold/onnx/driver/stats/ModelStats.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/tools/support/Heap.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

using namespace onnxfold;

/// The memory of the largest folded operator is all that a run takes beside its
/// tables: results that are kept for later are written to an unnamed file,
/// in the folder that has room for the output. Neither part is more than a
/// quarter of what there is; where bytes are has no influence on a result.
static void limitMemory(const Options &options) {
  // The memory of the machine stands in a dozen files of the system.
  std::optional<uint64_t> given =
      options.fold.maxMemory ? options.fold.maxMemory : options.memory;
  uint64_t part = (given ? *given : memoryOfMachine()) / 4;
  MemoryLimits limits;
  limits.largestInMemory = std::min(limits.keptBytes, part);
  limits.keptBytes = std::min<uint64_t>(32 << 20, part);
  if (!options.check && options.compared.empty() && options.output != "-")
    limits.folder = folderOfModel(options.output);
  setMemoryLimits(limits);
}

/// The text of an error, which is not consumed.
std::string onnxfold::textOf(const llvm::Error &error) {
  std::string text;
  llvm::raw_string_ostream(text) << error;
  return text;
}

/// Shows the user what foldModel does. `progress` shows one step.
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
    if (!found.isEqual() || found.isComplete())
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

/// Prints to standard output, as diff programs do, unless a file is given.
static void sayDifference(const FoldReport &report, const Options &options) {
  bool isFile = !options.fold.reportFile.empty();
  if (!isFile)
    printReport(llvm::outs(), report, options.fold.report);
  else if (!options.quiet && options.fold.report != ReportFormat::Text)
    printReport(llvm::outs(), report, ReportFormat::Text);
}

namespace {
/// Standard error has a buffer while this lives. Without one each piece of a
/// report is a system call.
class BufferedErrors {
public:
  BufferedErrors() { llvm::errs().SetBufferSize(1 << 16); }
  ~BufferedErrors() { llvm::errs().SetUnbuffered(); }
};
} // namespace

static void sayReport(const FoldReport &report, const Options &options,
                      const Messages &messages) {
  if (messages.isRelayed && options.fold.reportFile.empty() &&
      options.fold.report != ReportFormat::None) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printReport(out, report, options.fold.report);
    messages.printed(text);
  }
  if (messages.isJson) {
    if (!options.quiet || (options.fold.report != ReportFormat::None &&
                           options.fold.reportFile.empty()))
      messages.report(report);
    return;
  }
  if (options.diff)
    return sayDifference(report, options);
  BufferedErrors buffered;
  if (!options.quiet && options.compared.empty()) {
    if (!options.check)
      printSummary(llvm::errs(), report);
    if (llvm::errs().is_displayed() ||
        options.fold.report != ReportFormat::None)
      printHighlights(llvm::errs(), report, options.fold.reportFile);
  }
  if (options.fold.reportFile.empty())
    printReport(llvm::errs(), report, options.fold.report);
}

bool onnxfold::isReportOnStream(const Options &options,
                                const Messages &messages) {
  return messages.isJson || options.diff ||
         (options.fold.report != ReportFormat::None &&
          options.fold.reportFile.empty());
}

llvm::Error onnxfold::takeStreamErrors() {
  llvm::Error error = llvm::Error::success();
  auto take = [&](llvm::raw_fd_ostream &stream, llvm::StringRef name) {
    stream.flush();
    if (!stream.has_error())
      return;
    error = llvm::joinErrors(
        std::move(error),
        makeSystemError(name, "cannot be written", stream.error().value()));
    stream.clear_error();
  };
  take(llvm::errs(), "<stderr>");
  take(llvm::outs(), "<stdout>");
  return error;
}

static llvm::Error work(const Options &options, FoldReport &report,
                        const FoldCallbacks &callbacks) {
  if (options.diff)
    return diffModels(options.input, options.compared, options.fold, report,
                      callbacks);
  if (!options.compared.empty())
    return compareModels(options.input, options.compared, options.fold, report,
                         callbacks);
  return foldModel(ModelInput::file(options.input),
                   options.check ? ModelOutput::none()
                                 : ModelOutput::file(options.output),
                   options.fold, report, callbacks);
}

/// The code in messages of the error of a run with this report.
static llvm::StringRef codeOf(const FoldReport &report) {
  if (!report.verification)
    return "failed";
  if (!report.verification->isEqual())
    return "differs";
  return report.verification->isComplete() ? "failed" : "not-verified";
}

/// The error names the first output that was not compared.
static VerifyResult withoutFirstOutput(VerifyResult found) {
  auto first = llvm::find_if(
      found.notRun, [](const NotRun &entry) { return entry.isOutput; });
  if (first != found.notRun.end())
    found.notRun.erase(first);
  return found;
}

/// --confirm: what has not got its name is still the caller's to decide about.
static llvm::Error waitForCaller(int descriptor) {
  char byte;
  ssize_t count;
  do
    count = ::read(descriptor, &byte, 1);
  while (count < 0 && errno == EINTR);
  if (count < 0)
    return makeSystemError("--confirm=" + std::to_string(descriptor),
                           "cannot be read", errno);
  return count == 1 ? llvm::Error::success()
                    : llvm::Error(ModelFault("the caller ended the run"));
}

int onnxfold::runOne(const Options &options, const Messages &messages) {
  limitMemory(options);
  noteRun(options.input);
  std::optional<Progress> progress(std::in_place, options, messages);
  FoldReport report;
  report.arguments = options.arguments;
  FoldCallbacks heard = callbacks(options, messages, progress);
  bool isPrinted = false;
  auto print = [&] {
    isPrinted = true;
    progress.emplace(options, messages);
    sayReport(report, options, messages);
    return takeStreamErrors();
  };
  heard.complete = [&]() -> llvm::Error {
    if (isReportOnStream(options, messages)) {
      if (llvm::Error error = print())
        return error;
      if (messages.confirm)
        if (llvm::Error error = messages.confirm())
          return error;
    }
    if (!options.check && !options.diff)
      noteComplete(report.isChanged);
    return llvm::Error::success();
  };
  if (options.confirm)
    heard.commits = [&](llvm::ArrayRef<std::string> files) {
      messages.ready(files);
      return waitForCaller(*options.confirm);
    };
  llvm::Error error = work(options, report, heard);
  llvm::StringRef code = codeOf(report);
  if (error && code == "not-verified") {
    progress.reset();
    messages.fail(code, faultIn(error));
    messages.verified(withoutFirstOutput(*report.verification),
                      /*all=*/!options.quiet);
  }
  if (!isPrinted && (!error || code != "failed")) {
    llvm::Error lost = print();
    if (!error && isReportOnStream(options, messages))
      error = std::move(lost);
    else
      llvm::consumeError(std::move(lost));
  }
  progress.reset();
  // Messages::verified has said which value differs.
  if (error && (code == "failed" || (code == "differs" && messages.isJson)))
    messages.fail(code, faultIn(error));
  int status =
      error ? int(takeCode(std::move(error)))
            : ((options.check || options.diff) && report.isChanged ? 2 : 0);
  messages.end(status, report.isChanged);
  llvm::consumeError(takeStreamErrors());
  return status;
}

/// Prints a report where programs read lines, else to standard output, unless
/// it has a file.
static llvm::Error sayStats(const ModelStats &stats, const Options &options,
                            const Messages &messages) {
  if (llvm::Error error = writeStats(stats, options.fold))
    return error;
  if (messages.isJson) {
    std::string text;
    llvm::raw_string_ostream out(text);
    printStats(out, stats, ReportFormat::Json, /*indent=*/0);
    messages.report(text);
  } else if (options.fold.reportFile.empty()) {
    printStats(llvm::outs(), stats, options.fold.report);
  }
  return takeStreamErrors();
}

/// The subcommand stats.
static int tell(const Options &options, const Messages &messages) {
  noteRun(options.input);
  ModelStats stats;
  FoldCallbacks heard;
  if (!options.quiet)
    heard.warn = [&](llvm::StringRef text) { messages.warn(text); };
  llvm::Error error =
      collectStats(ModelInput::file(options.input), options.fold, stats, heard);
  if (!error)
    error = sayStats(stats, options, messages);
  if (error)
    messages.fail("failed", faultIn(error));
  int status = error ? 1 : 0;
  llvm::consumeError(std::move(error));
  messages.end(status, /*isChanged=*/false);
  llvm::consumeError(takeStreamErrors());
  return status;
}

/// The subcommand check-rules. It has the exit status of a comparison.
static int checkRules(const Options &options, const Messages &messages) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::Expected<RuleCheck> found = checkRuleFile(
      options.input, options.output, out, /*prints=*/!options.quiet);
  if (messages.isJson)
    messages.printed(text);
  else
    llvm::outs() << text;
  llvm::Error error = found ? takeStreamErrors() : found.takeError();
  if (error)
    messages.fail("failed", faultIn(error));
  int status = error ? 1 : found->holds ? 0 : 3;
  llvm::consumeError(std::move(error));
  messages.end(status, /*isChanged=*/false);
  return status;
}

/// The subcommand report: no model is read.
static int show(const Options &options, const Messages &messages) {
  llvm::Error error =
      showReport(options.input, options.fold.report, options.fold.reportFile);
  if (error)
    messages.fail("failed", faultIn(error));
  int status = error ? 1 : 0;
  llvm::consumeError(std::move(error));
  messages.end(status, /*isChanged=*/false);
  return status;
}

/// A standard stream that the caller has closed stays unusable: otherwise the
/// next file that is opened would get its number, and the texts.
static void occupyStandardStreams() {
  for (int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0)
      (void)!::open("/", O_PATH); // the lowest number that is free
}

/// A signal that the parent process ignores (nohup, a shell's background job)
/// is still ignored: LLVM's handlers, which remove files, do not check. A
/// blocked signal does not reach them.
static void blockIgnoredSignals() {
  sigset_t ignored;
  ::sigemptyset(&ignored);
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction action;
    if (::sigaction(number, nullptr, &action) == 0 &&
        action.sa_handler == SIG_IGN)
      ::sigaddset(&ignored, number);
  }
  ::pthread_sigmask(SIG_BLOCK, &ignored, nullptr);
}

int onnxfold::runTool(int argc, char **argv) {
  spellSettingsAsOptions();
  prepareHeap();
  occupyStandardStreams();
  blockIgnoredSignals();
  installLastErrors();
  // A full disk or a closed pipe is an error to report, not a death.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  Messages messages;
  llvm::Expected<Options> options = parseOptions(argc, argv, messages);
  if (messages.isJson)
    writeLastErrorsAsJson();
  if (options && !options->models.empty()) {
    llvm::Expected<int> status = runSeveral(*options, messages);
    if (status)
      return *status;
    options = status.takeError();
  }
  if (options)
    return options->show         ? show(*options, messages)
           : options->stats      ? tell(*options, messages)
           : options->reduce     ? reduceOne(*options, messages)
           : options->checkRules ? checkRules(*options, messages)
                                 : runOne(*options, messages);
  messages.failUsage(options.takeError());
  messages.end(/*status=*/1, /*isChanged=*/false);
  return 1;
}
