//===- MemoryTests.h - What tests of memory share ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits for one test, child processes, and what the system knows of memory.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ELEMENTS_MEMORYTESTS_H
#define ONNXFOLD_TESTS_ELEMENTS_MEMORYTESTS_H

#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdio>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace onnxfold {

/// Changes the limits of the process while it lives.
class ScopedLimits {
public:
  explicit ScopedLimits(llvm::function_ref<void(MemoryLimits &)> change)
      : before(memoryLimits()) {
    MemoryLimits limits = before;
    change(limits);
    setMemoryLimits(limits);
  }
  ~ScopedLimits() { setMemoryLimits(before); }

private:
  MemoryLimits before;
};

/// Runs `body` in a child process, which fails if it returns false, a test
/// assertion fails there, or it dies.
inline void inChild(llvm::function_ref<bool()> body) {
  fflush(stdout); // else the child writes it again
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    bool good = body() && !testing::Test::HasFailure();
    fflush(stdout);
    _exit(good ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

/// The most memory that this process had resident since resetPeakResident().
inline uint64_t peakResidentBytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmHWM:", 0) == 0)
      return std::stoull(line.substr(6)) * 1024;
  ADD_FAILURE() << "no VmHWM";
  return 0;
}

/// False where the system does not let us.
inline bool resetPeakResident() {
  std::ofstream file("/proc/self/clear_refs");
  return bool(file << "5" << std::flush);
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ELEMENTS_MEMORYTESTS_H
