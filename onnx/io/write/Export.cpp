//===- Export.cpp - The changed model as a file ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/Export.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/GraphImport.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/write/BlockDiff.h"
#include "onnxfold/onnx/io/write/TensorMover.h"
#include "onnxfold/onnx/io/write/UnusedParts.h"
#include "onnxfold/onnx/io/write/internal/DataUse.h"
#include "onnxfold/onnx/io/write/internal/FieldStripper.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;

/// The field number of ModelProto.
static constexpr uint32_t modelMetadata = 14;

void onnxfold::setProvenance(Operation *op, StringRef text) {
  op->setLoc(FusedLoc::get({op->getLoc()},
                           StringAttr::get(op->getContext(), text),
                           op->getContext()));
}

StringRef onnxfold::provenanceOf(Operation *op) {
  auto location = dyn_cast<FusedLocWith<StringAttr>>(op->getLoc());
  return location ? location.getMetadata().getValue() : StringRef();
}

//===----------------------------------------------------------------------===//
// Exporter
//===----------------------------------------------------------------------===//

static void setMetadata(EditScript &script, const ModelIndex &index,
                        StringRef key, StringRef value) {
  Content entry = Content::literal(encodeEntryField(modelMetadata, key, value));
  bool isThere = false;
  for (const MetadataEntry &existing : index.metadata)
    if (existing.key == key) {
      if (!isThere)
        script.insertBefore(existing.span, std::move(entry));
      script.erase(existing.span);
      isThere = true;
    }
  if (!isThere)
    script.append(index.root(), std::move(entry));
}

/// The module or function may import domains now that it did not.
static void addOpsets(EditScript &script, ArrayRef<OpsetImport> imports,
                      const MessageSpan &parent, uint32_t field,
                      Operation *moduleOrFunction) {
  auto now = moduleOrFunction->getAttrOfType<ArrayAttr>(opsetImportsAttrName);
  OpsetVersions before = opsetVersions(imports);
  if (!now || now.size() <= imports.size())
    return;
  for (Attribute import : now) {
    auto opset = dyn_cast<OnnxOpsetAttr>(import);
    if (!opset || before.contains(canonicalDomain(opset.getDomain())))
      continue;
    onnx::OperatorSetIdProto added;
    added.set_domain(opset.getDomain().str());
    added.set_version(opset.getVersion());
    script.append(parent, Content::literal(encodeTextField(
                              field, added.SerializeAsString())));
  }
}

/// The module or function may import another opset of ai.onnx now. Otherwise its
/// imports are left as they are, also several that contradict each other.
static void setOpsets(EditScript &script, ArrayRef<OpsetImport> imports,
                      Operation *moduleOrFunction) {
  std::optional<int64_t> now = importedOpset(moduleOrFunction, "");
  OpsetVersions before = opsetVersions(imports);
  if (!now || before.lookup("") == *now)
    return;
  for (const OpsetImport &import : imports) {
    if (!canonicalDomain(import.domain).empty())
      continue;
    onnx::OperatorSetIdProto changed;
    if (!import.domain.empty())
      changed.set_domain(import.domain.str());
    changed.set_version(*now);
    script.replace(import.span, import.span.contents(),
                   Content::literal(changed.SerializeAsString()));
  }
}

/// The module may be of another IR version now.
static void setIrVersion(EditScript &script, const ModelIndex &index,
                         ModuleOp module) {
  std::optional<int64_t> now = irVersion(module);
  if (!now || now == index.irVersion)
    return;
  onnx::ModelProto changed;
  changed.set_ir_version(*now);
  for (ByteRange field : index.irVersionFields)
    script.erase(index.root(), field);
  script.insert(index.root(), index.root().contents().begin,
                Content::literal(changed.SerializePartialAsString()));
}

llvm::Error ModelExporter::diffModule(DataParts *newTensors) {
  const ModelIndex &index = *model->index;
  BlockDiff diff(*model, *script, options, newTensors, redirected, needed,
                 cleaned);
  // The importer makes the main graph first, then functions in their order.
  auto functions = model->module.get().getOps<func::FuncOp>().begin();
  if (llvm::Error error =
          diff.diffGraph(index.mainGraph(), (*functions).front()))
    return error;
  for (const FunctionIndex &function : index.functions)
    if (llvm::Error error = diff.diffFunction(function, (*++functions).front()))
      return error;
  setIrVersion(*script, index, model->module.get());
  constexpr uint32_t modelImport = 8, functionImport = 9;
  setOpsets(*script, index.opsetImports, model->module.get());
  addOpsets(*script, index.opsetImports, index.root(), modelImport,
            model->module.get());
  functions = model->module.get().getOps<func::FuncOp>().begin();
  for (const FunctionIndex &function : index.functions) {
    setOpsets(*script, function.opsetImports, *++functions);
    addOpsets(*script, function.opsetImports, *function.span, functionImport,
              *functions);
  }
  if (options.removesUnused)
    eraseUnusedParts(*model, *script, cleaned);
  for (const auto &[key, value] : options.metadata)
    setMetadata(*script, index, key, value);
  converted = diff.takeConverted();
  rewritten = diff.takeRewritten();
  WireReader reader(index.file());
  return FieldStripper(reader, options.cleaning.strip)
      .strip(*script, index.root(), cleaned);
}

/// Moves the tensors that the model has already, if that is asked for, and
/// notes what it still needs of data files.
llvm::Error ModelExporter::placeTensors(bool gathers) {
  bool moves = options.placement != DataPlacement::Keep;
  TensorMover mover(*model, *script, data.get());
  auto skip = [&](const MessageSpan &span) {
    return script->isErased(span) && !converted.contains(span.body);
  };
  auto visit = [&](const TensorIndex &tensor, TensorPlace place,
                   Subject subject) -> llvm::Error {
    if (rewritten.contains(tensor.span.body))
      return llvm::Error::success();
    llvm::Expected<bool> moved = false;
    bool isLent = mover.isLent(tensor);
    if (options.valuesInMemory)
      moved = mover.lend(tensor, place, subject, *options.valuesInMemory);
    else if (moves || isLent || (gathers && tensor.external))
      moved = mover.move(tensor, place, subject);
    if (!moved)
      return moved.takeError();
    if (!*moved && isLent)
      return ModelFault()
          .file(model->index->file()->name())
          .append(subject.fault())
          .says(": its value in memory cannot be written");
    if (!*moved && tensor.external)
      noteUse(needed, tensor);
    return llvm::Error::success();
  };
  TensorWalk walk(*model->index, skip, visit);
  if (llvm::Error error = walk.initializers())
    return error;
  // Tensors in attributes are opened when the model is read.
  if (!moves && model->external->files().empty() && !options.valuesInMemory &&
      model->external->valuesInMemory().empty())
    return llvm::Error::success();
  return walk.attributes();
}

/// `newTensorsOut`: new constants go to a new data file. `gathers`: so do the
/// tensors that are in data files of the input.
llvm::Error ModelExporter::build(bool newTensorsOut, bool gathers) {
  script = std::make_unique<EditScript>(model->index->file());
  needed.clear();
  cleaned = {};
  if (options.valuesInMemory)
    options.valuesInMemory->clear();
  data.reset();
  DataLayout form = options.dataLayout;
  form.isDense = gathers;
  if (newTensorsOut || gathers)
    data = std::make_unique<DataParts>(options.dataFile, form);
  if (llvm::Error error = diffModule(newTensorsOut ? data.get() : nullptr))
    return error;
  changed = !script->empty();
  if (llvm::Error error = placeTensors(gathers))
    return error;
  layout = script->layout();
  return llvm::Error::success();
}

llvm::Error ModelExporter::gather() {
  bool newTensorsOut = data != nullptr;
  uint64_t bytes = 0, used = 0;
  for (auto &entry : needed) {
    llvm::Expected<InputFileRef> file = dataFileAt(entry.first());
    if (!file)
      return file.takeError();
    llvm::Expected<uint64_t> part = bytesWithPadding(**file, entry.second);
    if (!part)
      return part.takeError();
    bytes += (*file)->size();
    used += *part;
  }
  if (!newTensorsOut && bytes <= used + used / 50)
    return llvm::Error::success();
  if (llvm::Error error = build(newTensorsOut, /*gathers=*/true))
    return error;
  if (!newTensorsOut && layout.size > largestMessage)
    if (llvm::Error error = build(/*newTensorsOut=*/true, /*gathers=*/true))
      return error;
  // Copies hold what cannot be moved, and all else too.
  return needed.empty() ? llvm::Error::success() : build(newTensorsOut);
}

llvm::Expected<ModelExporter> ModelExporter::create(const ImportedModel &model,
                                                    ExportOptions options) {
  if (options.dataFile.empty())
    options.dataFile = "model.onnx.data";
  ModelExporter exporter(model, std::move(options));
  DataPlacement placement = exporter.options.placement;
  if (llvm::Error error = exporter.build(placement == DataPlacement::External))
    return error;
  if (placement == DataPlacement::Keep && exporter.layout.size > largestMessage)
    if (llvm::Error error = exporter.build(/*newTensorsOut=*/true))
      return error;
  if (placement == DataPlacement::Keep && exporter.options.gathersData &&
      !exporter.needed.empty())
    if (llvm::Error error = exporter.gather())
      return error;
  return exporter;
}

std::vector<std::string> ModelExporter::dataFiles() const {
  std::vector<std::string> files;
  if (data)
    for (const DataFile &file : data->files())
      files.push_back(file.location().str());
  return files;
}

std::vector<std::pair<std::string, uint64_t>> ModelExporter::dataUse() const {
  std::vector<std::pair<std::string, uint64_t>> files;
  for (const auto &entry : needed)
    files.emplace_back(entry.first().str(), usedBytes(entry.second));
  llvm::sort(files);
  return files;
}
