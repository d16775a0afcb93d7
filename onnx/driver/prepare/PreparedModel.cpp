//===- PreparedModel.cpp - A model as it is before anything folds ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/prepare/PreparedModel.h"
#include "onnxfold/onnx/driver/prepare/internal/CutModel.h"
#include "onnxfold/onnx/driver/prepare/internal/OpenBatchStep.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/io/wire/WireCursor.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "onnxfold/onnx/transforms/specialize/Specialize.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// The source
//===----------------------------------------------------------------------===//

ModelSource::ModelSource(const ModelInput &input)
    : input(input),
      label(!isMemory() && input.path == "-" ? "<stdin>" : input.name()) {}

bool ModelSource::isStream() const {
  return !isMemory() && isStreamPath(input.path);
}

llvm::Error ModelSource::open() {
  return (isMemory() ? InputFile::ofBytes(*input.model, label)
                     : InputFile::open(input.path))
      .moveInto(opened);
}

std::optional<std::string>
ModelSource::dataFolder(const FoldOptions &options) const {
  const std::string &folder = isStream() ? options.streamFolder : input.folder;
  return isMemory() || !folder.empty() ? std::optional(folder) : std::nullopt;
}

llvm::Expected<ImportedModel>
ModelSource::import(MLIRContext &context, const FoldOptions &options) const {
  std::vector<std::string> bound = options.fixed.initializers;
  if (options.inputsWithoutInitializers)
    bound.emplace_back(); // all
  std::optional<std::string> folder = dataFolder(options);
  if (!folder)
    return importModel(opened, context, options.dataRoots, /*locations=*/false,
                       bound);
  return importModel(opened, context,
                     std::make_unique<ExternalData>(*folder, options.dataRoots),
                     /*locations=*/false, bound);
}

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

SmallVector<Operation *>
onnxfold::unreadInitializers(const ImportedModel &model) {
  SmallVector<Operation *> unread;
  if (initializersMayBeOverridden(*model.index) ||
      !model.index->trainingInfos.empty())
    return unread;
  mainGraph(*model.module).walk([&](Operation *op) {
    auto constant = dyn_cast<OnnxConstantOp>(op);
    bool isInitializer =
        constant ? !constant.getNode() : isOpaqueInitializer(op);
    if (isInitializer && op->use_empty())
      unread.push_back(op);
  });
  return unread;
}

/// Before IR version 4 each initializer has to be an input.
static llvm::Error checkInputs(const PreparedModel &model,
                               const FoldOptions &options) {
  const ModelIndex &index = *model.imported.index;
  if (!options.inputsWithoutInitializers || options.irVersion >= 4 ||
      initializersMayBeOverridden(index) ||
      index.mainGraph().initializers.empty())
    return llvm::Error::success();
  return ModelFault()
      .file(model.name)
      .has("IR version " + llvm::Twine(index.irVersion.value_or(0)) +
           ", in which each initializer is an input")
      .expected(setting("ir-version", "4") + " or later with " +
                setting("inputs-without-initializers"));
}

static llvm::Expected<StepResult>
readModel(ModelSource &source, const FoldOptions &options,
          ModelContext &context, RunScope &run, PreparedModel &model) {
  if (llvm::Error error = source.open())
    return error;
  model.name = source.name();
  if (llvm::Error error =
          source.import(context, options).moveInto(model.imported))
    return error;
  run.report().bytesBefore = run.report().bytesAfter = source.file()->size();
  if (llvm::Error error = checkInputs(model, options))
    return error;
  for (const std::string &warning : model.imported.warnings)
    run.warn(warning);
  if (options.isFiltered())
    for (Operation *op : unreadInitializers(model.imported))
      model.unread.insert(valueName(op->getResult(0)));
  return StepResult::Changed;
}

/// Before inputs are fixed: new ones may be.
static llvm::Expected<StepResult> cutPart(PreparedModel &model,
                                          const FoldOptions &options) {
  if (!options.cut.isGiven())
    return StepResult::Unchanged;
  llvm::Expected<GraphCut> done =
      cutModel(model.imported, options.cut, options.limits);
  if (!done)
    return inFile(model.name, done.takeError());
  model.cut.emplace(std::move(*done));
  return StepResult::Changed;
}

llvm::Expected<std::vector<std::pair<std::string, Elements>>>
onnxfold::readInputDefaults(
    const ImportedModel &model,
    llvm::function_ref<bool(const TensorIndex &)> isWanted) {
  std::vector<std::pair<std::string, Elements>> values;
  if (!initializersMayBeOverridden(*model.index))
    return values;
  llvm::StringSet<> inputs;
  for (Value argument : mainGraph(*model.module).getArguments())
    inputs.insert(valueName(argument));
  WireReader reader(model.index->file());
  for (const TensorIndex &tensor : model.index->mainGraph().initializers) {
    if (!inputs.contains(tensor.name) || !isWanted(tensor))
      continue;
    llvm::Expected<Elements> value =
        loadTensor(reader, tensor, *model.external,
                   ("initializer '" + tensor.name + "'").str());
    if (!value)
      return value.takeError();
    values.emplace_back(tensor.name.str(), std::move(*value));
  }
  return values;
}

static llvm::Expected<StepResult> fixDefaults(PreparedModel &model,
                                              InputDefaults defaults) {
  if (defaults != InputDefaults::Fixed)
    return StepResult::Unchanged;
  Specialization fixed;
  if (llvm::Error error =
          readInputDefaults(model.imported).moveInto(fixed.values))
    return error;
  if (fixed.empty())
    return StepResult::Unchanged;
  if (llvm::Error error = specialize(model.module(), fixed))
    return error;
  return StepResult::Changed;
}

static llvm::Expected<StepResult>
fixInputs(PreparedModel &model, const FoldOptions &options, RunScope &run) {
  std::vector<std::string> idle;
  if (llvm::Error error = options.fixed.applyTo(model.module(), &idle))
    return inFile(model.name, std::move(error));
  for (const std::string &text : idle)
    run.warn(model.name + ": " + text);
  if (model.cut)
    for (const std::string &text : rankProblems(*model.cut, model.module()))
      run.warn(model.name + ": " + text);
  return options.fixed.empty() ? StepResult::Unchanged : StepResult::Changed;
}

llvm::Expected<StepResult>
onnxfold::holdInitializers(PreparedModel &model, const FoldOptions &options) {
  if (options.keepInitializers.empty())
    return StepResult::Unchanged;
  llvm::Expected<HeldInitializers> found = HeldInitializers::create(
      model.module(), setting("keep-initializer"), options.keepInitializers);
  if (!found)
    return inFile(model.name, found.takeError());
  model.held.emplace(std::move(*found));
  return StepResult::Changed;
}

llvm::Expected<StepResult>
onnxfold::prepareModel(ModelSource &source, const FoldOptions &options,
                       ModelContext &context, RunScope &run,
                       PreparedModel &model, InputDefaults defaults) {
  llvm::Error error = run.steps({
      {"read", [&] { return readModel(source, options, context, run, model); }},
      {"cut", [&] { return cutPart(model, options); }},
      {"defaults", [&] { return fixDefaults(model, defaults); }},
      {"fix", [&] { return fixInputs(model, options, run); }},
      {"batch", [&] { return openBatchStep(model, options, run); }},
  });
  if (error)
    return error;
  return StepResult::Unchanged;
}

llvm::Expected<ImportedModel>
onnxfold::prepareAgain(const ModelSource &source, const FoldOptions &options,
                       ModelContext &context, const PreparedModel &model) {
  llvm::Expected<ImportedModel> again = source.import(context, options);
  if (!again)
    return again.takeError();
  if (model.cut)
    if (llvm::Error error =
            cutModel(*again, options.cut, options.limits, &*model.cut)
                .takeError())
      return error;
  if (llvm::Error error = options.fixed.applyTo(*again->module))
    return error;
  if (model.batch) {
    OpenedBatch once;
    if (llvm::Error error = openBatchOf(*again, options, once))
      return error;
    model.batch->rewired.insert_range(once.rewired);
  }
  return again;
}
