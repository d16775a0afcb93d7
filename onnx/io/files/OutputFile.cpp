//===- OutputFile.cpp - A file that appears whole or not at all -----------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/OutputFile.h"

#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/OutputSet.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"
#include "onnxfold/onnx/io/files/TargetLock.h"
#include "onnxfold/onnx/io/files/internal/RemoveOnSignal.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <cassert>
#include <cerrno>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

static Error refuseInput(StringRef name) {
  return ModelFault()
      .file(name)
      .is("one of the input files, which are never written")
      .expected("another output");
}

static bool isInput(const struct stat &status, ArrayRef<FileIdentity> inputs) {
  return is_contained(inputs, FileIdentity{status.st_dev, status.st_ino});
}

/// A pipe that nobody reads is an error (ENXIO): who waits for a reader holds
/// locks and may wait for ever.
static int openExisting(const std::string &name) {
  int fd = ::open(name.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  int flags = fd < 0 ? -1 : ::fcntl(fd, F_GETFL);
  if (flags >= 0) // its reader may be slow
    (void)!::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
  return fd;
}

Error OutputFile::openStream(int newDescriptor, ArrayRef<FileIdentity> inputs) {
  fd = newDescriptor;
  stream = true;
  struct stat status;
  if (fd < 0 && errno == ENXIO)
    return ModelFault()
        .file(displayName)
        .is("a pipe that nobody reads, or a device that is not there")
        .expected("a reader");
  if (fd < 0 || ::fstat(fd, &status) != 0)
    return makeSystemError(displayName, "cannot be written", errno);
  // onnx-fold model.onnx -o - >> model.onnx
  if (S_ISREG(status.st_mode) && isInput(status, inputs))
    return refuseInput(displayName);
  return Error::success();
}

/// Names that a killed run may leave: `.model.onnx.onnxfold-1234-0.tmp`, and
/// `.old` for what was just being replaced.
static constexpr StringLiteral temporaryInfix = ".onnxfold-";

std::string OutputFile::temporaryName(StringRef suffix) const {
  static std::atomic<unsigned> counter{0};
  return (folder + "/." + sys::path::filename(target) + temporaryInfix +
          Twine(::getpid()) + "-" + Twine(counter++) + suffix)
      .str();
}

/// Removes what runs on these targets left that nobody holds the lock of. All
/// are in one folder, which is listed once: there may be thousands.
void OutputFile::removeStale(StringRef folder, const llvm::StringSet<> &targets,
                             StringRef suffix) {
  std::error_code failure;
  for (sys::fs::directory_iterator entry(folder, failure, false), end;
       entry != end && !failure; entry.increment(failure)) {
    StringRef name = sys::path::filename(entry->path());
    size_t infix = name.rfind(temporaryInfix);
    if (!name.starts_with(".") || infix == StringRef::npos ||
        !name.ends_with(suffix) || !targets.contains(name.slice(1, infix)))
      continue;
    int stale = ::open(entry->path().c_str(),
                       O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (stale < 0)
      continue;
    if (::flock(stale, LOCK_EX | LOCK_NB) == 0)
      systemCalls().unlink(entry->path().c_str());
    ::close(stale);
  }
}

/// Takes the permissions of the file that is replaced, its owner and group too
/// where we may give files away. The mode comes last: a change of owner takes
/// bits out of it.
Error OutputFile::takePermissions() {
  if (::fchown(fd, replaced->st_uid, replaced->st_gid) != 0)
    (void)!::fchown(fd, -1, replaced->st_gid);
  if (::fchmod(fd, replaced->st_mode & 0777) != 0)
    return makeSystemError(displayName, "cannot get its old permissions",
                           errno);
  return Error::success();
}

Error OutputFile::openTemporary() {
  if (!TargetLock::isFresh(realTarget()))
    removeStale(folder, {sys::path::filename(target)}, ".tmp");
  constexpr mode_t everybody = 0666; // less the umask
  // Without /proc an unnamed file could not be linked later.
  if (::access("/proc/self/fd", X_OK) == 0)
    fd = systemCalls().openUnnamed(folder.c_str(), everybody);
  if (fd < 0) {
    prepareName();
    fd = systemCalls().createNamed(temporary.c_str(), everybody);
    int code = errno;
    hasTemporaryName = fd >= 0;
    if (fd < 0 && code == ENOENT)
      return ModelFault()
          .file(displayName)
          .says(Twine("cannot be created: ") +
                (sys::fs::exists(folder) ? "new files are not possible in '"
                                         : "there is no folder '") +
                folder + "'");
    if (fd < 0)
      return makeSystemError(displayName, "cannot be created", code);
  }
  ::flock(fd, LOCK_EX | LOCK_NB); // tells others that it is in use
  return replaced ? takePermissions() : Error::success();
}

Expected<std::unique_ptr<OutputFile>>
OutputFile::create(StringRef path, ArrayRef<FileIdentity> inputs, bool sync) {
  bool standard = path == "-";
  std::unique_ptr<OutputFile> file(
      new OutputFile(standard ? StringRef("<stdout>") : path));
  file->sync = sync;
  if (standard) {
    int fd = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (Error error = file->openStream(fd, inputs))
      return error;
    return file;
  }
  std::string name = path.str();
  struct stat status;
  if (::stat(name.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode))
      return ModelFault().file(path).is("a folder").expected("a file");
    if (!S_ISREG(status.st_mode)) {
      if (Error error = file->openStream(openExisting(name), inputs))
        return error;
      return file;
    }
    if (isInput(status, inputs))
      return refuseInput(path);
    if (::access(name.c_str(), W_OK) != 0)
      return makeSystemError(path, "cannot be replaced", errno);
    file->replaced = status;
    SmallString<256> real;
    if (std::error_code failure = sys::fs::real_path(path, real))
      return makeSystemError(path, "cannot be replaced", failure.value());
    name = real.str().str();
  } else if (errno != ENOENT) {
    return makeSystemError(path, "cannot be created", errno);
  }
  file->target = name;
  file->folder = sys::path::parent_path(name).str();
  if (file->folder.empty())
    file->folder = ".";
  if (Error error = file->openTemporary())
    return error;
  return file;
}

Expected<std::unique_ptr<OutputFile>>
OutputFile::adopt(Expected<int> descriptor, StringRef name) {
  if (!descriptor)
    return descriptor.takeError();
  std::unique_ptr<OutputFile> file(new OutputFile(name));
  file->fd = *descriptor;
  return file;
}

Expected<std::unique_ptr<OutputFile>>
OutputFile::createUnnamed(StringRef name) {
  return adopt(openUnlinkedTemporary(), name);
}

Expected<std::unique_ptr<OutputFile>>
OutputFile::createInMemory(StringRef name) {
  return adopt(openMemoryFile(name), name);
}

OutputFile::~OutputFile() {
  if (hasTemporaryName && !committed)
    systemCalls().unlink(temporary.c_str());
  if (!temporary.empty())
    keepFileOnSignal(temporary);
  if (fd >= 0)
    ::close(fd);
}

Error OutputFile::resize(uint64_t size) {
  if (stream)
    return Error::success();
  while (systemCalls().truncate(fd, size) != 0)
    if (errno != EINTR)
      return makeSystemError(displayName, "cannot be written", errno);
  return Error::success();
}

void OutputFile::reserve(ByteRange range) {
  // Below this the call takes longer than what it saves.
  constexpr uint64_t leastReserved = 1 << 20;
  struct statfs status;
  if (stream || range.size() < leastReserved ||
      systemCalls().fstatfs(fd, &status) != 0 ||
      uint32_t(status.f_type) != EXT4_SUPER_MAGIC)
    return;
  // A write says why it fails, whether space could be reserved or not.
  systemCalls().allocate(fd, 0, range.begin, range.size());
}

Error OutputFile::tell(uint64_t bytes) const {
  if (progress && !progress(bytes))
    return ModelFault().file(displayName).says("writing was cancelled");
  return Error::success();
}

Error OutputFile::write(uint64_t offset, StringRef bytes) {
  assert(!committed && "an output is written before it is committed");
  if (stream) {
    assert(offset == position && "streams are written in order");
    position += bytes.size();
    if (Error error = streamFully(fd, bytes, displayName))
      return error;
  } else if (Error error = writeFully(fd, offset, bytes, displayName)) {
    return error;
  }
  return tell(bytes.size());
}

Error OutputFile::copy(const InputFile &input, ByteRange range,
                       uint64_t offset) {
  assert(!committed && "an output is written before it is committed");
  // Without progress to tell, the kernel gets the range in one piece.
  constexpr uint64_t pieceSize = 64 << 20;
  while (!stream && !range.empty()) {
    uint64_t size = progress ? std::min(range.size(), pieceSize) : range.size();
    if (Error error = copyRange(input, {range.begin, range.begin + size}, fd,
                                offset, displayName))
      return error;
    if (Error error = tell(size))
      return error;
    range.begin += size;
    offset += size;
  }
  if (range.empty())
    return Error::success();
  constexpr uint64_t bufferSize = 256 * 1024;
  auto buffer = std::make_unique_for_overwrite<char[]>(bufferSize);
  while (!range.empty()) {
    size_t size = std::min(range.size(), bufferSize);
    if (Error error = input.read(range.begin, {buffer.get(), size}))
      return error;
    if (Error error = write(offset, {buffer.get(), size}))
      return error;
    range.begin += size;
    offset += size;
  }
  return Error::success();
}

Expected<InputFileRef> OutputFile::read() const {
  assert(!stream && "a stream cannot be read");
  int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0)
    return makeSystemError(displayName, "cannot be read back", errno);
  return InputFile::adopt(copy, displayName);
}

/// Errors that the kernel has kept back: a disk quota or a network file system
/// may tell only when a descriptor is closed.
Error OutputFile::flush(bool syncFirst) {
  while (syncFirst && systemCalls().fsync(fd) != 0) {
    if (stream && errno == EINVAL)
      break;
    if (errno != EINTR)
      return makeSystemError(displayName, "cannot be written", errno);
  }
  int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy >= 0 && ::close(copy) != 0 && errno != EINTR)
    return makeSystemError(displayName, "cannot be written", errno);
  return Error::success();
}

std::string OutputFile::realTarget() const {
  SmallString<256> real;
  if (stream || sys::fs::real_path(folder, real))
    return target;
  return (real + "/" + sys::path::filename(target)).str();
}

Error OutputFile::finish() { return flush(mustSync()); }

void OutputFile::prepareName() {
  if (!temporary.empty())
    return;
  temporary = temporaryName(".tmp");
  removeFileOnSignal(temporary);
}

Error OutputFile::linkToTarget() {
  const SystemCalls &calls = systemCalls();
  if (!hasTemporaryName) {
    if (calls.linkUnnamed(fd, target.c_str()) == 0)
      return Error::success();
    // A link cannot replace, so the file gets a name for the rename.
    if (errno != EEXIST || calls.linkUnnamed(fd, temporary.c_str()) != 0)
      return makeSystemError(displayName, "cannot be created", errno);
    hasTemporaryName = true;
  }
  if (calls.rename(temporary.c_str(), target.c_str()) != 0)
    return makeSystemError(displayName, "cannot be replaced", errno);
  return Error::success();
}

Error OutputFile::commit() { return commitTogether({}, *this); }

} // namespace onnxfold
