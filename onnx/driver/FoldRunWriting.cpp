//===- FoldRunWriting.cpp - One run of foldModel: writing -----------------===//

#include "onnxfold/onnx/driver/compare/internal/Verification.h"
#include "onnxfold/onnx/driver/compare/internal/VerifyInputs.h"
#include "onnxfold/onnx/driver/emit/internal/TextFile.h"
#include "onnxfold/onnx/driver/internal/FoldRun.h"
#include "onnxfold/onnx/driver/prepare/internal/CutModel.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/OutputSet.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/rewrite/CarriedAnnotations.h"
#include "onnxfold/onnx/verify/NodeNumbers.h"
#include "onnxfold/onnx/verify/Verify.h"
#include "mlir/Support/DebugStringHelper.h"
#include "onnx/onnx_pb.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace onnxfold;
using namespace mlir;

/// Writes the result, or notes whether it would be another model.
llvm::Error FoldRun::emit() {
  if (options.format == OutputFormat::Mlir && !writesNothing()) {
    report.isChanged = true;
    if (llvm::Error error = emitMlir())
      return error;
    endStep("write");
    return llvm::Error::success();
  }
  if (runOnce)
    return emitSplit();
  llvm::Expected<ModelExporter> exporter =
      ModelExporter::create(model, exportOptions());
  if (!exporter)
    return exporter.takeError();
  warnOfLosses();
  // Inlining may have shown more.
  if (llvm::Error error = checkDeclaredTypes())
    return error;
  report.bytesAfter = exporter->outputBytes();
  report.isChanged = isConverted || exporter->changesAnything();
  bool isVerified = options.verifyTrials != 0 && !writesNothing();
  if (isDone(*exporter))
    return isVerified ? verifyResult(*model.module) : llvm::Error::success();
  if (!writesNothing()) {
    if (llvm::Error error = checkSharedData(*exporter))
      return error;
    if (llvm::Error error = checkReportFile(*exporter))
      return error;
    if (llvm::Error error = writeModel(*exporter))
      return error;
  }
  noteUnusedData(*exporter);
  endStep("write");
  if (!isVerified)
    return llvm::Error::success();
  return verifyWritten(*written);
}

/// The file of --in-place is what would be written.
bool FoldRun::isDone(const ModelExporter &exporter) const {
  return options.inPlace && placement() == DataPlacement::Keep &&
         !isConverted && !exporter.changesAnything();
}

/// One line for all: models of some exporters have texts at every node.
void FoldRun::warnOfLosses() {
  if (!firstLostText.empty())
    warn(inputName + ": " + llvm::Twine(lostTexts.size()) +
         (lostTexts.size() == 1 ? " node stands" : " nodes stand") +
         " for several nodes, and " + (lostTexts.size() == 1 ? "has" : "have") +
         " only the texts that all of these have; lost is " + firstLostText);
  for (const std::string &name : lostParameters)
    warn(
        inputName + ": initializer '" + printableName(name) +
        "', which no node reads any more, is removed although a "
        "quantization_annotation names it: before IR version 4 runtimes refuse "
        "an initializer that is neither read nor an input");
}

/// Other models may need the files: nobody but the user knows.
void FoldRun::noteUnusedData(const ModelExporter &exporter) {
  if (!options.inPlace || writesNothing())
    return;
  std::vector<std::string> made = exporter.dataFiles();
  llvm::append_range(made, written->removedData());
  for (const auto &[location, data] : model.external->files()) {
    llvm::SmallString<128> path(model.external->modelFolder());
    llvm::sys::path::append(path, location);
    if (!exporter.isNeeded(location) && !llvm::is_contained(made, location) &&
        llvm::sys::fs::exists(path))
      warn(inputName + ": does not refer to its data file '" +
           printableName(location) + "' any more");
  }
}

/// As protobuf writes it: {"location": ...}, of names below 128 bytes.
static std::string referenceTo(StringRef location) {
  return ("\n\x08location\x12" + llvm::Twine(char(location.size())) + location)
      .str();
}

/// Another model of the folder that refers to the data file.
static std::optional<std::string> otherReader(StringRef folder, StringRef model,
                                              StringRef location) {
  std::string reference = referenceTo(location);
  std::error_code code;
  for (llvm::sys::fs::directory_iterator entry(folder, code), end;
       !code && entry != end; entry.increment(code)) {
    if (!StringRef(entry->path()).ends_with(".onnx") ||
        llvm::sys::fs::equivalent(entry->path(), model))
      continue;
    // Volatile: read and not mapped, so that nobody can cut it under us.
    auto bytes = llvm::MemoryBuffer::getFile(entry->path(), /*IsText=*/false,
                                             /*RequiresNullTerminator=*/false,
                                             /*IsVolatile=*/true);
    if (bytes && (*bytes)->getBuffer().contains(reference))
      return llvm::sys::path::filename(entry->path()).str();
  }
  return std::nullopt;
}

/// --in-place: data files that are replaced, or deleted as parts of them, must
/// not be those of other models, whose tensors would become others.
llvm::Error FoldRun::checkSharedData(const ModelExporter &exporter) const {
  if (!options.inPlace)
    return llvm::Error::success();
  std::vector<std::string> replaced = exporter.dataFiles();
  if (replaced.empty())
    return llvm::Error::success();
  for (const auto &[location, data] : model.external->files())
    if (StringRef(location).starts_with(dataFile() + "_"))
      replaced.push_back(location);
  std::string folder(model.external->modelFolder());
  for (const std::string &location : replaced) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, location);
    if (!llvm::sys::fs::exists(path))
      continue;
    if (std::optional<std::string> other =
            otherReader(folder, output.path, location))
      return ModelFault()
          .file(inputName)
          .says("its data file '" + printableName(location) + "'")
          .is("that of " + printableName(*other) + " too")
          .expected("a name for another (--external-data=FILE)");
  }
  return llvm::Error::success();
}

/// Text of the IR instead of a model.
llvm::Error FoldRun::emitMlir() {
  if (output.result) {
    llvm::raw_string_ostream out(textInMemory.emplace());
    model.module->print(out);
    report.bytesAfter = textInMemory->size();
    return llvm::Error::success();
  }
  auto opened = OutputFile::create(output.path, model.inputFiles());
  if (!opened)
    return opened.takeError();
  writtenText = std::move(*opened);
  if (writtenText->isStream()) {
    textStream = std::move(writtenText);
    auto held = OutputFile::createUnnamed(textStream->name());
    if (!held)
      return held.takeError();
    writtenText = std::move(*held);
  }
  TextFile out(*writtenText);
  model.module->print(out);
  report.bytesAfter = out.tell();
  return out.finish();
}

/// Relative to the folder of the output.
std::string FoldRun::dataFile() const {
  if (!options.dataFile.empty() || !isFile())
    return options.dataFile;
  return dataFileOf(output.path);
}

/// "model.onnx.data"; "model.onnx_data" if the input's are called that, as the
/// exporters of model hubs do it.
std::string FoldRun::dataFileOf(StringRef path) const {
  bool isHub = llvm::any_of(model.external->files(), [](const auto &entry) {
    return StringRef(entry.first).contains(".onnx_data");
  });
  return (llvm::sys::path::filename(path) + (isHub ? "_data" : ".data")).str();
}

/// An output beside the input shares its data files, but not those that only
/// links of the input lead to: readers would refuse them.
DataPlacement FoldRun::placement() const {
  bool isBesideInput = isFile() && output.path != "-" &&
                       llvm::sys::fs::equivalent(folderOfModel(output.path),
                                                 model.external->modelFolder());
  if (options.placement == DataPlacement::Keep && isBesideInput &&
      model.external->hasFilesElsewhere())
    return DataPlacement::External;
  return options.placement;
}

ExportOptions FoldRun::exportOptions() const {
  const RewriteSession &session = folding->cleanUp().session();
  ExportOptions result;
  result.metadata = {growth.metadata()};
  result.mergesEqual = options.level >= 1; // it renames inputs
  result.removesUnused = removesUnused() || cut;
  result.changesInterface = cut.has_value();
  result.bound = model.bound;
  result.isRewired = [&](Operation *op) {
    return session.isRewired(op) || (cut && cut->isRenamed(op));
  };
  result.nameInFile = [&](Operation *op) { return session.nameInFile(op); };
  result.origin = [&](Operation *op) { return session.moved().origin(op); };
  result.sourceOf = [&](Operation *op) {
    return session.copySources().find(op);
  };
  if (session.copySources().hasParts()) {
    result.partsOf = [&](Operation *op) {
      return session.copySources().partsOf(op);
    };
    result.noteLostText = [&](Operation *op, StringRef field) {
      if (lostTexts.insert(op).second && firstLostText.empty())
        firstLostText = (field + " of " + nodeText(op)).str();
    };
  }
  result.noteLostParameter = [&](StringRef name) {
    lostParameters.insert(name.str());
  };
  if (editsTypes() || cut)
    result.editType = [&](Value value, TypePlace place,
                          onnx::ValueInfoProto &info) {
      return editType(value, place, info);
    };
  result.writesNewTypes = options.shapes || session.copySources().hasUnknown();
  result.placement = placement();
  result.dataFile = dataFile();
  result.dataLayout = options.dataLayout;
  result.replacesInput = options.inPlace;
  result.sync = options.sync;
  if (output.path == "-")
    result.streamFolder = options.streamFolder;
  return result;
}

/// What an input or output that the model did not have says of its type: what
/// the file says of the value, then what was inferred.
TypeEdit FoldRun::fillInterface(Value value, onnx::ValueInfoProto &info) const {
  onnx::TypeProto &type = *info.mutable_type();
  auto find = [&](const std::vector<CutValue> &values) {
    for (const CutValue &known : values)
      if (known.isNew && known.name == info.name() &&
          type.value_case() == onnx::TypeProto::VALUE_NOT_SET &&
          toTypeProto(known.type, type) && !known.dimensions.empty())
        setDimensionNames(llvm::to_vector_of<StringRef>(known.dimensions),
                          type);
  };
  if (cut) {
    find(cut->inputs);
    find(cut->outputs);
  }
  if (types.contradicts(value, type))
    type.Clear();
  if (type.value_case() == onnx::TypeProto::VALUE_NOT_SET)
    return types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  types.refine(value, type);
  return TypeEdit::Write;
}

/// The shape that a loop's body states is what its result has if there is no
/// iteration.
static bool isOfLoop(Value value) {
  Operator owner = Operator::from(value.getParentBlock()->getParentOp());
  return owner && !owner.is("If");
}

/// An output without an element type or a shape gets what is known. One that
/// states both is the author's.
bool FoldRun::completes(Value value, onnx::TypeProto &type) const {
  bool isStated = type.has_tensor_type()
                      ? type.tensor_type().elem_type() != 0 &&
                            type.tensor_type().has_shape()
                      : type.value_case() != onnx::TypeProto::VALUE_NOT_SET;
  return !isStated && !isOfLoop(value) && !types.contradicts(value, type) &&
         types.refine(value, type);
}

/// What the output says of a type: the inferred one where the model is wrong or
/// says less. Outputs of the graph only follow inputs that the user fixed.
TypeEdit FoldRun::editType(Value value, TypePlace place,
                           onnx::ValueInfoProto &info) const {
  onnx::TypeProto &type = *info.mutable_type();
  if (place == TypePlace::NewInterface)
    return fillInterface(value, info);
  if (!editsTypes())
    return TypeEdit::Keep;
  // What a custom operator gives nobody can infer.
  if (place == TypePlace::New && !options.shapes &&
      !folding->cleanUp().session().copySources().isUnknown(
          value.getDefiningOp()))
    return TypeEdit::Keep;
  if (place == TypePlace::New)
    return types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  if (place == TypePlace::BodyOutput ||
      (place == TypePlace::Output && options.fixed.empty()))
    return options.shapes && completes(value, type) ? TypeEdit::Write
                                                    : TypeEdit::Keep;
  if (place == TypePlace::ValueInfo && types.isProtected(value))
    return TypeEdit::Keep;
  // A constant says its type itself.
  if (isa_and_nonnull<OnnxConstantOp>(value.getDefiningOp()) &&
      (options.isFiltered() || !types.contradicts(value, type)))
    return TypeEdit::Keep;
  if (types.contradicts(value, type)) {
    Type declared = fromTypeProto(type, value.getContext());
    lateConflicts.push_back(
        {info.name(), debugString(declared), debugString(types.typeOf(value))});
    if (place == TypePlace::ValueInfo && !options.shapes)
      return TypeEdit::Remove;
    type.Clear();
    return types.fill(value, type) ? TypeEdit::Write : TypeEdit::Keep;
  }
  return types.refine(value, type) ? TypeEdit::Write : TypeEdit::Keep;
}

/// Tells the caller, who may have no more of it.
WriteProgress FoldRun::progress() {
  if (!callbacks.wrote && !callbacks.isCancelled)
    return {};
  return [this](uint64_t bytes, uint64_t total) {
    if (callbacks.wrote)
      callbacks.wrote(bytes, total);
    return !isCancelled();
  };
}

llvm::Error FoldRun::checkReportFile(const ModelExporter &exporter) const {
  std::string report = folderOfModel(options.reportFile) + "/" +
                       llvm::sys::path::filename(options.reportFile).str();
  for (const std::string &file : exporter.dataFiles())
    if (report == folderOfModel(output.path) + "/" + file)
      return ModelFault()
          .file(options.reportFile)
          .is("the data file of the output too")
          .expected("another file for the report");
  return llvm::Error::success();
}

llvm::Error FoldRun::writeModel(ModelExporter &exporter) {
  llvm::Expected<WrittenModel> result =
      output.result ? exporter.writeInMemory(&pool, progress())
                    : exporter.writeUnnamed(output.path, &pool, progress(),
                                            holdsStream());
  if (!result)
    return result.takeError();
  written.emplace(std::move(*result));
  return llvm::Error::success();
}

/// What a reader of the output will find is compared, not what was meant to be
/// written.
llvm::Error FoldRun::verifyWritten(const WrittenModel &written) {
  llvm::Expected<ImportedModel> result = written.read(context);
  if (!result)
    return inContext("the result cannot be read back, nothing is written",
                     result.takeError());
  takeNodeNumbers(*result->module, *model.module);
  return verifyResult(*result->module);
}

/// Reads the model once more, as it was, for a comparison with `result`.
llvm::Error FoldRun::verifyResult(ModuleOp result) {
  llvm::Expected<ImportedModel> original = import();
  if (!original)
    return original.takeError();
  if (cut)
    if (llvm::Error error =
            cutModel(*original, options.cut, options.limits, &*cut).takeError())
      return error;
  if (llvm::Error error = options.fixed.applyTo(*original->module))
    return error;
  VerifyOptions verifyOptions = verifyOptionsOf(options, callbacks);
  if (!options.verifyInputs.empty()) {
    auto given = readVerifyInputs(options.verifyInputs, *original->module,
                                  options.fixed.bound());
    if (!given)
      return given.takeError();
    verifyOptions.inputs = std::move(*given);
  }
  if (callbacks.isCancelled)
    verifyOptions.isCancelled = [this] { return isCancelled(); };
  report.verification = verify(*original->module, result, verifyOptions);
  if (llvm::Error error = checkCancelled())
    return error;
  endStep("verify");
  if (callbacks.verified)
    callbacks.verified(*report.verification);
  return llvm::Error::success();
}

/// Reports of all kinds. A file has no name yet after this.
llvm::Error FoldRun::writeReport() {
  if (reportFile && options.report != ReportFormat::None) {
    TextFile out(*reportFile);
    report.print(out, options.report);
    if (llvm::Error error = out.finish())
      return error;
  }
  if (callbacks.complete && !isRejected())
    return callbacks.complete();
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// The end of a run
//===----------------------------------------------------------------------===//

/// The report alone.
llvm::Error FoldRun::commitReport() {
  OutputSet set;
  if (reportFile && !reportFile->isStream())
    set.others.push_back(reportFile.get());
  return commitTogether(set);
}

/// Of a result in memory, which the caller gets when nothing can fail any more.
llvm::Error FoldRun::takeBytes() {
  std::string onceBytes;
  if (writtenOnce && output.once) {
    llvm::Expected<std::string> bytes = writtenOnce->bytes();
    if (!bytes)
      return bytes.takeError();
    onceBytes = std::move(*bytes);
  }
  if (written) {
    llvm::Expected<std::string> bytes = written->bytes();
    if (!bytes)
      return bytes.takeError();
    textInMemory = std::move(*bytes);
  }
  if (llvm::Error error = commitReport())
    return error;
  if (textInMemory)
    *output.result = std::move(*textInMemory);
  if (writtenOnce && output.once)
    *output.once = std::move(onceBytes);
  return llvm::Error::success();
}

llvm::Error FoldRun::sendText() {
  llvm::Expected<InputFileRef> held = writtenText->read();
  if (!held)
    return held.takeError();
  if (llvm::Error error = textStream->copy(**held, {0, (*held)->size()}, 0))
    return error;
  return textStream->commit();
}

/// Gives all that was written its name, or the caller the bytes.
llvm::Error FoldRun::commit() {
  if (output.result)
    return takeBytes();
  OutputSet set;
  if (reportFile && !reportFile->isStream())
    set.others.push_back(reportFile.get());
  if (textStream)
    set.streams.push_back([this] { return sendText(); });
  else if (writtenText)
    set.models.push_back(writtenText.get());
  if (writtenOnce)
    writtenOnce->addTo(set);
  if (written)
    written->addTo(set);
  if (llvm::Error error = commitTogether(set))
    return error;
  llvm::Error unsynced =
      writtenOnce ? writtenOnce->finish() : llvm::Error::success();
  if (written)
    unsynced = llvm::joinErrors(std::move(unsynced), written->finish());
  return unsynced;
}
