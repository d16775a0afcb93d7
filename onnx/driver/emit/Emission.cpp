//===- Emission.cpp - The steps that write the result ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/Emission.h"
#include "onnxfold/onnx/driver/compare/internal/VerifyFold.h"
#include "onnxfold/onnx/driver/emit/internal/DataUseReport.h"
#include "onnxfold/onnx/driver/emit/internal/InPlace.h"
#include "onnxfold/onnx/driver/emit/internal/RunOnceSplit.h"
#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using llvm::StringRef;

/// Text of the IR instead of a model.
static llvm::Expected<StepResult>
emitMlir(const FoldedModel &model, OutputTarget &target, RunScope &run) {
  run.report().isChanged = true;
  if (llvm::Error error = target.writeText(model.prepared.imported)
                              .moveInto(run.report().bytesAfter))
    return error;
  return StepResult::Changed;
}

static llvm::Error checkReportFile(const ModelExporter &exporter,
                                   const FoldOptions &options,
                                   const OutputTarget &target) {
  std::string report = folderOfModel(options.reportFile) + "/" +
                       llvm::sys::path::filename(options.reportFile).str();
  for (const std::string &file : exporter.dataFiles())
    if (report == folderOfModel(target.path()) + "/" + file)
      return ModelFault()
          .file(options.reportFile)
          .is("the data file of the output too")
          .expected("another file for the report");
  return llvm::Error::success();
}

llvm::Error onnxfold::sayLosses(const FoldedModel &model,
                                ExportSettings &settings,
                                TypeMistakes &mistakes, RunScope &run) {
  settings.warnOfLosses(run);
  // The second evaluation of --target-opset may have found more, and so has the
  // writer, since inlining showed more.
  if (llvm::Error error =
          mistakes.say(model.conflicts.all(), /*isLate=*/false, run))
    return error;
  return mistakes.say(settings.typeEditor().conflicts(), /*isLate=*/true, run);
}

static llvm::Expected<StepResult>
emitModel(FoldedModel &model, const FoldOptions &options, OutputTarget &target,
          ExportSettings &settings, TypeMistakes &mistakes, RunScope &run) {
  llvm::Expected<ModelExporter> exporter =
      ModelExporter::create(model.prepared.imported, settings.options());
  if (!exporter)
    return exporter.takeError();
  if (llvm::Error error = sayLosses(model, settings, mistakes, run))
    return error;
  noteCleaning(exporter->cleaning(), /*isLast=*/true, run.report());
  noteDataUse(model.prepared.imported, *exporter, run.report());
  bool changes = model.isConverted || exporter->changesAnything();
  run.report().bytesAfter = exporter->outputBytes();
  run.report().isChanged = changes;
  if (options.inPlace && settings.placement() == DataPlacement::Keep &&
      !changes)
    return StepResult::Unchanged; // the file is what would be written
  if (target.isNone())
    return StepResult::Changed;
  if (options.inPlace)
    if (llvm::Error error = checkSharedData(model.prepared, target,
                                            settings.dataFile(), *exporter))
      return error;
  if (llvm::Error error = checkReportFile(*exporter, options, target))
    return error;
  if (llvm::Error error = target.write(*exporter, run))
    return error;
  if (options.inPlace)
    warnOfUnusedData(model.prepared, target, *exporter, run);
  return StepResult::Changed;
}

llvm::Expected<StepResult>
onnxfold::emit(FoldedModel &model, const FoldOptions &options,
               OutputTarget &target, ExportSettings &settings,
               TypeMistakes &mistakes, RunScope &run) {
  if (isRejected(run.report()))
    return StepResult::Unchanged;
  if (options.format == OutputFormat::Mlir && !target.isNone())
    return emitMlir(model, target, run);
  if (model.once)
    return emitSplit(model, options, target, settings, mistakes, run);
  return emitModel(model, options, target, settings, mistakes, run);
}
