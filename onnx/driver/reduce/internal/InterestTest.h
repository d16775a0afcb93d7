//===- InterestTest.h - Whether a candidate is interesting ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Runs the command of --test on candidates, which are written as files for it.
// Results are kept in memory and in a file, by a hash of the candidate, so that
// an interrupted run goes on where it was.
//
// Thread safety: test() may be called by several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_INTERESTTEST_H
#define ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_INTERESTTEST_H

#include "onnxfold/onnx/driver/reduce/ReduceModel.h"
#include "onnxfold/onnx/driver/reduce/internal/Candidate.h"
#include <mutex>
#include <set>

namespace onnxfold {

/// A test as a command of the shell. {} is the model, {inputs} its inputs,
/// {cut} the options of onnx-fold that name its inputs and outputs.
struct TestCommand {
  std::string command;
  std::string text;      ///< what a reader of the script is told
  int interesting = 0;   ///< the exit status
  std::string node;      ///< folds, kept: the name
  bool folds = false;    ///< of `node`; else it is kept
  std::string otherFile; ///< differs:OTHER
  std::string crashFile; ///< crash:ort: how the original fails
};

/// The command for what --test says; built-in tests write their files to
/// `folder`.
llvm::Expected<TestCommand> makeTestCommand(const ReduceOptions &options,
                                            const std::string &folder);

/// Judges `folds` and `kept` by the report at `path`.
bool judgeReport(const TestCommand &command, const std::string &path);

/// How a process ended.
struct ProcessEnd {
  int status = -1; ///< 128 and the signal, if one ended it
  bool isLate = false, isStopped = false;
  double seconds = 0;
};

/// Runs a command of the shell without a terminal, in a group of its own, which
/// is killed after `seconds` and when `isStopped` becomes true.
ProcessEnd runProcess(const std::string &command, double seconds,
                      const std::function<bool()> &isStopped);

class InterestTest {
public:
  /// Candidates are files in `folder` whose names begin with `stem`; results
  /// are kept in `cache`.
  InterestTest(const ReduceOptions &options, TestCommand command,
               std::string folder, std::string stem, std::string cache,
               std::function<bool()> isStopped);

  bool wantsInputs() const;
  /// Reads the results of an earlier run.
  void readCache();

  struct Answer {
    bool isInteresting = false;
    bool isKnown = false;   ///< no command ran
    bool isResumed = false; ///< and it is that of an earlier run
    bool isStopped = false; ///< it means nothing
    unsigned runs = 0;
    llvm::Error takeError() { return std::move(error); }
    llvm::Error error = llvm::Error::success();
  };
  Answer test(const Candidate &candidate);

  /// One run that asks no cache; for the original.
  llvm::Expected<ProcessEnd> runOnce(const Candidate &candidate,
                                     bool &isInteresting);
  /// Runs may take ten times as long as the original, and ten seconds.
  void setLimit(double secondsOfOriginal) {
    limit = 10 * secondsOfOriginal + 10;
  }
  /// The key of all that results depend on beside candidate and command.
  void setKey(std::string what) { key = std::move(what); }
  const TestCommand &command() const { return how; }

private:
  std::string hashOf(const Candidate &candidate) const;
  llvm::Error write(const Candidate &candidate, const std::string &path);
  void keep(const std::string &hash, bool isInteresting);

  const ReduceOptions &options;
  TestCommand how;
  std::string folder, stem, cacheFile, key;
  std::function<bool()> isStopped;
  double limit = 1e9;
  std::mutex mutex;
  unsigned number = 0;
  std::map<std::string, bool> results;
  std::set<std::string> resumed;
};

/// A word of the shell.
std::string shellWord(llvm::StringRef text);
/// The command with its files.
std::string filledIn(const TestCommand &command, const Candidate &candidate,
                     const std::string &model, const std::string &inputs);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_REDUCE_INTERNAL_INTERESTTEST_H
