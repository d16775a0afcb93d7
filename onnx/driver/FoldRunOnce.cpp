//===- FoldRunOnce.cpp - One run of foldModel: --run-once -----------------===//

#include "onnxfold/onnx/driver/internal/FoldRun.h"
#include "onnxfold/onnx/ir/Model.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using namespace mlir;

/// Before anything is evaluated: nothing of the named initializers may fold.
llvm::Error FoldRun::findRunOnce() {
  if (!options.runOnce.isGiven())
    return llvm::Error::success();
  if (!model.index->trainingInfos.empty())
    return ModelFault().file(inputName).says(
        "has training information, with which --run-once cannot be used");
  llvm::Expected<RunOnce> found =
      RunOnce::create(*model.module, options.runOnce.names);
  if (!found)
    return inFile(inputName, found.takeError());
  runOnce.emplace(std::move(*found));
  return llvm::Error::success();
}

/// Before the plan is applied: it knows what it leaves out.
void FoldRun::noteLeftOut() {
  if (!runOnce || !options.runOnce.leftOut)
    return;
  const FoldPlan &plan = folding->plan();
  SmallVector<Operation *> leftOut;
  auto main =
      cast<FunctionOpInterface>(model.module->lookupSymbol(mainGraphSymbol));
  for (Operation &op : main->getRegion(0).front())
    if (plan.reason(&op).code == ReasonCode::Growth)
      leftOut.push_back(&op);
  runOnce->addOperations(leftOut);
}

/// Splits the module, and writes both models.
llvm::Error FoldRun::emitSplit() {
  runOnce->choose([&](Value value) { return types.typeOf(value); });
  FoldReport::RunOnceSplit &split =
      report.runOnce.emplace(FoldReport::RunOnceSplit());
  split.inputs = runOnce->names();
  for (Value result : runOnce->results())
    split.results.push_back(valueName(result).str());
  if (split.results.empty()) {
    if (!options.runOnce.names.empty())
      return ModelFault()
          .file(inputName)
          .context("--run-once")
          .says("nothing can be computed once from " +
                llvm::join(split.inputs, ", "));
    warn("--run-once: the limit on growth left nothing out, so there is no "
         "model to run once");
  } else if (isFile()) {
    split.file = options.runOnce.file.empty() ? onceFileFor(output.path)
                                              : options.runOnce.file;
    if (llvm::Error error = checkOncePath(split.file))
      return error;
  }
  return writeSplit();
}

llvm::Error FoldRun::checkOncePath(llvm::StringRef path) const {
  auto isSame = [&](llvm::StringRef other) {
    return path == other || llvm::sys::fs::equivalent(path, other);
  };
  if (output.path == "-" || path == "-")
    return ModelFault()
        .option("--run-once")
        .says("writes two models")
        .expected("a file as output, not a stream");
  if (isSame(output.path) || isSame(options.reportFile))
    return ModelFault()
        .file(path)
        .is("another output too")
        .expected("another file for --once-output");
  return llvm::Error::success();
}

/// The once model, written without its name.
llvm::Expected<WrittenModel> FoldRun::writeOnce(llvm::StringRef path) {
  RunOnce::Copy once = runOnce->copyOnce();
  ExportOptions plain = exportOptions(), mapped = plain;
  auto original = [&](Operation *op) { return once.operations.lookup(op); };
  mapped.metadata.clear();
  mapped.changesInterface = true;
  mapped.dataFile = dataFileOf(path);
  mapped.isRewired = [&](Operation *op) {
    return plain.isRewired(original(op));
  };
  mapped.nameInFile = [&](Operation *op) {
    return plain.nameInFile(original(op));
  };
  mapped.origin = [&](Operation *op) { return plain.origin(original(op)); };
  mapped.sourceOf = [&](Operation *op) { return plain.sourceOf(original(op)); };
  if (plain.partsOf) {
    mapped.partsOf = [&](Operation *op) { return plain.partsOf(original(op)); };
    mapped.noteLostText = [&](Operation *op, llvm::StringRef field) {
      plain.noteLostText(original(op), field);
    };
  }
  mapped.editType = [&](Value value, TypePlace place,
                        onnx::ValueInfoProto &info) {
    return editType(once.values.lookup(value), place, info);
  };
  std::swap(model.module, once.module);
  auto write = [&]() -> llvm::Expected<WrittenModel> {
    llvm::Expected<ModelExporter> exporter =
        ModelExporter::create(model, std::move(mapped));
    if (!exporter)
      return exporter.takeError();
    return output.result ? exporter->writeInMemory(&pool, progress())
                         : exporter->writeUnnamed(path, &pool, progress());
  };
  llvm::Expected<WrittenModel> result = write();
  std::swap(model.module, once.module);
  return result;
}

llvm::Error FoldRun::writeSplit() {
  FoldReport::RunOnceSplit &split = *report.runOnce;
  if (!writesNothing() && !split.results.empty()) {
    llvm::Expected<WrittenModel> once = writeOnce(split.file);
    if (!once)
      return once.takeError();
    writtenOnce.emplace(std::move(*once));
  }
  runOnce->takeOut();
  split.nodes = runOnce->numMoved();
  ExportOptions rest = exportOptions();
  rest.changesInterface = true;
  rest.editType = [&](Value value, TypePlace place,
                      onnx::ValueInfoProto &info) {
    return editType(value, place, info);
  };
  llvm::Expected<ModelExporter> exporter =
      ModelExporter::create(model, std::move(rest));
  if (!exporter)
    return exporter.takeError();
  warnOfLosses();
  if (llvm::Error error = checkDeclaredTypes())
    return error;
  report.bytesAfter = exporter->outputBytes();
  report.isChanged = exporter->changesAnything();
  if (writesNothing())
    return llvm::Error::success();
  llvm::Expected<WrittenModel> model =
      output.result ? exporter->writeInMemory(&pool, progress())
                    : exporter->writeUnnamed(output.path, &pool, progress());
  if (!model)
    return model.takeError();
  written.emplace(std::move(*model));
  endStep("write");
  return llvm::Error::success();
}
