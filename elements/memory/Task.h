//===- Task.h - The task that a thread works for ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Names the task that the current thread works for, also in threads of a pool.
//
//   TaskScope scope(&run);                    // in the thread that starts it
//   parallelFor(n, grain, body);              // Parallel.h
//   currentTask()                             // in body, on any thread: &run
//
// An error in a thread of the pool can then be assigned to the task that the
// thread worked for. Thread safety: a scope belongs to the thread that makes
// it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_MEMORY_TASK_H
#define ONNXFOLD_ELEMENTS_MEMORY_TASK_H

namespace onnxfold {

/// While the scope is alive, this thread works for `task`, and so do the
/// threads of the pool while they run parts of its loops. The scope does not
/// own the task.
class TaskScope {
public:
  explicit TaskScope(const void *task);
  ~TaskScope();
  TaskScope(const TaskScope &) = delete;
  TaskScope &operator=(const TaskScope &) = delete;

private:
  const void *outer;
};

/// The task of the innermost scope that this thread works in, or null.
const void *currentTask();

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_MEMORY_TASK_H
