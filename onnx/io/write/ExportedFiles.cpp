//===- ExportedFiles.cpp - The files of one export ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Which files an export writes beside the model, and whether it may.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/io/write/internal/ExportedFiles.h"
#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"
#include "onnxfold/onnx/io/read/TensorWalk.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/stat.h>

using namespace onnxfold;
using llvm::StringRef;

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
        .expected("another name in " + setting("external-data"));
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
                                    const DataUse &needed) {
  if (needed.contains(location))
    return ModelFault().file(path).says(
        "needs the data file '" + printableName(location) +
        "' of the input, which has tensors that cannot be moved; "
        "expected another name in " +
        setting("external-data"));
  llvm::SmallVector<FileIdentity> untouched(inputs);
  for (const auto &[other, file] : external.files())
    if (replacesInput && !needed.contains(other))
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
void ExportedFiles::findStaleParts(StringRef location, const DataUse &needed) {
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
        !needed.contains(name) && (replacesInput || !isInput))
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
  // The run holds the lock of the model.
  if (isNew && !model->isStream() && name != model->realTarget())
    held->second = TargetLock::acquire(target, [] {});
  return llvm::Error::success();
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
    llvm::Expected<bool> same = sameContent(
        *source, {0, source->size()}, **existing, {0, (*existing)->size()});
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
  auto wrote = [progress = std::move(progress), total](uint64_t bytes) {
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

/// The place at which a reader of the output will find the data that files
/// without names hold; all else is in its folder already.
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
