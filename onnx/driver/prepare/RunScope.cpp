//===- RunScope.cpp - What every run has, whatever it reads ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/RunScope.h"
#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/report/internal/RunRecord.h"
#include "onnxfold/onnx/io/files/InputFile.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "llvm/ADT/STLExtras.h"
#include <new>

using namespace onnxfold;

/// The work that a run may do follows from the limits on a node and from the
/// size of the model, so that it is the same on every machine.
static RunBudgetLimits limitsOf(const FoldOptions &options,
                                ModelFault &described) {
  RunBudgetLimits limits;
  limits.mostSeconds = options.maxSeconds;
  limits.mostBytes = options.maxMemory;
  limits.mostText = options.limits.maxResultBytes;
  limits.describe = [&described](mlir::Operation *op) {
    Operator node = Operator::from(op);
    described = node ? atNode(node) : ModelFault();
    return described.text();
  };
  return limits;
}

RunScope::RunScope(llvm::StringRef name, const FoldOptions &options,
                   FoldReport &report, const FoldCallbacks &callbacks)
    : name(name), told(report), calls(callbacks),
      threads(llvm::hardware_concurrency(options.threads)),
      limits(limitsOf(options, failedNode)) {
  if (threads.getMaxConcurrency() > 1)
    parallel.emplace(threads);
}

bool RunScope::isCancelled() {
  if (!cancelled && calls.isCancelled && calls.isCancelled())
    cancelled = true;
  return cancelled;
}

std::function<bool()> RunScope::question() {
  if (!calls.isCancelled)
    return nullptr;
  return [this] { return isCancelled(); };
}

static llvm::Error cancellation() {
  return llvm::make_error<FoldError>(FoldErrorCode::Cancelled,
                                     ModelFault("cancelled"));
}

llvm::Error RunScope::checkCancelled() {
  return isCancelled() ? cancellation() : llvm::Error::success();
}

void RunScope::warn(const llvm::Twine &text) {
  told.warnings.push_back(text.str());
  if (calls.warn)
    calls.warn(told.warnings.back());
}

/// Ends the step that began with the last call, or with the scope.
void RunScope::endStep(llvm::StringRef step) {
  Clock::time_point now = Clock::now();
  std::chrono::duration<double> time = now - lastStep;
  lastStep = now;
  told.seconds += time.count();
  auto known = llvm::find_if(
      told.steps, [&](const auto &other) { return other.name == step; });
  if (known == told.steps.end())
    known = told.steps.insert(known, {step.str()});
  known->seconds += time.count();
  known->peak = told.wantsNodes ? peakBytes() : 0;
}

llvm::Error RunScope::steps(std::initializer_list<Step> all) {
  for (const Step &step : all) {
    llvm::Expected<StepResult> result = step.action();
    if (!result)
      return result.takeError();
    if (llvm::Error error = checkCancelled())
      return error;
    if (*result == StepResult::Unchanged)
      continue;
    endStep(step.name);
    if (calls.endedStep)
      calls.endedStep(step.name);
  }
  return llvm::Error::success();
}

ModelFault RunScope::outOfMemory() const {
  ModelFault fault;
  if (!name.empty())
    fault = ModelFault().file(name);
  return std::move(fault)
      .append(failedNode)
      .says(failedNode.empty() ? "out of memory" : ": out of memory");
}

llvm::Error
onnxfold::runInScope(llvm::StringRef name, const FoldOptions &options,
                     FoldReport &report, const FoldCallbacks &callbacks,
                     llvm::function_ref<llvm::Error(RunScope &)> body) {
  std::optional<RunScope> run;
  try {
    run.emplace(name, options, report, callbacks);
    llvm::Error error = body(*run);
    // A writer that was stopped only reports that it could not continue.
    if (error && run->isCancelled()) {
      llvm::consumeError(std::move(error));
      return cancellation();
    }
    return asFoldError(std::move(error));
  } catch (const std::bad_alloc &) {
    // Most of the memory has been freed, so there is some for a
    // message.
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       run ? run->outOfMemory()
                                           : ModelFault("out of memory"));
  } catch (const UnreadableFile &unreadable) {
    return llvm::make_error<FoldError>(FoldErrorCode::Failed,
                                       unreadable.fault());
  }
}
