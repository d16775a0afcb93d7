//===- TargetLock.h - One run at a time on one target ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A TargetLock locks a file beside an output, `.NAME.onnxfold-lock`: two runs
// that write the same model take turns, so that the model of one of them is
// never mixed with the data files of the other. The kernel holds the lock
// (flock on the file), so a killed run holds none; the next run takes over the
// file that it left, and removes it. The file is removed on SIGINT and SIGTERM
// too.
//
// Where a lock file is impossible (a folder that may not be written, a file
// system without locks) there is no lock and no error: writing the output
// reports what is wrong. Streams need no lock.
//
// Thread safety: none. Ownership: the lock is held as long as the object lives.
//
// Example:
//   TargetLock lock = TargetLock::acquire("model.folded.onnx", [] {
//     errs() << "waiting for another run\n";
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_FILES_TARGETLOCK_H
#define ONNXFOLD_ONNX_IO_FILES_TARGETLOCK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <utility>

namespace onnxfold {

class TargetLock {
public:
  /// Holds nothing.
  TargetLock() = default;

  /// Waits until no other run holds the lock of the file that `path` leads to,
  /// through links too. `onWait` is called once before it waits, if it has to.
  static TargetLock acquire(llvm::StringRef path,
                            llvm::function_ref<void()> onWait);

  TargetLock(TargetLock &&other) noexcept { swap(other); }
  TargetLock &operator=(TargetLock &&other) noexcept {
    swap(other);
    return *this;
  }
  ~TargetLock();

  bool isHeld() const { return fd >= 0; }

  /// Whether this process holds the lock of the file with this real path, and
  /// made its file: a run that was killed would have left one, so none has left
  /// other files either. May be called from any thread.
  static bool isFresh(llvm::StringRef target);

  /// Removes the file of a lock that is just being acquired, which signal
  /// handlers do not know yet. It must be called if the process ends for lack
  /// of memory. Allocates nothing.
  static void removeNew();

private:
  enum class Attempt { Held, Taken, Stale, Impossible };
  Attempt tryAcquire();
  void noteFresh() const;
  void forgetFresh() const;
  void swap(TargetLock &other) {
    std::swap(fd, other.fd);
    std::swap(isNew, other.isNew);
    std::swap(file, other.file);
  }

  int fd = -1;
  bool isNew = false; ///< this run made the file
  std::string file;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_FILES_TARGETLOCK_H
