//===- FoldModel.h - A model in, the folded model out -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The whole of onnx-fold as one function: reads a model, evaluates, cleans up,
// plans under the growth budget, rewrites, verifies if asked to, writes. The
// tool, the fuzz targets, Python and the tests call it.
//
//   FoldOptions options;
//   options.level = 2;
//   FoldReport report;
//   if (llvm::Error error = foldModel(ModelInput::file("model.onnx"),
//                                     ModelOutput::file("folded.onnx"),
//                                     options, report))
//     return error;                       // nothing was written
//   printSummary(llvm::errs(), report);   // ReportPrinters.h
//
// In memory, the same bytes:
//
//   std::string folded;
//   llvm::Error error = foldModel(ModelInput::bytes(model),
//                                 ModelOutput::bytes(folded), options, report);
//
// Guarantees: the output appears whole or not at all; a file that is read is
// never written; the same input and options give the same bytes. After an error
// or a cancelled run there is no output, no temporary file and no lock; only
// the report says how far it came.
//
// Cancellation: FoldCallbacks::isCancelled is asked at each operation that is
// evaluated, for folding and for verification, between the steps, and after
// each piece of a file was written. A kernel, or a Loop that is executed, is
// not interrupted: FoldLimits bound it. Once a file has its name, the run is
// done and cannot be cancelled.
//
// Errors (FoldError.h): bad options, a broken model, files that cannot be read
// or written, lack of memory, or a difference that verification found.
//
// Thread safety: any number of threads may call it at once, for one input too;
// runs on one output file take turns. A run has its own context, its own
// threads (FoldOptions::threads) and its own report. What all runs of a process
// share, without an influence on bytes:
//   * the limits on kept results and the folder that they spill to (Memory.h),
//     which foldModel leaves as the program set them;
//   * handlers for SIGINT, SIGTERM and SIGHUP that remove temporary files;
//   * the table of ONNX's schemas, made once.
// A program should ignore SIGXFSZ and SIGPIPE, or a full disk ends it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_FOLDMODEL_H
#define ONNXFOLD_ONNX_DRIVER_FOLDMODEL_H

#include "onnxfold/onnx/driver/FoldError.h"
#include "onnxfold/onnx/driver/FoldOptions.h"
#include "onnxfold/onnx/driver/report/FoldReport.h"
#include <cstdint>
#include <functional>

namespace onnxfold {

/// The model to fold.
class ModelInput {
public:
  /// A file; "-" is standard input. The text form of a model is read too.
  static ModelInput file(llvm::StringRef path);
  /// A model in memory, which must live as long as the run. External data is
  /// looked for in `folder`, and nowhere if that is empty.
  static ModelInput bytes(llvm::StringRef model, llvm::StringRef folder = "");

  /// The file, or "<memory>".
  llvm::StringRef name() const;

private:
  friend class ModelSource;
  std::string path, folder;
  std::optional<llvm::StringRef> model;
};

/// The place that the result is written to.
class ModelOutput {
public:
  /// A file; "-" is standard output. An existing file is replaced.
  static ModelOutput file(llvm::StringRef path);
  /// A model in memory, which replaces `result` when nothing can fail any more.
  /// It cannot have external data.
  static ModelOutput bytes(std::string &result);
  /// The same with --run-once: the once model is written to `once`, which is
  /// empty if nothing is to be computed once.
  static ModelOutput bytes(std::string &result, std::string &once);
  /// No output: FoldReport::isChanged says whether folding changes the model.
  static ModelOutput none();

private:
  friend class OutputTarget;
  std::string path;
  std::string *result = nullptr, *once = nullptr;
};

/// The functions that a run calls. All may be empty.
struct FoldCallbacks {
  /// Called with each warning at once; the report has it too.
  std::function<void(llvm::StringRef text)> warn;
  /// Called once if another run holds the output.
  std::function<void(llvm::StringRef output)> waits;
  /// Called before each operation is evaluated.
  std::function<void()> step;
  /// Called when `bytes` more of `total` bytes were written, by several threads
  /// at once.
  std::function<void(uint64_t bytes, uint64_t total)> wrote;
  /// Called when a step of the report has ended: "read", "evaluate", "plan",
  /// "rewrite", "write", and others that options ask for (docs/report.md).
  std::function<void(llvm::StringRef name)> endedStep;
  /// Called with the result of verification, before an output gets its name.
  std::function<void(const VerifyResult &)> verified;
  /// Called when all is written and nothing has its name yet, with the report
  /// in its final state: the place to print it, since an error that this returns
  /// ends the run without an output. Not called where verification found a
  /// difference.
  std::function<llvm::Error()> complete;
  /// Called last, with the paths of the files that are about to be created,
  /// replaced or removed: an error that this returns ends the run without an
  /// output. Not called where the run changes no file.
  std::function<llvm::Error(llvm::ArrayRef<std::string> files)> commits;
  /// Returns true to cancel the run. Called by several threads at once: it may
  /// read a std::atomic<bool>.
  std::function<bool()> isCancelled;
};

/// Folds a model. `report` must be new; after an error it describes the run up
/// to the error.
llvm::Error foldModel(const ModelInput &input, const ModelOutput &output,
                      const FoldOptions &options, FoldReport &report,
                      const FoldCallbacks &callbacks = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_FOLDMODEL_H
