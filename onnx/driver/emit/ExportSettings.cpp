//===- ExportSettings.cpp - How a folded model is written -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/ExportSettings.h"
#include "onnxfold/onnx/driver/fold/internal/FoldedModel.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/Import.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/transforms/cleanup/EqualInitializers.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/transforms/rewrite/CleanUpNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using namespace mlir;

std::string ExportSettings::dataFile() const {
  if (!chosen.dataFile.empty() || !target.isFile())
    return chosen.dataFile;
  return dataFileOf(target.path());
}

std::string ExportSettings::dataFileOf(StringRef path) const {
  bool isHub = llvm::any_of(
      model.prepared.imported.external->files(), [](const auto &entry) {
        return StringRef(entry.first).contains(".onnx_data");
      });
  return (llvm::sys::path::filename(path) + (isHub ? "_data" : ".data")).str();
}

bool ExportSettings::isBesideInput() const {
  const ExternalData &external = *model.prepared.imported.external;
  return target.isFile() && !target.isStream() &&
         llvm::sys::fs::equivalent(folderOfModel(target.path()),
                                   external.modelFolder());
}

/// An output beside the input shares its data files, but not those that only
/// links of the input lead to: readers would refuse them.
DataPlacement ExportSettings::placement() const {
  if (chosen.placement == DataPlacement::Keep && isBesideInput() &&
      model.prepared.imported.external->hasFilesElsewhere())
    return DataPlacement::External;
  // Converted weights stand beside the model as those of the input do.
  if (chosen.placement == DataPlacement::Keep && model.movesWeights &&
      target.isFile() && !target.isStream())
    return DataPlacement::External;
  return chosen.placement;
}

/// Tells the exporter the sources of operations.
void ExportSettings::answerSources(ExportOptions &result) {
  const RewriteSession &session = model.session();
  const std::optional<GraphCut> &cut = model.prepared.cut;
  result.isRewired = [&](Operation *op) {
    return session.isRewired(op) || (cut && cut->isRenamed(op)) ||
           (model.prepared.batch && model.prepared.batch->rewired.contains(op));
  };
  result.nameInFile = [&](Operation *op) { return session.nameInFile(op); };
  result.origin = [&](Operation *op) { return session.moved().origin(op); };
  result.sourceOf = [&](Operation *op) {
    return session.copySources().find(op);
  };
  if (!model.computed.empty())
    result.computedConstant = [&](Operation *op) {
      return model.computed.lookup(op);
    };
  if (!session.copySources().hasParts())
    return;
  result.partsOf = [&](Operation *op) {
    return session.copySources().partsOf(op);
  };
  result.noteLostText = [&](Operation *op, StringRef field) {
    if (lostTexts.insert(op).second && firstLostText.empty())
      firstLostText = (field + " of " + nodeText(op)).str();
  };
}

/// An input with an initializer could get another value from IR version 4 on,
/// and not before.
llvm::StringSet<> ExportSettings::inputsThatAreConstants() const {
  const ImportedModel &imported = model.prepared.imported;
  llvm::StringSet<> names = imported.bound;
  if (initializersMayBeOverridden(*imported.index) ||
      irVersion(model.module()).value_or(0) < 4)
    return names;
  const GraphIndex &graph = imported.index->mainGraph();
  for (const TensorIndex &tensor : graph.initializers)
    names.insert(tensor.name);
  for (const SparseTensorIndex &tensor : graph.sparseInitializers)
    names.insert(tensor.values.name);
  return names;
}

/// The constants of --keep-initializer, whose values may be replaced.
static llvm::DenseSet<Operation *> heldConstants(const FoldedModel &model) {
  llvm::DenseSet<Operation *> held;
  if (model.prepared.held)
    for (Value value : model.prepared.held->values())
      held.insert(value.getDefiningOp());
  return held;
}

Cleaning ExportSettings::cleaning() const {
  Cleaning cleaning;
  auto isStripped = [&](StringRef kind) {
    return chosen.stripped.contains(kind);
  };
  cleaning.strip.metadata = isStripped("metadata");
  cleaning.strip.docs = isStripped("docs");
  cleaning.strip.names = isStripped("names");
  cleaning.strip.types = isStripped("types");
  cleaning.strip.stackTraces = isStripped("stack-traces");
  cleaning.strip.keepsProvenance = chosen.provenance;
  cleaning.constants = chosen.constants;
  cleaning.sort = chosen.sort;
  return cleaning;
}

ExportOptions ExportSettings::options() {
  ExportOptions result;
  answerSources(result);
  result.metadata = {model.growth.metadata()};
  result.mergesEqual = chosen.level >= 1; // it renames inputs
  if (removesUnused(model, chosen) && !model.once &&
      !chosen.disabled.contains(equalInitializer))
    result.mayMergeStored = [held = heldConstants(model)](Operation *op) {
      return !held.contains(op) && mayBeShared(cast<OnnxConstantOp>(op));
    };
  result.removesUnused = removesUnused(model, chosen) || model.prepared.cut;
  result.removesUnused |= chosen.prune;
  result.cleaning = cleaning();
  result.changesInterface = model.prepared.cut.has_value();
  result.bound = inputsThatAreConstants();
  result.noteLostParameter = [&](StringRef name) {
    lostParameters.insert(name.str());
  };
  result.editsBodyInputs = model.conversion || model.prepared.batch;
  if (model.conversion)
    result.hasNewValue = [&](Operation *op) {
      return model.conversion->newValues.contains(op);
    };
  if (types.isNeeded())
    result.editType = [&](Value value, TypePlace place,
                          onnx::ValueInfoProto &info) {
      return types.edit(value, place, info);
    };
  result.writesNewTypes =
      (chosen.shapes || model.session().copySources().hasUnknown()) &&
      !result.cleaning.strip.types;
  result.placement = placement();
  result.dataFile = dataFile();
  result.dataLayout = chosen.dataLayout;
  result.gathersData = target.isFile() && !target.isStream() &&
                       !isBesideInput() && !chosen.keepsDataFiles;
  result.replacesInput = chosen.inPlace;
  result.sync = chosen.sync;
  if (target.isStream())
    result.streamFolder = chosen.streamFolder;
  return result;
}

void ExportSettings::warnOfLosses(RunScope &run) const {
  const std::string &name = model.prepared.name;
  if (!firstLostText.empty())
    run.warn(
        name + ": " + llvm::Twine(lostTexts.size()) +
        (lostTexts.size() == 1 ? " node stands" : " nodes stand") +
        " for several nodes, and " + (lostTexts.size() == 1 ? "has" : "have") +
        " only the texts that all of these have; lost is " + firstLostText);
  for (const std::string &parameter : lostParameters)
    run.warn(name + ": initializer '" + printableName(parameter) +
             "', which no node reads any more, is removed although a "
             "quantization_annotation names it: before IR version 4 runtimes "
             "refuse an initializer that is neither read nor an input");
}
