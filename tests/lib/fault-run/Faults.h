//===- Faults.h - Injecting a fault into a run of the tool ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A fault has a kind and the number of the event that it hits, counted from 1.
// Events are system calls or allocations since the beginning of runTool(). The
// run is not changed otherwise.
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
  Cut,        ///< before a system call `act` is called, which cuts the inputs
  Allocation, ///< an allocation fails
  Exhausted,  ///< an allocation fails, and all after it
};

struct Fault {
  FaultKind kind = FaultKind::Error;
  int64_t event = 0;    ///< 0: no fault, the events are only counted
  unsigned variant = 0; ///< which of the errors that the call may return
  std::function<void()> act = nullptr; ///< of Cut; in the caller's process
};

/// The outcome of a run.
struct RunEnd {
  int status = 0;      ///< the status of waitpid
  bool isHung = false; ///< the run took longer than a minute, and was killed
  int64_t events = 0;  ///< the number of events, unless a fault ended the run
  bool isHit = false;  ///< the fault happened
  std::string event;   ///< the event that the fault hit: `openat #7: EIO`
};

/// Runs `body` in a fork of this process, under a fault of a system call.
RunEnd runTraced(const Fault &fault, const std::function<int()> &body);

/// Whether runTraced works on this machine.
bool canTrace();

/// Runs `body` in a fork of this process, under a fault of an allocation.
RunEnd runAllocating(const Fault &fault, const std::function<int()> &body);

/// The most variants that a fault of a call can have (Fault::variant).
constexpr unsigned mostVariants = 3;

/// Waits for a child, kills it after a minute, and sets `status` and `isHung`.
void waitFor(int child, RunEnd &end);

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_LIB_FAULTRUN_FAULTS_H
