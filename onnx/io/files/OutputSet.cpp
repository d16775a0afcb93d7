//===- OutputSet.cpp - Files that appear together or not at all -----------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/OutputSet.h"

#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"
#include "onnxfold/onnx/io/files/TargetLock.h"
#include "onnxfold/onnx/io/files/internal/NewFolders.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <atomic>
#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <new>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

/// One call of commitTogether().
class OutputSetCommit {
public:
  explicit OutputSetCommit(const OutputSet &set)
      : set(set), numOthers(set.others.size()) {
    llvm::append_range(files, set.others);
    llvm::append_range(files, set.companions);
    llvm::append_range(files, set.models); // the last of them last
  }
  ~OutputSetCommit() {
    for (const Aside &old : asides)
      if (old.lock >= 0)
        ::close(old.lock);
  }

  Error run();

private:
  /// The file that is to be replaced, under another name.
  struct Aside {
    OutputFile *file;
    std::string path;
    int lock; ///< tells other runs that it is in use; -1 if it is unreadable
    bool isMoved = false;
  };

  Error checkTargets() const;
  bool isMovedAside(size_t number) const;
  void prepareNames();
  Error sendStreams();
  Error moveAside(Aside &old);
  Error giveNames();
  void undo();
  Error openFolders();
  Error syncFolders();
  void removeStale();

  const OutputSet &set;
  SmallVector<OutputFile *> files; ///< in the order of their names
  size_t numOthers;
  SmallVector<Aside> asides;
  SmallVector<OutputFile *> named;
  SmallVector<OpenFolder> folders; ///< that are synced at the end
};

/// A user may have given one name to two outputs.
Error OutputSetCommit::checkTargets() const {
  llvm::StringSet<> targets;
  if (files.size() > 1)
    for (OutputFile *file : files)
      if (!targets.insert(file->realTarget()).second)
        return ModelFault()
            .file(file->displayName)
            .is("two outputs of one run")
            .expected("another file for one of them");
  return Error::success();
}

/// Whether what a file replaces is kept until no step can fail any more. The
/// file that is named last replaces the old one in its rename, unless others
/// belong to it.
bool OutputSetCommit::isMovedAside(size_t number) const {
  bool isLast = number + 1 == files.size() && set.streams.empty();
  return files[number]->replaced && (!isLast || number > numOthers);
}

/// All that has to be allocated: between the first name and the last one memory
/// must not run out, which ends the process where it is.
void OutputSetCommit::prepareNames() {
  named.reserve(files.size());
  for (OutputFile *file : files)
    file->prepareName();
  // The model first: from here on nobody reads it with other weights.
  for (size_t number = files.size(); number-- != 0;)
    if (isMovedAside(number)) {
      OutputFile *file = files[number];
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
  return sendStreams();
}

/// Bytes of a stream cannot be taken back, so the streams come last.
Error OutputSetCommit::sendStreams() {
  for (const std::function<Error()> &send : set.streams)
    if (Error error = send())
      return error;
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

/// Before the first name, since there may be no descriptor left.
Error OutputSetCommit::openFolders() {
  for (OutputFile *file : files) {
    if (any_of(folders, [&](const OpenFolder &folder) {
          return folder.name() == file->folder;
        }))
      continue;
    Expected<OpenFolder> folder = OpenFolder::open(file->folder);
    if (!folder)
      return folder.takeError();
    folders.push_back(std::move(*folder));
  }
  return Error::success();
}

Error OutputSetCommit::syncFolders() {
  for (const OpenFolder &folder : folders)
    if (Error error = folder.sync())
      return error;
  return Error::success();
}

static std::atomic<bool> anyCommitted = false;

bool OutputFile::isAnyCommitted() { return anyCommitted; }

Error OutputSetCommit::run() {
  assert(none_of(files, [](OutputFile *file) { return file->stream; }) &&
         "streams have no names");
  if (Error error = checkTargets())
    return error;
  bool mustSync = any_of(files, [](OutputFile *f) { return f->mustSync(); });
  for (OutputFile *file : files) {
    assert(!file->committed && "an output is committed once");
    if (Error error = file->flush(mustSync))
      return error;
  }
  if (Error error = mustSync ? openFolders() : Error::success())
    return error;
  prepareNames();
  if (Error error = giveNames()) {
    undo();
    return error;
  }
  anyCommitted = anyCommitted || !set.models.empty();
  for (OutputFile *file : files)
    file->committed = true;
  // The new files are complete under their names: an error now is told, but
  // taking them back would risk more.
  if (Error error = mustSync ? syncFolders() : Error::success())
    return error;
  for (const Aside &old : asides)
    if (old.isMoved)
      systemCalls().unlink(old.path.c_str());
  try {
    removeStale();
  } catch (const std::bad_alloc &) {
    // The next run removes them.
  }
  return Error::success();
}

/// Removes what killed runs left aside.
void OutputSetCommit::removeStale() {
  StringMap<llvm::StringSet<>> targets; // by folder
  for (OutputFile *file : files)
    if (!TargetLock::isFresh(file->realTarget()))
      targets[file->folder].insert(sys::path::filename(file->target));
  for (const auto &folder : targets)
    OutputFile::removeStale(folder.first(), folder.second, ".old");
}

Error commitTogether(const OutputSet &set) {
  return OutputSetCommit(set).run();
}

Error commitTogether(ArrayRef<OutputFile *> companions, OutputFile &model) {
  if (model.isStream()) {
    assert(companions.empty() && "streams have no companions");
    return model.finish();
  }
  OutputSet set;
  llvm::append_range(set.companions, companions);
  set.models = {&model};
  return commitTogether(set);
}

} // namespace onnxfold
