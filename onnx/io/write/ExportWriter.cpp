//===- ExportWriter.cpp - The files of a changed model --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/wire/WireCheck.h"
#include "onnxfold/onnx/io/write/Export.h"
#include "onnxfold/onnx/io/write/internal/ExportedFiles.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/Support/FileSystem.h"

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;

/// Streams have no folder for data files.
llvm::Error ModelExporter::checkStream(StringRef name) const {
  if (hasNewData())
    return ModelFault().file(name).says(
        "would need external data (" + Twine(data->size()) +
        " bytes), which standard output and devices cannot have; expected a "
        "file as output");
  if (!needed.empty() && options.streamFolder.empty())
    return ModelFault().file(name).says(
        "the model needs external data ('" +
        printableName(needed.begin()->first()) +
        "'), which standard output and devices cannot have; expected a file "
        "as output, or " +
        setting("inline-data"));
  return llvm::Error::success();
}

/// For messages: "model.onnx: initializer 'w'", which refers to the data file.
static ModelFault readerOf(const ModelIndex &index, StringRef location) {
  ModelFault file = ModelFault().file(index.file()->name());
  for (const GraphIndex &graph : index.graphs) {
    auto refers = [&](const TensorIndex &tensor) {
      return tensor.external && tensor.external->location == location;
    };
    for (const TensorIndex &tensor : graph.initializers)
      if (refers(tensor))
        return std::move(file).initializer(tensor.name);
    for (const SparseTensorIndex &tensor : graph.sparseInitializers)
      if (refers(tensor.values) || refers(tensor.indices))
        return std::move(file).says("sparse").initializer(tensor.values.name);
  }
  return file;
}

/// A data file of the input. That it cannot be had was no error when the model
/// was read, if a caller may give the value instead.
llvm::Expected<InputFileRef>
ModelExporter::dataFileAt(StringRef location) const {
  ExternalReference start;
  start.location = location;
  auto reader = [&] { return readerOf(*model->index, location); };
  llvm::Expected<ExternalRange> found =
      model->external->resolve(start, 0, Subject(reader));
  if (!found)
    return found.takeError();
  return found->file;
}

/// Takes the data files that the output needs along to another folder.
llvm::Error ModelExporter::openCopies(ExportedFiles &files) const {
  std::vector<std::string> locations;
  for (const auto &entry : needed)
    locations.push_back(entry.first().str());
  llvm::sort(locations);
  for (const std::string &location : locations) {
    llvm::Expected<InputFileRef> file = dataFileAt(location);
    if (!file)
      return file.takeError();
    if (llvm::Error error = files.openCopy(location, *file))
      return error;
  }
  return llvm::Error::success();
}

static const std::deque<DataFile> &dataOf(const DataParts *data) {
  static const std::deque<DataFile> none;
  return data ? data->files() : none;
}

llvm::Error ModelExporter::openData(ExportedFiles &files) const {
  for (const DataFile &file : dataOf(data.get()))
    if (llvm::Error error =
            files.openData(file.location(), *model->external, needed))
      return error;
  if (hasNewData())
    files.findStaleParts(options.dataFile, needed);
  return llvm::Error::success();
}

/// Refuses what write() must not be asked for, before any file is looked
/// at.
llvm::Error ModelExporter::checkTarget(StringRef path) const {
  const InputFileRef &input = model->index->file();
  if (layout.size > largestMessage && input->size() <= largestMessage)
    return ModelFault()
        .file(path)
        .says("would have " + Twine(layout.size) +
              " bytes, more than the 2 GB that protobuf allows")
        .says(options.placement == DataPlacement::Inline
                  ? "; use " + setting("external-data") + " instead of " +
                        setting("inline-data")
                  : "");
  return path == "-" ? checkStream("<stdout>") : llvm::Error::success();
}

/// Graphs in graphs so deep that the output might exceed protobuf's limit: each
/// is three messages deeper, and the types in the last one are a dozen.
static constexpr unsigned deepGraphs =
    (WireCursor::maxDepth - deepestType) / 3 - 1;

/// Whether a region of the operation holds others that are nested so deeply.
static bool isDeeper(mlir::Operation *op, unsigned levels) {
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &inner : region.getOps())
      if (inner.getNumRegions() != 0 &&
          (levels == 0 || isDeeper(&inner, levels - 1)))
        return true;
  return false;
}

static bool isDeep(const ImportedModel &model) {
  return llvm::any_of(model.module.get().getOps(), [](mlir::Operation &op) {
    return isDeeper(&op, deepGraphs);
  });
}

/// Inlined functions may nest graphs more deeply than the input did.
static llvm::Error checkDepth(const OutputFile &model) {
  llvm::Expected<InputFileRef> file = model.read();
  if (!file)
    return file.takeError();
  WireReader reader(*file);
  checkWire(reader, {0, (*file)->size()});
  return reader.takeError();
}

llvm::Error ModelExporter::writeFiles(ExportedFiles &files,
                                      llvm::ThreadPoolInterface *pool,
                                      WriteProgress progress) {
  if (files.isStream())
    if (llvm::Error error = checkStream(files.model->name()))
      return error;
  if (!llvm::sys::fs::equivalent(files.folder, model->external->modelFolder()))
    if (llvm::Error error = openCopies(files))
      return error;
  if (llvm::Error error = openData(files))
    return error;
  files.tell(std::move(progress), outputBytes() + dataBytes());
  if (llvm::Error error = files.writeCopies())
    return error;
  for (const auto &[part, file] : llvm::zip(files.parts, dataOf(data.get())))
    if (llvm::Error error = file.write(*part.file, pool))
      return error;
  if (llvm::Error error = script->write(*files.model, layout, pool))
    return error;
  if (isDeep(*model))
    if (llvm::Error error = checkDepth(*files.model))
      return error;
  return model->checkUnchanged();
}

llvm::Error ModelExporter::write(StringRef path,
                                 llvm::ThreadPoolInterface *pool,
                                 WriteProgress progress) {
  llvm::Expected<WrittenModel> written = writeUnnamed(
      path, pool, std::move(progress), /*holdsStream=*/isDeep(*model));
  return written ? written->commit() : written.takeError();
}

llvm::Expected<WrittenModel>
ModelExporter::writeUnnamed(StringRef path, llvm::ThreadPoolInterface *pool,
                            WriteProgress progress, bool holdsStream) {
  if (llvm::Error error = checkTarget(path))
    return error;
  WrittenModel written(std::make_unique<ExportedFiles>(*model, path, options));
  if (llvm::Error error = written.files->openModel(holdsStream))
    return error;
  if (llvm::Error error = writeFiles(*written.files, pool, std::move(progress)))
    return error;
  return written;
}

llvm::Expected<WrittenModel>
ModelExporter::writeInMemory(llvm::ThreadPoolInterface *pool,
                             WriteProgress progress) {
  StringRef name = "<memory>";
  if (llvm::Error error = checkTarget(name))
    return error;
  if (llvm::Error error = checkStream(name))
    return error;
  WrittenModel written(std::make_unique<ExportedFiles>(
      *model, model->index->file()->name(), options));
  if (llvm::Error error = written.files->openInMemory())
    return error;
  if (llvm::Error error = writeFiles(*written.files, pool, std::move(progress)))
    return error;
  return written;
}

WrittenModel::WrittenModel(std::unique_ptr<ExportedFiles> files)
    : files(std::move(files)) {}
WrittenModel::WrittenModel(WrittenModel &&) noexcept = default;
WrittenModel &WrittenModel::operator=(WrittenModel &&) noexcept = default;
WrittenModel::~WrittenModel() = default;

llvm::Expected<ImportedModel>
WrittenModel::read(mlir::MLIRContext &context) const {
  auto file = files->model->read();
  if (!file)
    return file.takeError();
  auto external = files->readData();
  if (!external)
    return external.takeError();
  return importModel(std::move(*file), context, std::move(*external),
                     /*locations=*/false);
}

std::vector<std::string> WrittenModel::removedData() const {
  return files->stale;
}

void WrittenModel::addTo(OutputSet &set) { files->addTo(set); }

llvm::Error WrittenModel::finish() { return files->finish(); }

llvm::Error WrittenModel::commit() {
  OutputSet set;
  addTo(set);
  if (llvm::Error error = commitTogether(set))
    return error;
  return finish();
}

llvm::Expected<std::string> WrittenModel::bytes() const {
  auto file = files->model->read();
  if (!file)
    return file.takeError();
  std::string bytes((*file)->size(), '\0');
  if (llvm::Error error = (*file)->read(0, {bytes.data(), bytes.size()}))
    return error;
  return bytes;
}
