//===- WorldLock.h - Who is at work on registered roots ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Stops the world for a collection over all roots: threads that work on roots
// enter and leave, and a collection requires that no thread is inside. The lock
// has no other purpose; use it through NoCollection (DisposablePool.h).
//
// It differs from a std::shared_mutex in two points. A thread that enters waits
// for a running collection, never for a waiting one: a pass on a root may wait
// for threads that enter, so a collection with precedence would be a deadlock.
// And the last thread inside becomes the collector without leaving.
//
// Thread safety: all members may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_WORLDLOCK_H
#define ONNXFOLD_GC_WORLDLOCK_H

#include <condition_variable>
#include <mutex>

namespace onnxfold {

class WorldLock {
public:
  void enter();
  void leave();

  /// Waits until no thread is inside, and keeps others out until resume().
  /// REQUIRES: the thread is not inside.
  void stop();
  /// The same for a thread that is inside, if no other thread is; otherwise
  /// does nothing. The thread remains inside.
  bool tryStopInside();
  void resume();

private:
  std::mutex mutex;
  std::condition_variable changed;
  unsigned inside = 0;
  bool stopped = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_GC_WORLDLOCK_H
