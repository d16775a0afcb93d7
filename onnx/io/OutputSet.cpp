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
    bool isMoved = false;
  };

  void prepareNames();
  Error moveAside(Aside &old);
  Error giveNames();
  void undo();
  Error syncFolders();

  SmallVector<OutputFile *> files;
  OutputFile &model;
  SmallVector<Aside> asides;
  SmallVector<OutputFile *> named;
};

/// All that has to be allocated: between the first name and the last one memory
/// must not run out, which ends the process where it is.
void OutputSetCommit::prepareNames() {
  named.reserve(files.size());
  for (OutputFile *file : files)
    file->prepareName();
  if (files.size() == 1)
    return;
  // The model first: from here on nobody reads it with other weights.
  for (OutputFile *file : reverse(files))
    if (file->replaced) {
      int lock =
          ::open(file->target.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
      asides.push_back({file, file->temporaryName(".old"), lock});
    }
}

Error OutputSetCommit::moveAside(Aside &old) {
  if (old.lock >= 0)
    ::flock(old.lock, LOCK_EX | LOCK_NB);
  old.isMoved =
      systemCalls().rename(old.file->target.c_str(), old.path.c_str()) == 0;
  if (old.isMoved || errno == ENOENT) // somebody removed it meanwhile
    return Error::success();
  return makeSystemError(old.file->displayName, "cannot be replaced", errno);
}

Error OutputSetCommit::giveNames() {
  for (Aside &old : asides)
    if (Error error = moveAside(old))
      return error;
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
    if (none_of(asides, [&](const Aside &old) {
          return old.isMoved && old.file == file;
        }))
      systemCalls().unlink(file->target.c_str());
  for (const Aside &old : reverse(asides))
    if (old.isMoved)
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
  prepareNames();
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
    if (old.isMoved)
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
