//===- SpillFile.cpp - Ranges of a file without a name --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/internal/SpillFile.h"
#include "onnxfold/elements/memory/internal/MemoryCounters.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

using namespace onnxfold;
using namespace onnxfold::detail;

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// How often this process forked, or was. A file from before is shared with
/// another process: its space is never given away again.
static std::atomic<unsigned> forks = 0;

class onnxfold::detail::SpillFile
    : public llvm::ThreadSafeRefCountedBase<SpillFile> {
public:
  SpillFile(int fd, std::string folder)
      : folder(std::move(folder)), fd(fd), madeAfter(forks) {}
  ~SpillFile() { ::close(fd); }

  int descriptor() const { return fd; }
  bool isShared() const { return madeAfter != forks; }

  /// The offset of `size` bytes that nobody uses.
  uint64_t take(uint64_t size) {
    std::lock_guard<std::mutex> lock(mutex);
    for (auto [offset, length] : unused) {
      if (length < size)
        continue;
      unused.erase(offset);
      if (length > size)
        unused[offset + size] = length - size;
      return offset;
    }
    uint64_t offset = end;
    end += size;
    return offset;
  }

  void give(uint64_t offset, uint64_t size) {
    if (isShared())
      return;
    // If the file system knows no holes, the space waits for the next range.
    (void)::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset,
                      size);
    std::lock_guard<std::mutex> lock(mutex);
    auto next = unused.lower_bound(offset);
    if (next != unused.end() && next->first == offset + size) {
      size += next->second;
      next = unused.erase(next);
    }
    if (next != unused.begin())
      if (auto before = std::prev(next);
          before->first + before->second == offset) {
        offset = before->first;
        size += before->second;
        unused.erase(before);
      }
    if (offset + size == end)
      end = offset;
    else
      unused[offset] = size;
  }

  const std::string folder;

private:
  int fd;
  unsigned madeAfter;
  std::mutex mutex;
  std::map<uint64_t, uint64_t> unused; // offset -> size, never adjacent
  uint64_t end = 0;
};

namespace {

/// The file of all threads, leaked on purpose: they may use it until the end.
struct Spilling {
  std::mutex mutex;
  std::string folder; // as set
  llvm::IntrusiveRefCntPtr<SpillFile> file;
  uint64_t failures = 0;
  std::string lastFailure;
};

} // namespace

static Spilling &spilling() {
  static Spilling &all = *new Spilling;
  return all;
}

static std::string folderInUse(const std::string &set) {
  if (!set.empty())
    return set;
  const char *folder = std::getenv("TMPDIR");
  return folder && *folder ? folder : "/tmp";
}

static void noteFailure(const std::string &folder, int error) {
  std::lock_guard<std::mutex> lock(spilling().mutex);
  ++spilling().failures;
  spilling().lastFailure =
      folder + ": " + std::generic_category().message(error);
}

static int openUnlinked(const std::string &folder) {
  int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0)
    return fd;
  // A file system without O_TMPFILE.
  std::string name = folder + "/onnxfold-XXXXXX";
  fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd >= 0)
    ::unlink(name.c_str());
  return fd;
}

/// The file that new ranges are in, or null.
static llvm::IntrusiveRefCntPtr<SpillFile> currentFile() {
  static int registered = pthread_atfork(
      nullptr, [] { ++forks; }, [] { ++forks; });
  (void)registered;
  Spilling &all = spilling();
  std::unique_lock<std::mutex> lock(all.mutex);
  std::string folder = folderInUse(all.folder);
  if (all.file && all.file->folder == folder && !all.file->isShared())
    return all.file;
  int fd = openUnlinked(folder);
  if (fd < 0) {
    int error = errno;
    lock.unlock();
    noteFailure(folder, error);
    return nullptr;
  }
  all.file = llvm::makeIntrusiveRefCnt<SpillFile>(fd, folder);
  return all.file;
}

void detail::setSpillFolder(const std::string &folder) {
  std::lock_guard<std::mutex> lock(spilling().mutex);
  spilling().folder = folder;
}

std::pair<uint64_t, std::string> detail::spillFailures() {
  std::lock_guard<std::mutex> lock(spilling().mutex);
  return {spilling().failures, spilling().lastFailure};
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {

/// A write beyond the limit on the size of files ends the process by a signal,
/// unless the thread holds it back; then it is an error of the call.
class NoSizeSignal {
public:
  NoSizeSignal() {
    sigemptyset(&set);
    sigaddset(&set, SIGXFSZ);
    sigset_t pending;
    sigpending(&pending);
    wasPending = sigismember(&pending, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &set, &before);
  }
  ~NoSizeSignal() {
    timespec now = {};
    if (!wasPending)
      while (sigtimedwait(&set, nullptr, &now) < 0 && errno == EINTR)
        ;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

private:
  sigset_t set, before;
  bool wasPending;
};

} // namespace

static uint64_t wholePages(uint64_t size) {
  static const uint64_t page = ::sysconf(_SC_PAGESIZE);
  return llvm::alignTo(size, page);
}

SpilledRange::SpilledRange(llvm::IntrusiveRefCntPtr<SpillFile> file,
                           uint64_t offset, uint64_t bytes)
    : file(std::move(file)), offset(offset), bytes(bytes) {
  memoryCounters().spilled += bytes;
}

SpilledRange::~SpilledRange() {
  memoryCounters().spilled -= bytes;
  file->give(offset, wholePages(bytes));
}

std::unique_ptr<SpilledRange> SpilledRange::reserve(uint64_t size) {
  llvm::IntrusiveRefCntPtr<SpillFile> file = currentFile();
  if (!file)
    return nullptr;
  uint64_t length = wholePages(size), offset = file->take(length);
  std::unique_ptr<SpilledRange> result(new SpilledRange(file, offset, size));
  int error;
  {
    NoSizeSignal guard;
    do
      error = ::posix_fallocate(file->descriptor(), offset, length);
    while (error == EINTR);
  }
  if (error == 0)
    return result;
  noteFailure(file->folder, error);
  return nullptr;
}

bool SpilledRange::write(uint64_t first, const char *from, uint64_t count) {
  int error = 0;
  {
    NoSizeSignal guard;
    while (count > 0 && !error) {
      ssize_t written =
          ::pwrite(file->descriptor(), from, count, offset + first);
      if (written < 0) {
        error = errno == EINTR ? 0 : errno;
        continue;
      }
      from += written;
      first += written;
      count -= written;
    }
  }
  if (error)
    noteFailure(file->folder, error);
  return !error;
}

void SpilledRange::read(char *to) const {
  for (uint64_t done = 0; done < bytes;) {
    ssize_t count =
        ::pread(file->descriptor(), to + done, bytes - done, offset + done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      llvm::report_fatal_error("a spilled tensor cannot be read back",
                               /*gen_crash_diag=*/false);
    done += count;
  }
}

char *SpilledRange::map(bool writable) {
  void *memory = ::mmap(nullptr, wholePages(bytes),
                        PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED,
                        file->descriptor(), offset);
  if (memory == MAP_FAILED)
    return nullptr;
  memoryCounters().mapped += bytes;
  return static_cast<char *>(memory);
}

void SpilledRange::unmap(const char *mapped) {
  ::munmap(const_cast<char *>(mapped), wholePages(bytes));
  memoryCounters().mapped -= bytes;
}
