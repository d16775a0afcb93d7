//===- InputSearch.h - Inputs that no operator refuses ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A model wants windows of 256 numbers, pictures whose sides are multiples of
// 32, two inputs of one length, or a rate that is one of its own constants, and
// states none of that. So a graph is run up to the first operator that refuses
// its operands. Then the sizes and the integers that this operator depends on
// are changed one after the other, and those that let the run get further are
// kept. The numbers to try are those that the operator names, that follow from
// its operands, that the model states, and the common ones.
//
// An operator that refuses everything is left behind, so that the rest of the
// graph is still computed.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_VERIFY_INTERNAL_INPUTSEARCH_H
#define ONNXFOLD_ONNX_VERIFY_INTERNAL_INPUTSEARCH_H

#include "onnxfold/onnx/verify/internal/Execution.h"
#include "onnxfold/onnx/verify/internal/RandomInputs.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// The operator that ended a run.
struct Refusal {
  std::string key;
  std::string signature;               // the key and what it says, no numbers
  llvm::SmallVector<unsigned> inputs;  // of the graph, that it depends on
  llvm::SmallVector<int64_t> named;    // numbers in what it says
  llvm::SmallVector<int64_t> operands; // their sizes and small integers
};

struct TriedInputs {
  RandomInputs inputs;
  Execution run;
  std::optional<Refusal> refusal; // that ended the run
};

/// The refusal of a run of `graph` that `stopsAt` ended (ExecutionOptions).
std::optional<Refusal> refusalOf(mlir::FunctionOpInterface graph,
                                 const Execution &run);

class InputSearch {
public:
  using StopsAt = std::function<bool(const Obstacle &)>;
  /// Runs the graph on inputs of this choice.
  using Try = std::function<llvm::Expected<TriedInputs>(const InputChoice &,
                                                        const StopsAt &)>;

  /// Without `isFree` only what the first choice gives is tried.
  InputSearch(mlir::FunctionOpInterface graph, const ModelNumbers &model,
              bool isFree);

  /// Inputs for the next trial, and the run on them: on all of the graph, but
  /// for what depends on operators that refuse all inputs that were tried. An
  /// error is that of the first try.
  llvm::Expected<TriedInputs> next(unsigned trial, const Try &tryInputs);

  /// The choice of the last trial.
  const InputChoice &choice() const { return best.choice; }

private:
  struct Attempt {
    InputChoice choice;
    TriedInputs tried;
    bool isDone() const { return !tried.refusal; }
  };

  llvm::Expected<Attempt> attempt(const InputChoice &choice);
  bool isBetter(InputChoice choice);
  bool tryOthersOfThisTrial(unsigned trial);
  bool tryCommonChoices();
  bool improve();
  bool improveSizes(const Refusal &refusal);
  bool improveIntegers(const Refusal &refusal);
  bool trySizes(llvm::ArrayRef<const OpenSize *> open, int64_t size);
  using SizesToTry =
      llvm::function_ref<void(const OpenSize &, llvm::SetVector<int64_t> &)>;
  bool tryEach(llvm::ArrayRef<OpenSize> open, SizesToTry sizesToTry);
  bool tryEqual(llvm::ArrayRef<OpenSize> open);
  bool goSideways();
  void searchAll();

  const ModelNumbers &model;
  std::vector<std::string> integerInputs; // names, "" for others
  const Try *tryInputs = nullptr;         // of this trial
  Attempt best;
  /// Choices that got as far as the best, with a reason that is not in `seen`.
  std::vector<InputChoice> sideways;
  llvm::StringSet<> seen; // signatures of refusals
  InputChoice start;      // that each trial begins with
  InputChoice known; // with which an earlier trial was run, all sizes in it
  bool hasKnown = false;
  unsigned attemptsLeft;
  double workLeft;
  llvm::StringSet<> ignored; // keys of operators that refuse everything
  bool ignoresAll = false;   // no time is left to find out which these are
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_VERIFY_INTERNAL_INPUTSEARCH_H
