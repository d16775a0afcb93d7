//===- Schedule.h - Which numbers, and how many sets of them ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The sets of inputs of a verification. Each trial has one; further ones follow
// as long as all of them take little time, and further trials as long as a
// person waits for them. Time is counted and not measured.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_SCHEDULE_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_SCHEDULE_H

#include "onnxfold/onnx/verify/internal/Execution.h"
#include "onnxfold/onnx/verify/internal/RandomInputs.h"

namespace onnxfold {

class Schedule {
public:
  /// `isExact`: numbers may be infinite, NaN, and of all magnitudes: rewrites
  /// within a bound overflow elsewhere. `isAllGiven`: nothing is random.
  Schedule(bool isExact, bool isAllGiven)
      : isExact(isExact), isAllGiven(isAllGiven) {}

  /// Whether there is time for this trial, if it costs as much as the last one.
  bool mayBegin(unsigned trial) const;
  /// The numbers that a trial begins with; nothing for the usual ones.
  std::optional<ValueKinds> first(unsigned trial) const;
  /// The next set of this trial, if there is time.
  std::optional<ValueKinds> next(unsigned trial);
  /// Notes the cost of one set.
  void noteCost(llvm::ArrayRef<FoldedValue> inputs, const Execution &original,
                const Execution &folded);
  /// Notes the cost of a run beyond those of a set.
  void noteCost(const Execution &run) { total += run.cost(); }
  /// True if all that was run leaves no time for what is not needed.
  bool isLate() const;

private:
  ValueKinds kindsOf(unsigned number) const;

  bool isExact, isAllGiven;
  unsigned number = 0; // of further sets so far
  unsigned trialOfLast = 0, numInTrial = 0;
  double lastCost = 0, spent = 0; // of further sets
  double total = 0;               // of all runs
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_SCHEDULE_H
