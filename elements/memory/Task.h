//===- Task.h - For whom a thread works -------------------------*- C++ -*-===//
//
//   TaskScope scope(&run);                    // in the thread that starts it
//   parallelFor(n, grain, body);              // Parallel.h
//   currentTask()                             // in body, on any thread: &run
//
// So what fails in a thread of the pool can say for whom it worked.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_TASK_H
#define ONNXFOLD_ELEMENTS_MEMORY_TASK_H

namespace onnxfold {

/// While it lives, this thread works for `task`, and so do the threads of the
/// pool while they run parts of its loops.
class TaskScope {
public:
  explicit TaskScope(const void *task);
  ~TaskScope();
  TaskScope(const TaskScope &) = delete;
  TaskScope &operator=(const TaskScope &) = delete;

private:
  const void *outer;
};

/// That of the innermost scope, or null.
const void *currentTask();

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_TASK_H
