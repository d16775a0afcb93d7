//===- RunOnceSplit.cpp - --run-once --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/emit/internal/RunOnceSplit.h"
#include "onnxfold/onnx/driver/emit/internal/DataUseReport.h"
#include "onnxfold/onnx/driver/emit/internal/Emission.h"
#include "onnxfold/onnx/driver/fold/internal/CleanForm.h"
#include "onnxfold/onnx/ir/MainGraph.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold;
using namespace mlir;

llvm::Expected<StepResult> onnxfold::findRunOnce(FoldedModel &model,
                                                 const FoldOptions &options) {
  if (!options.runOnce.isGiven())
    return StepResult::Unchanged;
  if (!model.prepared.imported.index->trainingInfos.empty())
    return model.prepared.failed("has training information, with which " +
                                 setting("run-once") + " cannot be used");
  llvm::Expected<RunOnce> found =
      RunOnce::create(model.module(), options.runOnce.names);
  if (!found)
    return inFile(model.prepared.name, found.takeError());
  model.once.emplace(std::move(*found));
  return StepResult::Unchanged;
}

llvm::Expected<StepResult> onnxfold::addLeftOut(FoldedModel &model,
                                                const FoldOptions &options) {
  if (!model.once || !options.runOnce.leftOut)
    return StepResult::Unchanged;
  const FoldPlan &plan = model.folding->plan();
  SmallVector<Operation *> leftOut;
  for (Operation &op : mainBlock(model.module()))
    if (plan.reason(&op).code == ReasonCode::Growth)
      leftOut.push_back(&op);
  model.once->addOperations(leftOut);
  return StepResult::Unchanged;
}

static llvm::Error checkOncePath(llvm::StringRef path,
                                 const FoldOptions &options,
                                 const OutputTarget &target) {
  if (target.isStream() || path == "-")
    return ModelFault()
        .option(setting("run-once"))
        .says("writes two models")
        .expected("a file as output, not a stream");
  if (target.isAt(path) || path == options.reportFile ||
      llvm::sys::fs::equivalent(path, options.reportFile))
    return ModelFault()
        .file(path)
        .is("another output too")
        .expected("another file for " + setting("once-output"));
  return llvm::Error::success();
}

/// Chooses what is run once, and tells the report.
static llvm::Error chooseOnce(FoldedModel &model, const FoldOptions &options,
                              const OutputTarget &target, RunScope &run) {
  model.once->choose([&](Value value) { return model.types.typeOf(value); });
  FoldReport::RunOnceSplit &split =
      run.report().runOnce.emplace(FoldReport::RunOnceSplit());
  split.inputs = model.once->names();
  for (Value result : model.once->results())
    split.results.push_back(valueName(result).str());
  if (split.results.empty()) {
    if (!options.runOnce.names.empty())
      return ModelFault()
          .file(model.prepared.name)
          .context(setting("run-once"))
          .says("nothing can be computed once from " +
                llvm::join(split.inputs, ", "));
    run.warn(setting("run-once") +
             ": the limit on growth left nothing out, so there is no "
             "model to run once");
    return llvm::Error::success();
  }
  if (!target.isFile())
    return llvm::Error::success();
  split.file = options.runOnce.file.empty() ? onceFileFor(target.path())
                                            : options.runOnce.file;
  return checkOncePath(split.file, options, target);
}

/// The settings of the rest, whose questions about a copy are those about its
/// original.
static ExportOptions settingsOfOnce(const RunOnce::Copy &once,
                                    const ExportOptions &rest,
                                    TypeEditor &types, std::string dataFile) {
  ExportOptions mapped = rest;
  auto original = [&](Operation *op) { return once.operations.lookup(op); };
  mapped.metadata.clear();
  mapped.changesInterface = true;
  mapped.dataFile = std::move(dataFile);
  mapped.isRewired = [=, &rest](Operation *op) {
    return rest.isRewired(original(op));
  };
  mapped.nameInFile = [=, &rest](Operation *op) {
    return rest.nameInFile(original(op));
  };
  mapped.origin = [=, &rest](Operation *op) {
    return rest.origin(original(op));
  };
  mapped.sourceOf = [=, &rest](Operation *op) {
    return rest.sourceOf(original(op));
  };
  if (rest.partsOf) {
    mapped.partsOf = [=, &rest](Operation *op) {
      return rest.partsOf(original(op));
    };
    mapped.noteLostText = [=, &rest](Operation *op, llvm::StringRef field) {
      rest.noteLostText(original(op), field);
    };
  }
  mapped.editType = [&](Value value, TypePlace place,
                        onnx::ValueInfoProto &info) {
    return types.edit(once.values.lookup(value), place, info);
  };
  return mapped;
}

static llvm::Error writeOnce(FoldedModel &model, llvm::StringRef path,
                             OutputTarget &target, ExportSettings &settings,
                             RunScope &run) {
  RunOnce::Copy once = model.once->copyOnce();
  ExportOptions rest = settings.options();
  ExportOptions mapped = settingsOfOnce(once, rest, settings.typeEditor(),
                                        settings.dataFileOf(path));
  ImportedModel &imported = model.prepared.imported;
  std::swap(imported.module, once.module);
  auto write = [&]() -> llvm::Error {
    llvm::Expected<ModelExporter> exporter =
        ModelExporter::create(imported, std::move(mapped));
    if (!exporter)
      return exporter.takeError();
    noteCleaning(exporter->cleaning(), /*isLast=*/true, run.report());
    return target.writeOnce(*exporter, path, run);
  };
  llvm::Error error = write();
  std::swap(imported.module, once.module);
  return error;
}

static llvm::Expected<StepResult>
writeRest(FoldedModel &model, OutputTarget &target, ExportSettings &settings,
          TypeMistakes &mistakes, RunScope &run) {
  ExportOptions rest = settings.options();
  rest.changesInterface = true;
  rest.editType = [&](Value value, TypePlace place,
                      onnx::ValueInfoProto &info) {
    return settings.typeEditor().edit(value, place, info);
  };
  llvm::Expected<ModelExporter> exporter =
      ModelExporter::create(model.prepared.imported, std::move(rest));
  if (!exporter)
    return exporter.takeError();
  if (llvm::Error error = sayLosses(model, settings, mistakes, run))
    return error;
  noteCleaning(exporter->cleaning(), /*isLast=*/true, run.report());
  noteDataUse(model.prepared.imported, *exporter, run.report());
  run.report().bytesAfter = exporter->outputBytes();
  run.report().isChanged = exporter->changesAnything();
  if (target.isNone())
    return StepResult::Unchanged;
  if (llvm::Error error = target.write(*exporter, run))
    return error;
  return StepResult::Changed;
}

llvm::Expected<StepResult>
onnxfold::emitSplit(FoldedModel &model, const FoldOptions &options,
                    OutputTarget &target, ExportSettings &settings,
                    TypeMistakes &mistakes, RunScope &run) {
  if (llvm::Error error = chooseOnce(model, options, target, run))
    return error;
  FoldReport::RunOnceSplit &split = *run.report().runOnce;
  if (!target.isNone() && !split.results.empty())
    if (llvm::Error error = writeOnce(model, split.file, target, settings, run))
      return error;
  model.once->takeOut();
  split.nodes = model.once->numMoved();
  return writeRest(model, target, settings, mistakes, run);
}
