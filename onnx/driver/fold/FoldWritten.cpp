//===- FoldWritten.cpp - A converted model, folded as the next run would --===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "onnxfold/onnx/driver/fold/internal/Conversions.h"
#include "onnxfold/onnx/driver/fold/internal/FoldSteps.h"

using namespace onnxfold;

/// The model as it would be written, but for large values, which are in
/// `values`; nothing if it is the input. Its data files are not moved.
static llvm::Expected<std::optional<std::string>>
bytesOf(const ImportedModel &model, ExportSettings &settings,
        std::vector<ValueInMemory> &values, RunScope &run) {
  ExportOptions inMemory = settings.options();
  inMemory.placement = DataPlacement::Keep;
  inMemory.gathersData = false;
  inMemory.replacesInput = false;
  inMemory.valuesInMemory = &values;
  inMemory.cleaning.strip = {}; // the last writer strips, and counts
  inMemory.cleaning.sort = false;
  inMemory.streamFolder = model.external->modelFolder();
  auto exporter = ModelExporter::create(model, std::move(inMemory));
  if (!exporter)
    return exporter.takeError();
  if (!exporter->changesAnything())
    return std::nullopt;
  noteCleaning(exporter->cleaning(), /*isLast=*/false, run.report());
  auto written = exporter->writeInMemory(&run.pool());
  if (!written)
    return written.takeError();
  return written->bytes();
}

static llvm::Expected<ImportedModel>
readBytes(llvm::StringRef bytes, std::vector<ValueInMemory> values,
          const PreparedModel &from, ModelContext &context) {
  llvm::Expected<InputFileRef> copy = InputFile::ofBytes(bytes, from.name);
  if (!copy)
    return copy.takeError();
  const ExternalData &before = *from.imported.external;
  auto external = std::make_unique<ExternalData>(before.modelFolder().str(),
                                                 before.extraRoots());
  external->hold(std::move(values));
  return importModel(*copy, context, std::move(external), /*locations=*/false);
}

/// The operators of the output are those of the second run.
static void takeOperatorsAfter(FoldReport &report, const FoldReport &second) {
  for (auto &[type, counts] : report.operators)
    counts.second = 0;
  for (const auto &[type, counts] : second.operators)
    report.operators[type].second = counts.second;
}

static llvm::Error foldAgain(FoldedModel &model, const FoldOptions &options,
                             ResultCache *cache, RunScope &run) {
  if (llvm::Error error = holdInitializers(model.prepared, options).takeError())
    return error;
  holdConstantsAgain(model.module(), options);
  if (llvm::Error error = evaluateModel(model, options, cache, run))
    return error;
  FoldReport after;
  {
    RunBudgetScope bounded(run.budget());
    FoldPlan &plan = model.folding->plan();
    const CleanUp &cleanUp = model.folding->cleanUp();
    ReportCollector(after).collect(model.folding->evaluation(), plan, cleanUp,
                                   removesUnused(model, options));
    run.report().growth.added += plan.growth() + cleanUp.bytesMade();
  }
  takeOperatorsAfter(run.report(), after);
  return rewrite(model, options, run).takeError();
}

llvm::Expected<StepResult>
onnxfold::foldWritten(FoldedModel &model, const FoldOptions &options,
                      const ModelSource &source, ModelContext &context,
                      ResultCache *cache, ExportSettings &settings,
                      RunScope &run) {
  std::vector<ValueInMemory> values;
  llvm::Expected<std::optional<std::string>> bytes =
      bytesOf(model.prepared.imported, settings, values, run);
  if (!bytes)
    return bytes.takeError();
  if (!*bytes)
    return StepResult::Unchanged;
  llvm::Expected<ImportedModel> next =
      readBytes(**bytes, std::move(values), model.prepared, context);
  if (!next)
    return next.takeError();
  if (!options.inPlace) // no output replaces the input, which `next` is not
    next->textFile = source.file();
  next->mayReplaceEarlier = options.inPlace;
  const ImportedModel &before = model.prepared.imported;
  next->earlierFiles = before.earlierFiles;
  next->earlierFiles.push_back(before.index->file());
  for (const auto &[location, file] : before.external->files())
    next->earlierFiles.push_back(file);
  if (llvm::Error error = model.replace(std::move(*next)))
    return error;
  model.isConverted = true;
  if (llvm::Error error = foldAgain(model, options, cache, run))
    return error;
  return StepResult::Changed;
}
