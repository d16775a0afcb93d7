//===- Faults.h - What goes wrong in a run of the tool ----------*- C++ -*-===//
//
// A fault is given by its kind and by the number of the event that it hits,
// from 1. Events are system calls or allocations, counted from where runTool()
// begins. Beside the fault nothing in a run is changed.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_LIB_FAULTRUN_FAULTS_H
#define ONNXFOLD_TESTS_LIB_FAULTRUN_FAULTS_H

#include <cstdint>
#include <functional>
#include <string>

namespace onnxfold {

enum class FaultKind {
  Error,      ///< a system call does nothing and returns an error
  Short,      ///< a system call reads or writes half of what it was asked for
  Kill,       ///< SIGKILL in place of a system call
  Allocation, ///< an allocation fails
  Exhausted,  ///< an allocation fails, and all after it
};

struct Fault {
  FaultKind kind = FaultKind::Error;
  int64_t event = 0;    ///< 0: none, the events are counted
  unsigned variant = 0; ///< which of the errors that the call may return
};

/// What became of a run.
struct RunEnd {
  int status = 0;      ///< of waitpid
  bool isHung = false; ///< it took longer than a minute, and was killed
  int64_t events = 0;  ///< how many there were, unless a fault ended it
  bool isHit = false;  ///< the fault happened
  std::string event;   ///< what it hit: `openat #7: EIO`
};

/// Runs `body` in a fork of this process, under a fault of a system call.
RunEnd runTraced(const Fault &fault, const std::function<int()> &body);

/// Whether runTraced works on this machine.
bool canTrace();

/// Runs `body` in a fork of this process, under a fault of an allocation.
RunEnd runAllocating(const Fault &fault, const std::function<int()> &body);

/// How many errors a call may return that have a variant of their own.
constexpr unsigned mostVariants = 3;

/// waitpid of a child, which is killed after a minute.
void waitFor(int child, RunEnd &end);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_LIB_FAULTRUN_FAULTS_H
