//===- ExportWriter.cpp - The files of a changed model --------------------===//
//
// Which files an export writes beside the model, and whether it may.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/io/Export.h"
#include "onnxfold/onnx/io/FileCopy.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/OutputFile.h"
#include "onnxfold/onnx/io/OutputSet.h"
#include "onnxfold/onnx/io/SystemCalls.h"
#include "onnxfold/onnx/io/TargetLock.h"
#include "onnxfold/onnx/io/TensorWalk.h"
#include "onnxfold/onnx/io/WireCheck.h"
#include "onnxfold/onnx/io/internal/NewFolders.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/stat.h>

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;

/// The files of one export until they get their names.
class onnxfold::ExportedFiles {
public:
  ExportedFiles(const ImportedModel &model, StringRef path,
                const ExportOptions &options)
      : path(path), folder(options.streamFolder.empty() ? folderOfModel(path)
                                                        : options.streamFolder),
        inputs(model.inputFiles()), own(model.index->file()->identity()),
        replacesInput(options.replacesInput), sync(options.sync),
        roots(model.external->extraRoots()) {}

  /// `holdsBack`: bytes for a stream are held back until commit().
  llvm::Error openModel(bool holdsBack);
  llvm::Error openInMemory();
  /// `isNeeded`: locations of the input that the output refers to.
  llvm::Error openData(StringRef location, const ExternalData &external,
                       const llvm::StringSet<> &isNeeded);
  /// Parts of the data of the model that is replaced which have no successor.
  void findStaleParts(StringRef location, const llvm::StringSet<> &isNeeded);
  /// Opens a copy of a data file under its own name, if there has to be one.
  llvm::Error openCopy(StringRef location, InputFileRef source);
  void tell(WriteProgress progress, uint64_t total);
  llvm::Error writeCopies();
  llvm::Expected<std::unique_ptr<ExternalData>> readData() const;
  void addTo(OutputSet &set);
  /// After all of the set have their names.
  llvm::Error finish();
  bool isStream() const { return stream || model->isStream(); }

  std::string path;
  std::string folder;
  llvm::SmallVector<FileIdentity> inputs;
  FileIdentity own; ///< of the input's model file
  bool replacesInput, sync;
  NewFolders folders; // before the files: they are removed first
  std::unique_ptr<OutputFile> model;
  struct Part {
    std::string location;
    std::unique_ptr<OutputFile> file;
  };
  std::vector<Part> parts;            ///< of new data
  std::unique_ptr<OutputFile> stream; ///< `model` is copied to it in the end
  struct Copy {
    std::unique_ptr<OutputFile> file;
    InputFileRef source;
  };
  std::vector<Copy> copies;
  std::vector<std::string> stale; ///< locations of data that finish() removes

private:
  llvm::Error sendHeldBack();

  llvm::ArrayRef<std::string> roots; ///< of the input's external data
  llvm::StringMap<TargetLock> locks; ///< of copies, by their real names
  llvm::StringMap<size_t> copied;    ///< by their real names
  llvm::StringMap<size_t> copiesAt;  ///< by location
  llvm::Error lock(StringRef target);
  llvm::Expected<std::unique_ptr<OutputFile>>
  open(StringRef location, llvm::ArrayRef<FileIdentity> untouched);
};

llvm::Error ExportedFiles::openModel(bool holdsBack) {
  llvm::SmallVector<FileIdentity> untouched(inputs);
  if (replacesInput)
    llvm::erase(untouched, own);
  auto file = OutputFile::create(path, untouched, sync);
  if (!file)
    return file.takeError();
  model = std::move(*file);
  if (!holdsBack || !model->isStream())
    return llvm::Error::success();
  stream = std::move(model);
  auto held = OutputFile::createUnnamed(stream->name());
  if (!held)
    return held.takeError();
  model = std::move(*held);
  return llvm::Error::success();
}

llvm::Error ExportedFiles::openInMemory() {
  auto file = OutputFile::createInMemory("<memory>");
  if (!file)
    return file.takeError();
  model = std::move(*file);
  return llvm::Error::success();
}

static std::string realPath(StringRef path) {
  llvm::SmallString<256> real;
  return llvm::sys::fs::real_path(path, real) ? std::string()
                                              : real.str().str();
}

/// A file beside the model that it refers to. Readers refuse what is not below
/// the model's folder, through links too.
llvm::Expected<std::unique_ptr<OutputFile>>
ExportedFiles::open(StringRef location,
                    llvm::ArrayRef<FileIdentity> untouched) {
  llvm::SmallString<128> target(folder);
  llvm::sys::path::append(target, location);
  if (llvm::Error error = folders.make(llvm::sys::path::parent_path(target)))
    return error;
  if (replacesInput && llvm::sys::fs::is_symlink_file(target))
    return ModelFault()
        .file(target)
        .is("a link to a file that others may use")
        .expected("another name in --external-data");
  if (llvm::sys::fs::exists(target) && !llvm::sys::fs::is_directory(target) &&
      !llvm::sys::fs::is_regular_file(target))
    return ModelFault()
        .file(target)
        .says("is not a regular file")
        .expected("one for external data");
  auto file = OutputFile::create(target, untouched, sync);
  if (!file)
    return file.takeError();
  std::string root = realPath(folder), name = (*file)->realTarget();
  StringRef parent = llvm::sys::path::parent_path(name);
  if (root != "/" && parent != root && !parent.starts_with(root + "/"))
    return ModelFault().file(target).is(
        "outside the output's folder, where external data has to be");
  if (name == model->realTarget())
    return ModelFault()
        .file(target)
        .is("the output's own name")
        .expected("another one for external data");
  return file;
}

llvm::Error ExportedFiles::openData(StringRef location,
                                    const ExternalData &external,
                                    const llvm::StringSet<> &isNeeded) {
  if (isNeeded.contains(location))
    return ModelFault().file(path).says(
        "needs the data file '" + printableName(location) +
        "' of the input, which has tensors that cannot be moved; "
        "expected another name in --external-data");
  llvm::SmallVector<FileIdentity> untouched(inputs);
  for (const auto &[other, file] : external.files())
    if (replacesInput && !isNeeded.contains(other))
      llvm::erase(untouched, file->identity());
  auto file = open(location, untouched);
  if (!file)
    return file.takeError();
  parts.push_back({location.str(), std::move(*file)});
  return llvm::Error::success();
}

/// The locations that a model file refers to; none if it cannot be read.
static llvm::StringSet<> locationsIn(StringRef path) {
  llvm::StringSet<> locations;
  auto note = [&](const TensorIndex &tensor, TensorPlace,
                  Subject) -> llvm::Error {
    if (tensor.external)
      locations.insert(tensor.external->location);
    return llvm::Error::success();
  };
  auto read = [&]() -> llvm::Error {
    if (!llvm::sys::fs::is_regular_file(path)) // a stream names nothing
      return llvm::Error::success();
    llvm::Expected<InputFileRef> file = InputFile::open(path);
    if (!file)
      return file.takeError();
    auto index = ModelIndex::build(*file);
    if (!index)
      return index.takeError();
    auto skip = [](const MessageSpan &) { return false; };
    TensorWalk walk(**index, skip, note);
    if (llvm::Error error = walk.initializers())
      return error;
    return walk.attributes();
  };
  if (llvm::Error error = read()) {
    llvm::consumeError(std::move(error));
    locations.clear();
  }
  return locations;
}

/// An earlier run with more parts. Only what the model that is replaced refers
/// to is known to be a part of it.
void ExportedFiles::findStaleParts(StringRef location,
                                   const llvm::StringSet<> &isNeeded) {
  std::optional<llvm::StringSet<>> referred;
  for (size_t number = parts.size();; ++number) {
    std::string name = dataPartName(location, number);
    llvm::SmallString<128> target(folder);
    llvm::sys::path::append(target, name);
    struct stat status;
    if (::lstat(target.c_str(), &status) != 0)
      return;
    if (!referred)
      referred = locationsIn(path);
    bool isInput =
        llvm::is_contained(inputs, FileIdentity{status.st_dev, status.st_ino});
    if (S_ISREG(status.st_mode) && referred->contains(name) &&
        !isNeeded.contains(name) && (replacesInput || !isInput))
      stale.push_back(name);
  }
}

/// Two runs that need data of one name take turns until both have looked at
/// what is there.
llvm::Error ExportedFiles::lock(StringRef target) {
  StringRef parent = llvm::sys::path::parent_path(target);
  if (llvm::Error error = folders.make(parent))
    return error;
  std::string name =
      llvm::sys::fs::exists(target)
          ? realPath(target)
          : realPath(parent) + "/" + llvm::sys::path::filename(target).str();
  auto [held, isNew] = locks.try_emplace(name);
  // That of the model is held by the run.
  if (isNew && !model->isStream() && name != model->realTarget())
    held->second = TargetLock::acquire(target, [] {});
  return llvm::Error::success();
}

/// True if both files have the same bytes. What is a hole in both is not read.
static llvm::Expected<bool> sameContent(const InputFile &a,
                                        const InputFile &b) {
  if (a.size() != b.size())
    return false;
  constexpr uint64_t block = 1 << 20;
  std::vector<char> x(block), y(block);
  bool holes = a.mayHaveHoles() && b.mayHaveHoles();
  for (uint64_t at = 0, count; at < a.size(); at += count) {
    if (holes)
      at = std::min(nextData(a, {at, a.size()}).begin,
                    nextData(b, {at, b.size()}).begin);
    count = std::min(block, a.size() - at);
    llvm::MutableArrayRef<char> xs(x.data(), count), ys(y.data(), count);
    if (llvm::Error error = a.read(at, xs))
      return error;
    if (llvm::Error error = b.read(at, ys))
      return error;
    if (xs != llvm::ArrayRef<char>(ys))
      return false;
  }
  return true;
}

/// Data files of an output in another folder stand beside it.
llvm::Error ExportedFiles::openCopy(StringRef location, InputFileRef source) {
  llvm::SmallString<128> target(folder);
  llvm::sys::path::append(target, location);
  if (llvm::Error error = lock(target))
    return error;
  if (llvm::sys::fs::exists(target)) {
    if (!llvm::sys::fs::is_regular_file(target))
      return ModelFault().file(target).says(
          "is not a regular file; the output needs external data of that "
          "name");
    llvm::Expected<InputFileRef> existing = InputFile::open(target);
    if (!existing)
      return existing.takeError();
    if ((*existing)->identity() == source->identity())
      return llvm::Error::success();
    llvm::Expected<bool> same = sameContent(*source, **existing);
    if (!same)
      return same.takeError();
    if (*same)
      return llvm::Error::success();
    return ModelFault().file(target).says(
        "is there with other content; the output needs external data of that "
        "name");
  }
  auto output = open(location, inputs);
  if (!output)
    return output.takeError();
  // Two spellings of one name are one file.
  auto [place, isNew] =
      copied.try_emplace((*output)->realTarget(), copies.size());
  if (isNew)
    copies.push_back({std::move(*output), std::move(source)});
  copiesAt[location] = place->second;
  return llvm::Error::success();
}

/// `total`: bytes of all files but the copies.
void ExportedFiles::tell(WriteProgress progress, uint64_t total) {
  if (!progress)
    return;
  for (const Copy &copy : copies)
    total += copy.source->size();
  auto wrote = [progress, total](uint64_t bytes) {
    return progress(bytes, total);
  };
  model->onProgress(wrote);
  for (const Part &part : parts)
    part.file->onProgress(wrote);
  for (const Copy &copy : copies)
    copy.file->onProgress(wrote);
}

llvm::Error ExportedFiles::writeCopies() {
  for (const Copy &copy : copies) {
    const InputFile &source = *copy.source;
    // A hole at the end is not written.
    if (llvm::Error error = copy.file->resize(source.size()))
      return error;
    if (!source.mayHaveHoles())
      copy.file->reserve({0, source.size()});
    if (llvm::Error error = copy.file->copy(source, {0, source.size()}, 0))
      return error;
    if (llvm::Error error = source.checkUnchanged())
      return error;
  }
  return llvm::Error::success();
}

/// Where a reader of the output will find the data that the files without names
/// hold; all else is in its folder already.
llvm::Expected<std::unique_ptr<ExternalData>> ExportedFiles::readData() const {
  auto external = std::make_unique<ExternalData>(folder, roots);
  auto give = [&](StringRef location, const OutputFile &file) -> llvm::Error {
    llvm::Expected<InputFileRef> written = file.read();
    if (!written)
      return written.takeError();
    external->give(location, std::move(*written));
    return llvm::Error::success();
  };
  for (const auto &entry : copiesAt)
    if (llvm::Error error = give(entry.first(), *copies[entry.second].file))
      return error;
  for (const Part &part : parts)
    if (llvm::Error error = give(part.location, *part.file))
      return error;
  return external;
}

llvm::Error ExportedFiles::sendHeldBack() {
  llvm::Expected<InputFileRef> held = model->read();
  if (!held)
    return held.takeError();
  if (llvm::Error error = stream->copy(**held, {0, (*held)->size()}, 0))
    return error;
  return stream->commit();
}

void ExportedFiles::addTo(OutputSet &set) {
  if (isStream()) {
    set.streams.push_back(
        [this] { return stream ? sendHeldBack() : model->commit(); });
    return;
  }
  for (const Copy &copy : copies)
    set.companions.push_back(copy.file.get());
  for (const Part &part : parts)
    set.companions.push_back(part.file.get());
  set.models.push_back(model.get());
}

llvm::Error ExportedFiles::finish() {
  // Nothing refers to them any more.
  for (const std::string &location : stale) {
    llvm::SmallString<128> target(folder);
    llvm::sys::path::append(target, location);
    systemCalls().unlink(target.c_str());
  }
  llvm::Error unsynced = sync ? folders.sync() : llvm::Error::success();
  folders.keep();
  return unsynced;
}

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
        "as output, or --inline-data");
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

/// Takes the data files that the output needs along to another folder. That one
/// of them cannot be had was no error when the model was read, if a caller may
/// give the value instead.
llvm::Error ModelExporter::openCopies(ExportedFiles &files) const {
  llvm::StringMap<InputFileRef> opened;
  for (const auto &[location, file] : model->external->files())
    opened[location] = file;
  std::vector<std::string> locations;
  for (const auto &entry : needed)
    locations.push_back(entry.first().str());
  llvm::sort(locations);
  for (const std::string &location : locations) {
    if (InputFileRef file = opened.lookup(location)) {
      if (llvm::Error error = files.openCopy(location, file))
        return error;
      continue;
    }
    ExternalReference start;
    start.location = location;
    llvm::Expected<ExternalRange> found =
        model->external->resolve(start, 0, readerOf(*model->index, location));
    if (!found)
      return found.takeError();
    if (llvm::Error error = files.openCopy(location, found->file))
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

/// What write() may be asked for, as far as that is known before any file is
/// looked at.
llvm::Error ModelExporter::checkTarget(StringRef path) const {
  const InputFileRef &input = model->index->file();
  if (layout.size > largestMessage && input->size() <= largestMessage)
    return ModelFault()
        .file(path)
        .says("would have " + Twine(layout.size) +
              " bytes, more than the 2 GB that protobuf allows")
        .says(options.placement == DataPlacement::Inline
                  ? "; use --external-data instead of --inline-data"
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
  const InputFileRef &input = model->index->file();
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
  return input->checkUnchanged();
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
