//===- TargetLock.cpp - One run at a time on one target -------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/files/TargetLock.h"

#include "onnxfold/onnx/io/files/internal/RemoveOnSignal.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace llvm;

namespace onnxfold {

/// `target`: a real path.
static std::string lockFileAt(StringRef target) {
  SmallString<256> file(sys::path::parent_path(target));
  sys::path::append(file, "." + sys::path::filename(target) + ".onnxfold-lock");
  return file.str().str();
}

/// The path of the lock of a target; "" if that is no regular file.
static std::string lockFileOf(StringRef path) {
  SmallString<256> target;
  if (sys::fs::is_regular_file(path)) {
    if (sys::fs::real_path(path, target))
      return "";
  } else {
    if (path.empty() || path == "-" || sys::fs::exists(path))
      return "";
    StringRef parent = sys::path::parent_path(path);
    if (sys::fs::real_path(parent.empty() ? "." : parent, target))
      return "";
    sys::path::append(target, sys::path::filename(path));
  }
  return lockFileAt(target);
}

/// Is the open file still the one of that name? Its last holder removed it
/// otherwise, and somebody may hold the lock of a new one.
static bool isStill(int fd, const std::string &file) {
  struct stat ours, named;
  return ::fstat(fd, &ours) == 0 && ::lstat(file.c_str(), &named) == 0 &&
         ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

static bool lock(int fd, int flags) {
  while (::flock(fd, LOCK_EX | flags) != 0)
    if (errno != EINTR)
      return false;
  return true;
}

namespace {

/// No signal comes to this thread while it lives: between making the file and
/// noting that a signal has to remove it.
class SignalsBlocked {
public:
  SignalsBlocked() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_BLOCK, &all, &saved);
  }
  ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &saved, nullptr); }

private:
  sigset_t saved;
};

} // namespace

/// The file of a lock that is held, before it is noted for signals.
static std::atomic<const char *> newFile = nullptr;

void TargetLock::removeNew() {
  if (const char *name = newFile)
    ::unlink(name);
}

namespace {

/// The files of locks that this process made and holds.
struct FreshLocks {
  std::mutex mutex;
  llvm::StringSet<> files;

  static FreshLocks &get() {
    static FreshLocks locks;
    return locks;
  }
};

} // namespace

bool TargetLock::isFresh(StringRef target) {
  FreshLocks &locks = FreshLocks::get();
  std::lock_guard<std::mutex> guard(locks.mutex);
  return locks.files.contains(lockFileAt(target));
}

void TargetLock::noteFresh() const {
  FreshLocks &locks = FreshLocks::get();
  std::lock_guard<std::mutex> guard(locks.mutex);
  locks.files.insert(file);
}

void TargetLock::forgetFresh() const {
  FreshLocks &locks = FreshLocks::get();
  std::lock_guard<std::mutex> guard(locks.mutex);
  locks.files.erase(file);
}

TargetLock::Attempt TargetLock::tryAcquire() {
  SignalsBlocked blocked;
  // No link is followed: others may write to the folder too.
  constexpr int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
  fd = ::open(file.c_str(), flags | O_EXCL, 0600);
  isNew = fd >= 0;
  if (fd < 0 && errno == EEXIST)
    fd = ::open(file.c_str(), flags, 0600);
  if (fd < 0)
    return Attempt::Impossible;
  if (!lock(fd, LOCK_NB))
    return errno == EWOULDBLOCK ? Attempt::Taken : Attempt::Impossible;
  if (!isStill(fd, file))
    return Attempt::Stale;
  newFile = file.c_str();
  removeFileOnSignal(file);
  newFile = nullptr;
  if (isNew)
    noteFresh();
  return Attempt::Held;
}

TargetLock TargetLock::acquire(StringRef path,
                               llvm::function_ref<void()> onWait) {
  TargetLock held;
  held.file = lockFileOf(path);
  for (bool told = false; !held.file.empty();) {
    Attempt attempt = held.tryAcquire();
    if (attempt == Attempt::Held)
      return held;
    if (attempt == Attempt::Taken) {
      if (!told)
        onWait();
      told = true;
      lock(held.fd, 0); // only to wait: the holder removes this file
    }
    // A folder without locks: nobody can hold this one.
    if (attempt == Attempt::Impossible && held.fd >= 0)
      ::unlink(held.file.c_str());
    if (held.fd >= 0)
      ::close(held.fd);
    held.fd = -1;
    if (attempt == Attempt::Impossible)
      break;
  }
  return held;
}

TargetLock::~TargetLock() {
  if (fd < 0)
    return;
  if (isNew)
    forgetFresh();
  // While it is held: nobody else's file can have that name.
  ::unlink(file.c_str());
  keepFileOnSignal(file);
  ::close(fd);
}

} // namespace onnxfold
