//===- RunBudget.h - What all operations may use together -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// FoldLimits bound one operation. A budget bounds the time and the memory of
// all operations that are evaluated with it. Operations beyond the budget are
// kept, with the reason; the others are evaluated.
//
//   RunBudget budget({.mostSeconds = 60});
//   RunBudgetScope bounded(budget);         // any number of evaluations in it
//   evaluation.run();
//
// Seconds and bytes differ between machines, so the results of a run that they
// bound differ, too. Work (FoldLimits::maxWork says in which unit) and the
// characters of strings are the same on every machine.
//
// A budget applies to a thread, as a ParallelScope does: evaluations are nested
// in many places, and all of them use the budget.
//
// Thread safety: none; a budget belongs to the thread that evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_RUNBUDGET_H
#define ONNXFOLD_CONSTPROP_RUNBUDGET_H

#include "onnxfold/constprop/Reason.h"
#include "onnxfold/elements/memory/Task.h"
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

struct RunBudgetLimits {
  /// The time from the construction of the budget on.
  std::optional<double> mostSeconds = std::nullopt;
  /// The memory of the process that is in no file.
  std::optional<uint64_t> mostBytes = std::nullopt;
  /// The work of all operations together, counted each time that they are
  /// computed.
  std::optional<double> mostWork = std::nullopt;
  /// The bytes of strings that one walk over the module makes, as if no two
  /// shared their characters. Strings are not moved to a file as other bytes
  /// are.
  std::optional<uint64_t> mostText = std::nullopt;
  /// Returns the name of an operation in messages. May be empty.
  std::function<std::string(mlir::Operation *)> describe = nullptr;
};

class RunBudget {
public:
  explicit RunBudget(const RunBudgetLimits &limits);

  /// To be called before an operation is computed that needs about `bytes` for
  /// its results. Returns why it may not be computed.
  Reason begin(uint64_t bytes);
  /// Sets mostWork, which depends on the model.
  void boundWork(double most) { limits.mostWork = most; }
  /// Adds work that was done, or is about to be done.
  void noteWork(double units) { work += units; }
  /// The sum of the noted work.
  double notedWork() const { return work; }
  /// To be called before `bytes` of strings are made. Returns why they may not
  /// be made.
  Reason makeText(uint64_t bytes);
  /// The bytes of this walk so far.
  uint64_t madeText() const { return text; }
  /// To be called when a walk begins: the text of earlier walks is freed.
  void beginWalk() { text = 0; }

  /// True if half of the time is used: another walk, which computes everything
  /// again, might not finish.
  bool isTimeShort() const;

  /// Sets the operation that is being computed. Returns the one before, which
  /// is to be set again afterwards.
  mlir::Operation *enter(mlir::Operation *op) {
    return std::exchange(running, op);
  }
  /// The name (by `describe`) of the operation that is being computed; "" if
  /// there is none.
  std::string runningOperation() const;
  /// Notes that there was no memory for an operation, which the caller then
  /// gives up.
  void noteFailure(mlir::Operation *op);
  /// The name (by `describe`) of the first operation that failed; "" if none
  /// did.
  llvm::StringRef failedOperation() const { return failed; }

  /// The budget of the innermost scope of this thread, or null.
  static RunBudget *current();
  /// The same. In a thread of the pool it is the budget of the thread that
  /// waits for the task.
  static const RunBudget *ofTask();

private:
  friend class RunBudgetScope;
  Reason checkMemory(uint64_t bytes);
  bool isOver(double share) const;

  RunBudgetLimits limits;
  std::chrono::steady_clock::time_point start;
  mlir::Operation *running = nullptr;
  std::string failed;
  double work = 0;
  uint64_t text = 0;
  uint64_t residentBytes = 0, sinceLook = 0; ///< at the last look, and since
  unsigned looks = 0;
};

/// While it lives, what this thread evaluates is bounded by the budget.
class RunBudgetScope {
public:
  explicit RunBudgetScope(RunBudget &budget);
  RunBudgetScope(const RunBudgetScope &) = delete;
  ~RunBudgetScope();

private:
  RunBudget *before;
  TaskScope task;
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_RUNBUDGET_H
