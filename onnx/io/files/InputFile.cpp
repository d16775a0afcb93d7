//===- InputFile.cpp - A file that is only read ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/InputFile.h"

#include "onnxfold/onnx/io/files/FileCopy.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/files/SystemCalls.h"

#include "llvm/ADT/ScopeExit.h"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <linux/magic.h>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

InputFile::~InputFile() { ::close(fd); }

bool raiseOpenFileLimit() {
  rlimit limit;
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 ||
      limit.rlim_cur >= limit.rlim_max)
    return false;
  limit.rlim_cur = limit.rlim_max;
  return ::setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

static int openForReading(const char *path) {
  // O_NONBLOCK: opening a named pipe must fail the check below, not wait.
  constexpr int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  int fd = ::open(path, flags);
  if (fd < 0 && errno == EMFILE && raiseOpenFileLimit())
    fd = ::open(path, flags);
  return fd;
}

Expected<InputFileRef> InputFile::adopt(int fd, StringRef name) {
  IntrusiveRefCntPtr<InputFile> file(new InputFile(fd, name));
  struct stat status;
  if (::fstat(fd, &status) != 0)
    return makeSystemError(name, "cannot be examined", errno);
  if (S_ISDIR(status.st_mode))
    return ModelFault().file(name).is("a folder").expected("a file");
  if (!S_ISREG(status.st_mode))
    return ModelFault().file(name).says("is not a regular file");
  file->fileSize = status.st_size;
  file->fileIdentity = {status.st_dev, status.st_ino};
  file->modified[0] = status.st_mtim.tv_sec;
  file->modified[1] = status.st_mtim.tv_nsec;
  file->sparse = uint64_t(status.st_blocks) * 512 < uint64_t(status.st_size);
  return InputFileRef(std::move(file));
}

Expected<int> openUnlinkedTemporary() {
  const char *folder = std::getenv("TMPDIR");
  if (!folder || !*folder)
    folder = "/tmp";
  int fd = systemCalls().openUnnamed(folder, 0600);
  if (fd >= 0)
    return fd;
  std::string name = std::string(folder) + "/onnxfold-XXXXXX";
  fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0)
    return makeSystemError(folder, "cannot hold a temporary file", errno);
  ::unlink(name.c_str());
  return fd;
}

Expected<int> openMemoryFile(StringRef name) {
  int fd = ::memfd_create("onnx-fold", MFD_CLOEXEC);
  if (fd < 0)
    return makeSystemError(name, "cannot be kept in memory", errno);
  return fd;
}

Expected<InputFileRef> InputFile::ofBytes(StringRef bytes, StringRef name) {
  Expected<int> fd = openMemoryFile(name);
  if (!fd)
    return fd.takeError();
  if (Error error = writeFully(*fd, 0, bytes, name)) {
    ::close(*fd);
    return error;
  }
  return adopt(*fd, name);
}

namespace {

/// A stream, and where its bytes go.
struct StreamCopy {
  int in, out;
  StringRef name;

  Error run();
  Error append(const char *bytes, size_t count);
  uint64_t offset = 0;
};

} // namespace

Error StreamCopy::append(const char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t written =
        systemCalls().pwrite(out, bytes + done, count - done, offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return makeSystemError(name, "cannot be kept in a temporary file", errno);
    done += written;
    offset += written;
  }
  return Error::success();
}

Error StreamCopy::run() {
  constexpr size_t bufferSize = 256 * 1024;
  auto buffer = std::make_unique<char[]>(bufferSize);
  while (true) {
    ssize_t count = ::read(in, buffer.get(), bufferSize);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeSystemError(name, "cannot be read", errno);
    if (count == 0)
      return Error::success();
    if (Error error = append(buffer.get(), count))
      return error;
  }
}

/// All that comes, in a temporary file.
static Expected<int> keepStream(int in, StringRef name) {
  Expected<int> fd = openUnlinkedTemporary();
  if (!fd)
    return fd;
  if (Error error = StreamCopy{in, *fd, name}.run()) {
    ::close(*fd);
    return error;
  }
  return fd;
}

static Expected<int> openStandardInput() {
  struct stat status;
  if (::fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) &&
      ::lseek(STDIN_FILENO, 0, SEEK_CUR) == 0) {
    int fd = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    if (fd >= 0)
      return fd;
  }
  return keepStream(STDIN_FILENO, "<stdin>");
}

static bool isStandardInput(StringRef path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" ||
         path == "/proc/self/fd/0";
}

bool isStreamPath(StringRef path) {
  struct statfs status;
  return isStandardInput(path) || (::statfs(path.str().c_str(), &status) == 0 &&
                                   uint32_t(status.f_type) == PIPEFS_MAGIC);
}

/// The copy of a pipe without a name, which takes the place of its descriptor.
/// A named one is no stream: it might have no writer, or another reader.
static Error keepPipe(int &fd, StringRef path) {
  scope_exit closePipe([pipe = fd] { ::close(pipe); });
  int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0)
    return makeSystemError(path, "cannot be read", errno);
  Expected<int> kept = keepStream(fd, path);
  if (!kept)
    return kept.takeError();
  fd = *kept;
  return Error::success();
}

Expected<InputFileRef> InputFile::open(StringRef path) {
  if (isStandardInput(path)) {
    Expected<int> fd = openStandardInput();
    if (!fd)
      return fd.takeError();
    return adopt(*fd, "<stdin>");
  }
  bool isPipe = isStreamPath(path);
  int fd = openForReading(path.str().c_str());
  if (fd < 0)
    return makeSystemError(path, "cannot be opened", errno);
  if (isPipe)
    if (Error error = keepPipe(fd, path))
      return error;
  return adopt(fd, path);
}

Error InputFile::truncated(uint64_t expected) const {
  struct stat status;
  uint64_t now = ::fstat(fd, &status) == 0 ? status.st_size : 0;
  return ModelFault()
      .file(name())
      .says("changed while it was read:")
      .has(Twine(now) + " bytes")
      .expected("at least " + Twine(expected));
}

Error InputFile::read(uint64_t offset, MutableArrayRef<char> out) const {
  for (size_t done = 0; done < out.size();) {
    ssize_t count = systemCalls().pread(fd, out.data() + done,
                                        out.size() - done, offset + done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return makeSystemError(name(), "cannot be read", errno);
    if (count == 0)
      return truncated(offset + out.size());
    done += count;
    readCount += count;
  }
  return Error::success();
}

Error InputFile::checkUnchanged() const {
  struct stat status;
  if (::fstat(fd, &status) != 0)
    return makeSystemError(name(), "cannot be examined", errno);
  if (uint64_t(status.st_size) == fileSize &&
      status.st_mtim.tv_sec == modified[0] &&
      status.st_mtim.tv_nsec == modified[1])
    return Error::success();
  return ModelFault().file(name()).says("changed while it was read");
}

} // namespace onnxfold
