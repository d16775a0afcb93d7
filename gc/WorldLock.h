//===- WorldLock.h - Who is at work on registered roots ---------*- C++ -*-===//
//
// What stops the world for a collection over all roots: threads that work on
// roots enter and leave, a collection needs that nobody is inside. Not made for
// other purposes; NoCollection (DisposablePool.h) is the way to use it.
//
// Differs from a std::shared_mutex in two points. Who enters waits for a
// collection that runs, never for one that waits: a pass on a root may wait for
// threads that enter, so that letting a collection go first would be a
// deadlock. And the last thread inside becomes the collector without leaving.
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

  /// Waits until nobody is inside, and keeps others out until resume().
  /// REQUIRES: the thread is not inside.
  void stop();
  /// The same for a thread that is inside, if nobody else is; else does
  /// nothing. It stays inside.
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
