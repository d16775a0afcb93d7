//===- Reduce.cpp - The subcommand reduce ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Reduce.h"
#include "LastErrors.h"
#include "onnxfold/tools/support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <unistd.h>

using namespace onnxfold;

static std::atomic<bool> isInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// The second signal does not wait for the best so far.
static void interrupt(int number) {
  if (isInterrupted.exchange(true))
    ::_exit(128 + number);
}

static void listen() {
  for (int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before, own = {};
    ::sigaction(number, nullptr, &before);
    if (before.sa_handler == SIG_IGN)
      continue;
    own.sa_handler = interrupt;
    own.sa_flags = SA_RESTART;
    ::sigaction(number, &own, nullptr);
  }
}

namespace {

/// One line, which is written over.
class ReduceProgress {
public:
  ReduceProgress(const Options &options, const Messages &messages)
      : messages(messages),
        isShown(!options.quiet &&
                (options.progress ||
                 (!messages.isJson &&
                  llvm::sys::Process::StandardErrIsDisplayed()))) {}
  ~ReduceProgress() { erase(); }

  void show(llvm::StringRef pass, const ReduceReport &now) {
    if (!isShown)
      return;
    if (messages.isJson)
      return messages.progress(
          llvm::json::Object{{"pass", pass},
                             {"runs", int64_t(now.runs)},
                             {"nodes", int64_t(now.nodesAfter)}});
    llvm::errs() << llvm::formatv(
        "\r\033[K{0} runs, {1} of {2} nodes, {3} bytes: {4}", now.runs,
        now.nodesAfter, now.nodesBefore, now.bytesAfter, pass);
    hasLine = true;
  }
  void erase() {
    if (hasLine)
      llvm::errs() << "\r\033[K";
    hasLine = false;
  }

private:
  const Messages &messages;
  bool isShown, hasLine = false;
};

} // namespace

static llvm::json::Object toJson(const ReduceReport &report) {
  llvm::json::Array passes;
  for (const ReduceReport::Pass &pass : report.passes)
    passes.push_back(llvm::json::Object{
        {"name", pass.name},
        {"candidates", int64_t(pass.candidates)},
        {"invalid", int64_t(pass.invalid)},
        {"accepted", int64_t(pass.accepted)},
    });
  return llvm::json::Object{
      {"kind", "reduction"},
      {"nodes_before", int64_t(report.nodesBefore)},
      {"nodes_after", int64_t(report.nodesAfter)},
      {"bytes_before", int64_t(report.bytesBefore)},
      {"bytes_after", int64_t(report.bytesAfter)},
      {"runs", int64_t(report.runs)},
      {"known", int64_t(report.known)},
      {"resumed", int64_t(report.resumed)},
      {"seconds", report.seconds},
      {"stopped", report.stopped},
      {"passes", std::move(passes)},
      {"files", llvm::json::Array(report.files)},
      {"warnings", llvm::json::Array(report.warnings)},
  };
}

static void say(const ReduceReport &report, const Options &options,
                const Messages &messages) {
  if (messages.isJson) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::json::Value(toJson(report));
    return messages.report(text);
  }
  if (options.quiet)
    return;
  llvm::errs() << llvm::formatv(
      "{0}: {1} nodes instead of {2}, {3} bytes instead of {4}; {5} runs of "
      "the test in {6:f1} s\n",
      options.output, report.nodesAfter, report.nodesBefore, report.bytesAfter,
      report.bytesBefore, report.runs, report.seconds);
  if (report.resumed != 0)
    llvm::errs() << llvm::formatv("{0} results are those of an earlier run\n",
                                  report.resumed);
  if (!report.stopped.empty())
    llvm::errs() << llvm::formatv(
        "stopped: {0}; the same command goes on from there\n", report.stopped);
  for (const std::string &file : llvm::ArrayRef(report.files).drop_front())
    llvm::errs() << "wrote " << file << "\n";
}

int onnxfold::reduceOne(Options &options, const Messages &messages) {
  noteRun(options.input);
  listen();
  options.reduction.program =
      llvm::sys::fs::getMainExecutable(nullptr, nullptr);
  ReduceProgress progress(options, messages);
  ReduceCallbacks heard;
  heard.isStopped = &isInterrupted;
  if (!options.quiet)
    heard.warn = [&](llvm::StringRef text) {
      progress.erase();
      messages.warn(text);
    };
  heard.progress = [&](llvm::StringRef pass, const ReduceReport &now) {
    progress.show(pass, now);
  };
  ReduceReport report;
  llvm::Error error = reduceModel(options.input, options.output,
                                  options.reduction, report, heard);
  progress.erase();
  int status = 0;
  if (error) {
    messages.fail("failed", faultIn(error));
    status = 1;
    llvm::consumeError(std::move(error));
  } else {
    say(report, options, messages);
    constexpr int interrupted = 130;
    status = isInterrupted ? interrupted : 0;
  }
  messages.end(status, /*isChanged=*/report.nodesAfter != report.nodesBefore);
  return status;
}
