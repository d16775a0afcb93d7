//===- Schedule.cpp - Which numbers, and how many sets of them ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/internal/Schedule.h"

using namespace onnxfold;

/// The most that the further sets may cost together: some hundredths of a
/// second.
static constexpr double workOfSets = 3e8;
static constexpr unsigned mostSetsOfTrial = 40;

/// The cost of all trials before no other begins: some 20 seconds.
static constexpr double workOfTrials = 8e11;

/// A set that the original cannot be run on shows nothing, so each kind is with
/// usual numbers too.
static constexpr ValueKinds kinds[] = {
    {Numbers::Moderate, Numbers::Moderate},
    {Numbers::Special, Numbers::Usual},
    {Numbers::Usual, Numbers::Special},
    {Numbers::Sparse, Numbers::Moderate},
    {Numbers::Same, Numbers::Usual},
    {Numbers::Wide, Numbers::Usual},
    {Numbers::Moderate, Numbers::Same},
    {Numbers::Special, Numbers::Special},
    {Numbers::Usual, Numbers::Wide},
    {Numbers::Same, Numbers::Moderate},
    {Numbers::Moderate, Numbers::Usual},
    {Numbers::Same, Numbers::Same},
};

/// Numbers of usual magnitudes.
static Numbers moderated(Numbers numbers) {
  switch (numbers) {
  case Numbers::Wide:
  case Numbers::Special:
    return Numbers::Moderate;
  case Numbers::Same:
    return Numbers::Sparse;
  default:
    return numbers;
  }
}

ValueKinds Schedule::kindsOf(unsigned number) const {
  ValueKinds result = kinds[number % std::size(kinds)];
  result.round = number;
  if (!isExact)
    result.floats = moderated(result.floats);
  return result;
}

bool Schedule::mayBegin(unsigned trial) const {
  return trial == 0 || isAllGiven || total + lastCost <= workOfTrials;
}

bool Schedule::isLate() const { return total > workOfTrials; }

std::optional<ValueKinds> Schedule::first(unsigned trial) const {
  if (trial == 0 || isAllGiven || trial % 4 == 3)
    return std::nullopt;
  return kindsOf(trial - 1);
}

std::optional<ValueKinds> Schedule::next(unsigned trial) {
  if (trial != trialOfLast)
    numInTrial = 0;
  trialOfLast = trial;
  if (isAllGiven || numInTrial == mostSetsOfTrial ||
      spent > workOfSets - lastCost)
    return std::nullopt;
  ++numInTrial;
  spent += lastCost;
  return kindsOf(number++);
}

void Schedule::noteCost(llvm::ArrayRef<FoldedValue> inputs,
                        const Execution &original, const Execution &folded) {
  lastCost = workOfDrawing(inputs) + original.cost() + folded.cost();
  total += lastCost;
}
