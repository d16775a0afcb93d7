//===- Reduction.h - The driver of passes -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Applies as many edits of each pass as the test bears: all of them, halves,
// quarters ... of the list (delta debugging). Several candidates are tested at
// once, each as if those before it failed; where one does not, what was tested
// behind it is left out. So the result is that of one thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCTION_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCTION_H

#include "onnxfold/onnx/driver/reduce/internal/InterestTest.h"
#include "onnxfold/onnx/driver/reduce/internal/ReducePass.h"
#include "llvm/Support/ThreadPool.h"
#include <chrono>

namespace onnxfold {

class Reduction {
public:
  Reduction(const ReduceOptions &options, InterestTest &test,
            ReduceReport &report, const ReduceCallbacks &callbacks);

  /// Called with each candidate that becomes the best.
  std::function<llvm::Error(const Base &)> accepted;

  /// Runs the passes until none of them finds anything.
  llvm::Error run(std::shared_ptr<const Base> original);
  const Base &best() const { return *base; }

private:
  using Edits = std::vector<const Edit *>;
  struct Trial {
    std::optional<Candidate> candidate;
    std::optional<InterestTest::Answer> answer; // nothing: not tested
  };

  llvm::Expected<bool> runPass(const ReducePass &pass);
  /// Applies chunks of `open` on top of `kept`, as many as possible.
  llvm::Expected<bool> tryChunks(const Base &from, size_t chunk, Edits &open,
                                 Edits &kept, ReduceReport::Pass &counts);
  std::vector<Trial> tryAtOnce(const Base &from, const std::vector<Edits> &all);
  /// Whether the first of these may be tested.
  bool mayGoOn();
  size_t mostAtOnce() const;
  bool mayPublish(const ReducePass &pass) const;
  llvm::Error take(Candidate candidate);
  void count(const Trial &trial, ReduceReport::Pass &counts);

  const ReduceOptions &options;
  InterestTest &test;
  ReduceReport &report;
  const ReduceCallbacks &callbacks;
  std::shared_ptr<const Base> base;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  llvm::DefaultThreadPool pool;
  std::string passName;
};

/// The base that a candidate makes, with its types.
std::shared_ptr<const Base> makeBase(Candidate candidate, const Base &from);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCTION_H
