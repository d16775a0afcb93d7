//===- RunBudget.h - What all operations may use together -------*- C++ -*-===//
//
// FoldLimits bound one operation; this bounds all that are evaluated with it, in
// time and memory. What is beyond it is kept, with the reason; the others are
// evaluated.
//
//   RunBudget budget({.mostSeconds = 60});
//   RunBudgetScope bounded(budget);         // any number of evaluations in it
//   evaluation.run();
//
// Seconds and bytes are not the same on every machine, so results that one of
// them has bounded are not, either. Work (FoldLimits::maxWork says in which
// unit) and the characters of strings are.
//
// It applies to a thread, as a ParallelScope does: evaluations are nested in
// many places, and all of them use the budget.
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
  /// From the construction of the budget on.
  std::optional<double> mostSeconds = std::nullopt;
  /// Of the process: memory that is in no file.
  std::optional<uint64_t> mostBytes = std::nullopt;
  /// Of all operations together, each time that they are computed.
  std::optional<double> mostWork = std::nullopt;
  /// Of characters, which are not moved to a file as other bytes are, that one
  /// walk over the module makes.
  std::optional<uint64_t> mostText = std::nullopt;
  /// What an operation is called in messages. May be empty.
  std::function<std::string(mlir::Operation *)> describe = nullptr;
};

class RunBudget {
public:
  explicit RunBudget(const RunBudgetLimits &limits);

  /// An operation is about to be computed, which needs about so many bytes for
  /// its results: why it may not.
  Reason begin(uint64_t bytes);
  /// Sets mostWork, which depends on the model.
  void boundWork(double most) { limits.mostWork = most; }
  /// Something was computed, or is about to be.
  void noteWork(double units) { work += units; }
  /// All of that so far.
  double notedWork() const { return work; }
  /// So many characters are about to be made: why they may not.
  Reason makeText(uint64_t bytes);
  /// A walk begins: the text that earlier ones made is freed.
  void beginWalk() { text = 0; }

  /// Half of the time is used: another walk, which computes everything again,
  /// might not finish.
  bool isTimeShort() const;

  /// Sets the operation that is being computed. Returns the one before, which
  /// is to be set again afterwards.
  mlir::Operation *enter(mlir::Operation *op) {
    return std::exchange(running, op);
  }
  /// What `describe` says of what is being computed; "" if nothing is.
  std::string runningOperation() const;
  /// There was no memory for an operation, which the caller then gives up.
  void noteFailure(mlir::Operation *op);
  /// What `describe` said of the first one; "" if there is none.
  llvm::StringRef failedOperation() const { return failed; }

  /// That of the innermost scope of this thread, or null.
  static RunBudget *current();
  /// The same; in a thread of the pool that of the thread for which it works,
  /// and which waits for it.
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
  uint64_t residentBytes = 0, sinceLook = 0; ///< when it was looked at
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
