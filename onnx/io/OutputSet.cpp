//===- OutputSet.cpp - Files that appear together or not at all -----------===//
#include "onnxfold/onnx/io/OutputSet.h"

#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/SystemCalls.h"
#include "onnxfold/onnx/io/internal/NewFolders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

/// One call of commitTogether().
class OutputSetCommit {
public:
  OutputSetCommit(ArrayRef<OutputFile *> companions, OutputFile &model)
      : files(companions), model(model) {
    files.push_back(&model); // the model last
  }
  ~OutputSetCommit() {
    for (const Aside &old : asides)
      if (old.lock >= 0)
        ::close(old.lock);
  }

  Error run();

private:
  /// What a file is to replace, under another name.
  struct Aside {
    OutputFile *file;
    std::string path;
    int lock; ///< tells other runs that it is in use; -1 if it is unreadable
  };

  Error moveAside(OutputFile &file);
  Error giveNames();
  void undo();
  Error syncFolders();

  SmallVector<OutputFile *> files;
  OutputFile &model;
  SmallVector<Aside> asides;
  SmallVector<OutputFile *> named;
};

Error OutputSetCommit::moveAside(OutputFile &file) {
  std::string path = file.temporaryName(".old");
  int lock = ::open(file.target.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (lock >= 0)
    ::flock(lock, LOCK_EX | LOCK_NB);
  if (systemCalls().rename(file.target.c_str(), path.c_str()) == 0) {
    asides.push_back({&file, std::move(path), lock});
    return Error::success();
  }
  int failure = errno;
  if (lock >= 0)
    ::close(lock);
  if (failure == ENOENT) // somebody removed it meanwhile
    return Error::success();
  return makeSystemError(file.displayName, "cannot be replaced", failure);
}

Error OutputSetCommit::giveNames() {
  if (files.size() > 1) {
    // The model first: from here on nobody reads it with other weights.
    for (OutputFile *file : reverse(files))
      if (file->replaced)
        if (Error error = moveAside(*file))
          return error;
  }
  for (OutputFile *file : files) {
    if (Error error = file->linkToTarget())
      return error;
    named.push_back(file);
  }
  return Error::success();
}

/// Back to what was there. The model is put back last.
void OutputSetCommit::undo() {
  for (OutputFile *file : reverse(named))
    if (none_of(asides, [&](const Aside &old) { return old.file == file; }))
      systemCalls().unlink(file->target.c_str());
  for (const Aside &old : reverse(asides))
    systemCalls().rename(old.path.c_str(), old.file->target.c_str());
}

Error OutputSetCommit::syncFolders() {
  llvm::SetVector<StringRef> folders;
  for (OutputFile *file : files)
    folders.insert(file->folder);
  for (StringRef folder : folders)
    if (Error error = syncFolder(folder))
      return error;
  return Error::success();
}

static std::atomic<bool> anyCommitted = false;

bool OutputFile::isAnyCommitted() { return anyCommitted; }

Error OutputSetCommit::run() {
  assert((files.size() == 1 ||
          none_of(files, [](OutputFile *file) { return file->stream; })) &&
         "streams have no companions");
  bool mustSync = any_of(files, [](OutputFile *f) { return f->mustSync(); });
  for (OutputFile *file : files) {
    assert(!file->committed && "an output is committed once");
    if (Error error = file->flush(mustSync))
      return error;
  }
  if (model.stream) {
    model.committed = true;
    return Error::success();
  }
  if (Error error = giveNames()) {
    undo();
    return error;
  }
  anyCommitted = true;
  for (OutputFile *file : files)
    file->committed = true;
  // The new files are complete under their names: an error now is told, but
  // taking them back would risk more.
  Error error = mustSync ? syncFolders() : Error::success();
  if (error)
    return error;
  for (const Aside &old : asides)
    systemCalls().unlink(old.path.c_str());
  StringMap<llvm::StringSet<>> targets; // by folder
  for (OutputFile *file : files)
    targets[file->folder].insert(sys::path::filename(file->target));
  for (const auto &folder : targets)
    OutputFile::removeStale(folder.first(), folder.second, ".old");
  return error;
}

Error commitTogether(ArrayRef<OutputFile *> companions, OutputFile &model) {
  return OutputSetCommit(companions, model).run();
}

} // namespace onnxfold
