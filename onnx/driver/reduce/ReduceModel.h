//===- ReduceModel.h - The smallest model with a fault ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Makes a model smaller as long as a test says that it is still interesting.
// docs/reduce.md is the manual.
//
// Passes (internal/ReducePass.h) propose edits, and the driver applies as many
// of them as the test bears: all, halves, quarters ... of the list. What it
// keeps is the same whatever the number of threads.
//
// Thread safety: one run in a process at a time.
//
// Example:
//   ReduceOptions options;
//   options.test = "! my-runtime {}";
//   if (Error error = reduceModel("model.onnx", "small.onnx", options, report))
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_REDUCEMODEL_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_REDUCEMODEL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace onnxfold {

struct ReduceOptions {
  /// A command, in which {} is the model and {inputs} a file .npz with its
  /// inputs; exit status 0: interesting. Or the name of a built-in test.
  std::string test;
  std::string program; ///< onnx-fold, for built-in tests
  std::string inputs;  ///< .npz of the original's inputs; empty: random
  uint64_t seed = 20261121;
  unsigned threads = 0; ///< tests at once; 0: one for each processor
  unsigned repeat =
      1; ///< a model is interesting if one of so many runs says so
  std::optional<double> maxSeconds;
  std::optional<uint64_t> maxRuns;
  bool anonymise = false;

  /// The test compares values of these names with those of another model, so
  /// that none of them may become a constant.
  bool keepsInterface() const {
    return llvm::StringRef(test).starts_with("differs:") &&
           test != "differs:ort";
  }
};

struct ReduceReport {
  struct Pass {
    std::string name;
    uint64_t candidates = 0, invalid = 0, accepted = 0;
  };
  size_t nodesBefore = 0, nodesAfter = 0;
  uint64_t bytesBefore = 0, bytesAfter = 0;
  uint64_t runs = 0;    ///< of the test
  uint64_t known = 0;   ///< results that were known already
  uint64_t resumed = 0; ///< of these, from an earlier run
  double seconds = 0;
  std::string stopped; ///< why it ended early; empty: it did not
  std::vector<Pass> passes;
  std::vector<std::string> files; ///< that were written
  std::vector<std::string> warnings;
};

struct ReduceCallbacks {
  std::function<void(llvm::StringRef text)> warn;
  /// Called after each candidate.
  std::function<void(llvm::StringRef pass, const ReduceReport &now)> progress;
  /// Set by anyone: what is running is stopped, and the best so far written.
  const std::atomic<bool> *isStopped = nullptr;
};

/// Writes the smallest interesting model to `output`, and beside it its inputs
/// (.npz) and a script (.py) that shows the fault.
llvm::Error reduceModel(llvm::StringRef input, llvm::StringRef output,
                        const ReduceOptions &options, ReduceReport &report,
                        const ReduceCallbacks &callbacks = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_REDUCEMODEL_H
