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
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace onnxfold;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// Folders that are made for data files, and go again if nothing comes of it.
class NewFolders {
public:
  ~NewFolders() {
    for (const std::string &folder : llvm::reverse(made))
      ::rmdir(folder.c_str()); // fails where somebody put something
  }
  llvm::Error make(StringRef folder) {
    if (folder.empty() || llvm::sys::fs::exists(folder))
      return llvm::Error::success();
    if (llvm::Error error = make(llvm::sys::path::parent_path(folder)))
      return error;
    if (std::error_code code = llvm::sys::fs::create_directory(folder))
      return makeSystemError(folder, "cannot be made", code.value());
    made.push_back(folder.str());
    return llvm::Error::success();
  }
  void keep() { made.clear(); }

private:
  std::vector<std::string> made;
};

} // namespace

/// The files of one export until they get their names.
class onnxfold::ExportedFiles {
public:
  ExportedFiles(const ImportedModel &model, StringRef path)
      : path(path), folder(folderOfModel(path)), inputs(model.inputFiles()) {}

  llvm::Error openModel();
  llvm::Error openData(StringRef location);
  llvm::Error copyDataFile(StringRef location, const InputFile &source);
  llvm::Error commit();

  StringRef path;
  std::string folder;
  llvm::SmallVector<FileIdentity> inputs;
  NewFolders folders; // before the files: they go first
  std::unique_ptr<OutputFile> model, data;
  std::vector<std::unique_ptr<OutputFile>> copies;

private:
  llvm::Expected<std::unique_ptr<OutputFile>> open(StringRef location);
};

llvm::Error ExportedFiles::openModel() {
  auto file = OutputFile::create(path, inputs);
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
ExportedFiles::open(StringRef location) {
  llvm::SmallString<128> target(folder);
  llvm::sys::path::append(target, location);
  if (llvm::Error error = folders.make(llvm::sys::path::parent_path(target)))
    return error;
  auto file = OutputFile::create(target, inputs);
  if (!file)
    return file.takeError();
  if ((*file)->isStream())
    return makeError(target + ": is no regular file, expected one for "
                              "external data");
  std::string root = realPath(folder);
  std::string parent =
      realPath(llvm::sys::path::parent_path((*file)->targetPath()));
  if (root != "/" && parent != root &&
      !StringRef(parent).starts_with(root + "/"))
    return makeError(target + ": is outside the output's folder, where "
                              "external data has to be");
  std::string name =
      parent + "/" + llvm::sys::path::filename((*file)->targetPath()).str();
  StringRef modelTarget = model->targetPath();
  if (name == realPath(llvm::sys::path::parent_path(modelTarget)) + "/" +
                  llvm::sys::path::filename(modelTarget).str())
    return makeError(target + ": is the output's own name, expected another "
                              "one for external data");
  return file;
}

llvm::Error ExportedFiles::openData(StringRef location) {
  auto file = open(location);
  if (!file)
    return file.takeError();
  data = std::move(*file);
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

/// Puts a data file beside an output in another folder, under its own name.
llvm::Error ExportedFiles::copyDataFile(StringRef location,
                                        const InputFile &source) {
  llvm::SmallString<128> target(folder);
  llvm::sys::path::append(target, location);
  if (llvm::sys::fs::exists(target)) {
    llvm::Expected<InputFileRef> existing = InputFile::open(target);
    if (!existing)
      return existing.takeError();
    if ((*existing)->identity() == source.identity())
      return llvm::Error::success();
    llvm::Expected<bool> same = sameContent(source, **existing);
    if (!same)
      return same.takeError();
    if (*same)
      return llvm::Error::success();
    return makeError(target + ": is there with other content; the output "
                              "needs external data of that name");
  }
  auto output = open(location);
  if (!output)
    return output.takeError();
  // Two spellings of one name.
  for (const std::unique_ptr<OutputFile> &copy : copies)
    if (realPath(llvm::sys::path::parent_path(copy->targetPath())) ==
            realPath(llvm::sys::path::parent_path((*output)->targetPath())) &&
        llvm::sys::path::filename(copy->targetPath()) ==
            llvm::sys::path::filename((*output)->targetPath()))
      return llvm::Error::success();
  // A hole at the end is not written.
  if (llvm::Error error = (*output)->resize(source.size()))
    return error;
  if (llvm::Error error = (*output)->copy(source, {0, source.size()}, 0))
    return error;
  copies.push_back(std::move(*output));
  return source.checkUnchanged();
}

llvm::Error ExportedFiles::commit() {
  llvm::SmallVector<OutputFile *> companions;
  for (const std::unique_ptr<OutputFile> &copy : copies)
    companions.push_back(copy.get());
  if (data)
    companions.push_back(data.get());
  if (llvm::Error error = commitTogether(companions, *model))
    return error;
  folders.keep();
  return llvm::Error::success();
}

/// Streams have no folder for data files.
llvm::Error ModelExporter::checkStream(StringRef name) const {
  if (hasNewData())
    return makeError(name + ": would need external data (" +
                     Twine(data->size()) +
                     " bytes), which standard output and devices cannot have; "
                     "expected a file as output");
  if (!needed.empty())
    return makeError(name + ": the model needs external data ('" +
                     printableName(needed.begin()->first()) +
                     "'), which standard output and devices cannot have; "
                     "expected a file as output, or --inline-data");
  return llvm::Error::success();
}

/// Takes the data files that the output needs along to another folder. That one
/// of them cannot be had was no error when the model was read, if a caller may
/// give the value instead.
llvm::Error ModelExporter::copyDataFiles(ExportedFiles &files) const {
  llvm::StringMap<InputFileRef> opened;
  for (const auto &[location, file] : model->external->files())
    opened[location] = file;
  std::vector<std::string> locations;
  for (const auto &entry : needed)
    locations.push_back(entry.first().str());
  llvm::sort(locations);
  for (const std::string &location : locations) {
    if (InputFileRef file = opened.lookup(location)) {
      if (llvm::Error error = files.copyDataFile(location, *file))
        return error;
      continue;
    }
    ExternalReference start;
    start.location = location;
    llvm::Expected<ExternalRange> found = model->external->resolve(
        start, 0, (model->index->file()->name() + ": an initializer").str());
    if (!found)
      return found.takeError();
    if (llvm::Error error = files.copyDataFile(location, *found->file))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error ModelExporter::write(StringRef path,
                                 llvm::ThreadPoolInterface *pool,
                                 std::function<void(uint64_t)> progress) {
  const InputFileRef &input = model->index->file();
  if (layout.size > largestMessage && input->size() <= largestMessage)
    return makeError(path + ": would have " + Twine(layout.size) +
                     " bytes, more than the 2 GB that protobuf allows" +
                     (options.placement == DataPlacement::Inline
                          ? "; use --external-data instead of --inline-data"
                          : ""));
  if (path == "-")
    if (llvm::Error error = checkStream("<stdout>"))
      return error;
  ExportedFiles files(*model, path);
  if (llvm::Error error = files.openModel())
    return error;
  if (files.model->isStream())
    if (llvm::Error error = checkStream(files.model->name()))
      return error;
  files.model->onProgress(progress);
  if (!llvm::sys::fs::equivalent(files.folder, folderOfModel(input->name())))
    if (llvm::Error error = copyDataFiles(files))
      return error;
  if (hasNewData()) {
    if (llvm::Error error = files.openData(data->location()))
      return error;
    files.data->onProgress(progress);
    if (llvm::Error error = data->write(*files.data, pool))
      return error;
  }
  if (llvm::Error error = script->write(*files.model, layout, pool))
    return error;
  if (llvm::Error error = input->checkUnchanged())
    return error;
  return files.commit();
}
