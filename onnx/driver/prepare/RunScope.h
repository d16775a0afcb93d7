//===- RunScope.h - What every run has, whatever it reads -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Threads, the question whether the run is cancelled, limits of the whole run,
// warnings, and the steps that have ended. All programs run in such a scope:
//
//   return runInScope(path, options, report, callbacks, [&](RunScope &run) {
//     ModelContext context;
//     ...
//     return run.steps({
//         {"read", [&] { return readModel(source, context, model); }},
//         {"cut", [&] { return cutModel(model, options); }},
//     });
//   });
//
// A step is a function with an explicit input and output. It returns whether it
// changed anything: the report lists it, with its time, if it did. The time of
// one that changed nothing is part of the next one's.
//
// Thread safety: isCancelled() may be called by any thread, the rest by the
// thread of the run.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PREPARE_RUNSCOPE_H
#define ONNXFOLD_ONNX_DRIVER_PREPARE_RUNSCOPE_H

#include "onnxfold/constprop/RunBudget.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/ir/ModelError.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/ThreadPool.h"
#include <atomic>
#include <chrono>
#include <initializer_list>

namespace onnxfold {

/// Unchanged: neither a model nor what is written.
enum class StepResult { Unchanged, Changed };

class RunScope {
public:
  /// `name` is that of the input, for messages. The other arguments must
  /// outlive the scope. Of the options it uses threads, maxSeconds, maxMemory
  /// and limits.
  RunScope(llvm::StringRef name, const FoldOptions &options, FoldReport &report,
           const FoldCallbacks &callbacks);

  struct Step {
    llvm::StringRef name;
    llvm::function_ref<llvm::Expected<StepResult>()> action;
  };
  /// Runs the steps in their order, until one fails or the run is cancelled.
  llvm::Error steps(std::initializer_list<Step> all);

  /// True if the caller has cancelled the run. It never returns to false.
  bool isCancelled();
  /// isCancelled() as a function; empty if the caller never cancels.
  std::function<bool()> question();
  /// An error if the run is cancelled.
  llvm::Error checkCancelled();

  /// Says a warning at once, and in the report.
  void warn(const llvm::Twine &text);

  const FoldCallbacks &callbacks() const { return calls; }
  FoldReport &report() { return told; }
  llvm::ThreadPoolInterface &pool() { return threads; }
  RunBudget &budget() { return limits; }

  /// The text of the error after a failed allocation. It names the input, and
  /// the node if one was being computed.
  ModelFault outOfMemory() const;

private:
  using Clock = std::chrono::steady_clock;
  void endStep(llvm::StringRef step);

  std::string name;
  FoldReport &told;
  Clock::time_point lastStep = Clock::now();
  const FoldCallbacks &calls;
  std::atomic<bool> cancelled = false;
  llvm::DefaultThreadPool threads;
  std::optional<ParallelScope> parallel;
  ModelFault failedNode; ///< that RunBudget described last
  RunBudget limits;
};

/// Calls `body` in a scope of its own. Every error, a failed allocation
/// included, is a FoldError.
llvm::Error runInScope(llvm::StringRef name, const FoldOptions &options,
                       FoldReport &report, const FoldCallbacks &callbacks,
                       llvm::function_ref<llvm::Error(RunScope &)> body);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PREPARE_RUNSCOPE_H
