//===- OutputTarget.h - What a run writes, before it has its name -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Holds the lock on the output, and all that was written: models, text, the
// report. Nothing has its name, and the caller no bytes, before commit().
// Without it nothing remains.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_OUTPUTTARGET_H
#define ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_OUTPUTTARGET_H

#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/files/TargetLock.h"
#include "onnxfold/onnx/io/write/Export.h"

namespace onnxfold {

struct OutputSet;

class OutputTarget {
public:
  OutputTarget(const ModelOutput &output, const FoldOptions &options)
      : output(output), options(options) {}

  const std::string &path() const { return output.path; }
  bool isFile() const { return !output.path.empty(); }
  bool isStream() const { return output.path == "-"; }
  bool isMemory() const { return output.result; }
  bool isNone() const { return !isFile() && !isMemory(); }
  /// True if this is the path of the output.
  bool isAt(llvm::StringRef other) const;

  /// --in-place: takes the lock before the input is read, which another run may
  /// just replace.
  llvm::Expected<StepResult> lockInPlace(RunScope &run);
  /// Checks the output against the files of the run, takes the lock, and opens
  /// the report, before anything is computed: a bad name costs nothing.
  llvm::Expected<StepResult> open(const ModelSource &source,
                                  const PreparedModel &model, RunScope &run);

  /// Writes a model, in memory or without its name.
  llvm::Error write(ModelExporter &exporter, RunScope &run);
  /// The same with the once model of --run-once.
  llvm::Error writeOnce(ModelExporter &exporter, llvm::StringRef path,
                        RunScope &run);
  /// Writes the module as text; returns the number of bytes.
  llvm::Expected<uint64_t> writeText(const ImportedModel &model);
  /// The model, if write() was called.
  const std::optional<WrittenModel> &written() const { return model; }

  /// Writes the report, and tells the caller that all is written.
  llvm::Error writeReport(RunScope &run, bool isComplete);
  /// Gives all that was written its name, or the caller the bytes.
  llvm::Error commit(RunScope &run);
  /// The report alone.
  llvm::Error commitReport();

private:
  void lock(RunScope &run);
  llvm::Error openReport(const ImportedModel &model);
  llvm::Error takeBytes();
  llvm::Error sendText();
  llvm::Error tellFiles(const OutputSet &set, RunScope &run) const;

  const ModelOutput &output;
  const FoldOptions &options;
  TargetLock targetLock;
  std::unique_ptr<OutputFile> report;
  std::optional<WrittenModel> model, once;
  std::unique_ptr<OutputFile> text;       ///< of --emit=mlir
  std::unique_ptr<OutputFile> textStream; ///< that gets `text`
  std::optional<std::string> textInMemory;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_EMIT_INTERNAL_OUTPUTTARGET_H
