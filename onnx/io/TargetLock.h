//===- TargetLock.h - One run at a time on one target ---------------------===//
//
// A lock file beside an output, `.NAME.onnxfold-lock`: two runs that write the
// same model take turns, so that what one of them puts in its place is never
// mixed with the data files of the other. The lock is the kernel's (flock on
// the file), so a killed run holds nothing; the file it left is taken over, and
// removed, by the next one. It is removed on SIGINT and SIGTERM too.
//
// Where there can be no lock file (a folder that may not be written, a file
// system without locks) there is no lock and no error: writing the output says
// what is wrong. Streams need none.
//
// Thread safety: none. Ownership: the lock is held as long as the object lives.
//
// Example:
//   TargetLock lock = TargetLock::acquire("model.folded.onnx", [] {
//     errs() << "waiting for another run\n";
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_TARGETLOCK_H
#define ONNXFOLD_ONNX_IO_TARGETLOCK_H

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
  /// through links too. `onWait` is called once, if it has to wait.
  static TargetLock acquire(llvm::StringRef path,
                            llvm::function_ref<void()> onWait);

  TargetLock(TargetLock &&other) noexcept { swap(other); }
  TargetLock &operator=(TargetLock &&other) noexcept {
    swap(other);
    return *this;
  }
  ~TargetLock();

  bool isHeld() const { return fd >= 0; }

  /// To be called when the process ends for lack of memory: signal handlers do
  /// not know yet of a lock that is just being taken. Allocates nothing.
  static void removeNew();

private:
  enum class Attempt { Held, Taken, Stale, Impossible };
  Attempt tryAcquire();
  void swap(TargetLock &other) {
    std::swap(fd, other.fd);
    std::swap(file, other.file);
  }

  int fd = -1;
  std::string file;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_TARGETLOCK_H
