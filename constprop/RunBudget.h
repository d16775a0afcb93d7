//===- RunBudget.h - What all operations may use together -------*- C++ -*-===//
//
// FoldLimits bound one operation; this bounds all that are evaluated with it, in
// time and memory. What does not fit is kept, with the reason, and the rest goes
// on.
//
//   RunBudget budget({.mostSeconds = 60});
//   RunBudgetScope bounded(budget);         // any number of evaluations in it
//   evaluation.run();
//
// Seconds and bytes are not the same on every machine, so results that one of
// them has bounded are not, either.
//
// It is that of a thread, as a ParallelScope is: evaluations are nested in each
// other in many places, and all of them count.
//
// Thread safety: none; a budget belongs to the thread that evaluates.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_RUNBUDGET_H
#define ONNXFOLD_CONSTPROP_RUNBUDGET_H

#include "onnxfold/constprop/Reason.h"
#include <chrono>
#include <functional>
#include <optional>
#include <string>

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

struct RunBudgetLimits {
  /// From the construction of the budget on.
  std::optional<double> mostSeconds = std::nullopt;
  /// Of the process: memory that is in no file.
  std::optional<uint64_t> mostBytes = std::nullopt;
  /// What an operation is called in messages. May be empty.
  std::function<std::string(mlir::Operation *)> describe = nullptr;
};

class RunBudget {
public:
  explicit RunBudget(const RunBudgetLimits &limits);

  /// An operation is about to be computed, which needs about so many bytes for
  /// its results: why it may not.
  Reason begin(uint64_t bytes);
  /// Nothing more is computed: mostSeconds have passed.
  bool isTimeUp() const;
  /// Half of it is used: another walk, which computes all again, might not come
  /// to its end.
  bool isTimeShort() const;

  /// There was no memory for an operation, which the caller then gives up.
  void noteFailure(mlir::Operation *op);
  /// What `describe` said of the first one; "" if there is none.
  llvm::StringRef failedOperation() const { return failed; }

  /// That of the innermost scope of this thread, or null.
  static RunBudget *current();

private:
  friend class RunBudgetScope;
  Reason checkMemory(uint64_t bytes);

  RunBudgetLimits limits;
  std::chrono::steady_clock::time_point start;
  std::string failed;
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
};

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_RUNBUDGET_H
