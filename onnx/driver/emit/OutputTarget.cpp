//===- OutputTarget.cpp - What a run writes, before it has its name -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/OutputTarget.h"
#include "onnxfold/onnx/driver/emit/internal/InPlace.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/report/ReportPrinters.h"
#include "onnxfold/onnx/io/files/OutputSet.h"
#include "onnxfold/onnx/transforms/rules/Rule.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using llvm::StringRef;

bool OutputTarget::isAt(StringRef other) const {
  return isFile() &&
         (other == path() || llvm::sys::fs::equivalent(other, path()));
}

//===----------------------------------------------------------------------===//
// Before the fold
//===----------------------------------------------------------------------===//

/// Runs on one target take turns, from before the target is looked at.
void OutputTarget::lock(RunScope &run) {
  if (!isFile())
    return;
  targetLock = TargetLock::acquire(path(), [&] {
    if (run.callbacks().waits)
      run.callbacks().waits(path());
  });
}

llvm::Expected<StepResult> OutputTarget::lockInPlace(RunScope &run) {
  if (options.inPlace)
    lock(run);
  return StepResult::Unchanged;
}

llvm::Error OutputTarget::openReport(const ImportedModel &model) {
  if (options.reportFile.empty())
    return llvm::Error::success();
  if (isAt(options.reportFile))
    return ModelFault()
        .file(options.reportFile)
        .is("the output too")
        .expected("another file for the report");
  return OutputFile::create(options.reportFile, model.inputFiles())
      .moveInto(report);
}

llvm::Expected<StepResult> OutputTarget::open(const ModelSource &source,
                                              const PreparedModel &model,
                                              RunScope &run) {
  if (options.inPlace) {
    if (llvm::Error error = checkInPlace(source, model.imported, *this))
      return error;
  } else {
    lock(run);
  }
  for (const std::string &name : options.fixed.files())
    if (isAt(name))
      return ModelFault()
          .file(name)
          .is("the output too")
          .expected("another file for the value of an input");
  for (const std::string &name : options.rules)
    if (!shippedRules(name) && isAt(name))
      return ModelFault()
          .file(name)
          .is("one of the input files, which are never written")
          .expected("another output");
  if (llvm::Error error = openReport(model.imported))
    return error;
  return StepResult::Unchanged;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Tells the caller, who may have no more of it.
static WriteProgress progressOf(RunScope &run) {
  const FoldCallbacks &callbacks = run.callbacks();
  if (!callbacks.wrote && !callbacks.isCancelled)
    return {};
  return [&](uint64_t bytes, uint64_t total) {
    if (callbacks.wrote)
      callbacks.wrote(bytes, total);
    return !run.isCancelled();
  };
}

llvm::Error OutputTarget::write(ModelExporter &exporter, RunScope &run) {
  // Steps before the bytes of a stream may still fail.
  bool holdsStream =
      options.verifyTrials != 0 || report || run.callbacks().complete;
  return (isMemory() ? exporter.writeInMemory(&run.pool(), progressOf(run))
                     : exporter.writeUnnamed(path(), &run.pool(),
                                             progressOf(run), holdsStream))
      .moveInto(model);
}

llvm::Error OutputTarget::writeOnce(ModelExporter &exporter, StringRef path,
                                    RunScope &run) {
  return (isMemory()
              ? exporter.writeInMemory(&run.pool(), progressOf(run))
              : exporter.writeUnnamed(path, &run.pool(), progressOf(run)))
      .moveInto(once);
}

llvm::Expected<uint64_t> OutputTarget::writeText(const ImportedModel &model) {
  mlir::ModuleOp module = model.module.get();
  if (isMemory()) {
    llvm::raw_string_ostream out(textInMemory.emplace());
    module.print(out);
    return textInMemory->size();
  }
  if (llvm::Error error =
          OutputFile::create(path(), model.inputFiles()).moveInto(text))
    return error;
  if (text->isStream()) {
    textStream = std::move(text);
    if (llvm::Error error =
            OutputFile::createUnnamed(textStream->name()).moveInto(text))
      return error;
  }
  TextFile out(*text);
  module.print(out);
  uint64_t bytes = out.tell();
  if (llvm::Error error = out.finish())
    return error;
  return bytes;
}

//===----------------------------------------------------------------------===//
// The end of a run
//===----------------------------------------------------------------------===//

llvm::Error OutputTarget::writeReport(RunScope &run, bool isComplete) {
  if (report && options.report != ReportFormat::None) {
    TextFile out(*report);
    printReport(out, run.report(), options.report);
    if (llvm::Error error = out.finish())
      return error;
  }
  if (run.callbacks().complete && isComplete)
    return run.callbacks().complete();
  return llvm::Error::success();
}

llvm::Error OutputTarget::commitReport() {
  OutputSet set;
  if (report && !report->isStream())
    set.others.push_back(report.get());
  return commitTogether(set);
}

/// Takes the result in memory, which the caller gets when nothing more can
/// fail.
llvm::Error OutputTarget::takeBytes() {
  std::string onceBytes;
  if (once && output.once)
    if (llvm::Error error = once->bytes().moveInto(onceBytes))
      return error;
  if (model)
    if (llvm::Error error = model->bytes().moveInto(textInMemory))
      return error;
  if (llvm::Error error = commitReport())
    return error;
  if (textInMemory)
    *output.result = std::move(*textInMemory);
  if (once && output.once)
    *output.once = std::move(onceBytes);
  return llvm::Error::success();
}

llvm::Error OutputTarget::sendText() {
  llvm::Expected<InputFileRef> held = text->read();
  if (!held)
    return held.takeError();
  if (llvm::Error error = textStream->copy(**held, {0, (*held)->size()}, 0))
    return error;
  return textStream->commit();
}

/// The caller may still end the run.
llvm::Error OutputTarget::tellFiles(const OutputSet &set, RunScope &run) const {
  if (!run.callbacks().commits)
    return llvm::Error::success();
  std::vector<std::string> files;
  for (llvm::ArrayRef<OutputFile *> some :
       {llvm::ArrayRef(set.others), llvm::ArrayRef(set.companions),
        llvm::ArrayRef(set.models)})
    for (const OutputFile *file : some)
      files.push_back(file->targetPath().str());
  if (model)
    for (const std::string &location : model->removedData()) {
      llvm::SmallString<128> removed(folderOfModel(path()));
      llvm::sys::path::append(removed, location);
      files.push_back(removed.str().str());
    }
  return files.empty() ? llvm::Error::success()
                       : run.callbacks().commits(files);
}

llvm::Error OutputTarget::commit(RunScope &run) {
  if (isMemory())
    return takeBytes();
  OutputSet set;
  if (report && !report->isStream())
    set.others.push_back(report.get());
  if (textStream)
    set.streams.push_back([this] { return sendText(); });
  else if (text)
    set.models.push_back(text.get());
  if (once)
    once->addTo(set);
  if (model)
    model->addTo(set);
  if (llvm::Error error = tellFiles(set, run))
    return error;
  if (llvm::Error error = commitTogether(set))
    return error;
  llvm::Error unsynced = once ? once->finish() : llvm::Error::success();
  if (model)
    unsynced = llvm::joinErrors(std::move(unsynced), model->finish());
  return unsynced;
}
