//===- Reduction.h - The driver of passes -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the passes, each in its way (ReducePass.h), until none finds anything.
// Several candidates are tested at once, each as if those before it had the
// likely answer; what was tested on a wrong guess is left out. So the result is
// that of one thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCTION_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCTION_H

#include "onnxfold/onnx/driver/reduce/internal/InterestTest.h"
#include "onnxfold/onnx/driver/reduce/internal/Narrowing.h"
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
    bool isInteresting() const { return answer && answer->isInteresting; }
  };
  /// All edits of a pass, on the base that the one before it leaves.
  struct Link {
    const ReducePass *pass;
    std::shared_ptr<const Base> base;
  };
  using Passes = std::vector<const ReducePass *>;

  llvm::Expected<bool> runRound();
  llvm::Expected<bool> runPass(const ReducePass &pass);
  /// Begins with chunks of so many edits.
  llvm::Expected<bool> runHalves(const ReducePass &pass,
                                 size_t chunk = SIZE_MAX);
  /// Applies chunks of `open` on top of `kept`, as many as possible.
  llvm::Expected<bool> tryChunks(const Base &from, size_t chunk, Edits &open,
                                 Edits &kept, ReduceReport::Pass &counts);
  llvm::Expected<bool> runOrdered(const ReducePass &pass);
  std::vector<Trial> tryCuts(const Base &from, llvm::ArrayRef<Edit> edits,
                             const Narrowing &narrowing,
                             llvm::ArrayRef<Narrowing::Question> questions,
                             std::vector<Narrowing::Answer> &answers);
  llvm::Expected<bool> runTogether(Passes open);
  std::vector<Link> linksOf(llvm::ArrayRef<const ReducePass *> passes,
                            Passes &others) const;
  /// How many links from the first one the test bears.
  llvm::Expected<size_t> longestChain(llvm::ArrayRef<Link> links);
  Trial tryEdits(const Base &from, const Edits &edits);
  std::vector<Trial> tryAtOnce(const Base &from, const std::vector<Edits> &all);
  /// Whether the first of these may be tested.
  bool mayGoOn();
  size_t mostAtOnce() const;
  /// Whether it may find more than in its last run.
  bool mayFind(const ReducePass &pass) const;
  ReduceReport::Pass &countsOf(const ReducePass &pass);
  llvm::Error take(std::shared_ptr<const Base> better);
  llvm::Error count(Trial &trial, ReduceReport::Pass &counts);
  void noteEnd(const ReducePass &pass, bool hasFound);
  unsigned changesFor(const ReducePass &pass) const;

  const ReduceOptions &options;
  InterestTest &test;
  ReduceReport &report;
  const ReduceCallbacks &callbacks;
  std::shared_ptr<const Base> base;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  llvm::DefaultThreadPool pool;
  std::string passName;
  unsigned changesOfNodes = 0, changesOfValues = 0;
  /// The changes after which a pass found nothing more.
  std::map<const ReducePass *, unsigned> seen;
};

/// The base that a candidate makes, with its types.
std::shared_ptr<const Base> makeBase(Candidate candidate, const Base &from);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_REDUCTION_H
