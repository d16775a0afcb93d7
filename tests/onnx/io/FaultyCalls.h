//===- FaultyCalls.h - The n-th system call fails, or is the last ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// While a FaultyCalls lives, every call of the table of SystemCalls.h is
// counted. The one of number `at` (from 0) fails with `failure`, or, if that is
// 0, ends the process as a kill would: without running anything more.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ONNX_IO_FAULTYCALLS_H
#define ONNXFOLD_TESTS_ONNX_IO_FAULTYCALLS_H

#include "onnxfold/onnx/io/files/SystemCalls.h"

#include <atomic>
#include <cerrno>
#include <unistd.h>

namespace onnxfold {

class FaultyCalls {
public:
  static constexpr int killed = 137;

  FaultyCalls(int at, int failure) : saved(systemCalls()) {
    state() = {at, failure, &saved};
    count() = 0;
    SystemCalls &calls = systemCalls();
    wrap<&SystemCalls::pread>(calls);
    wrap<&SystemCalls::pwrite>(calls);
    wrap<&SystemCalls::write>(calls);
    wrap<&SystemCalls::copyFileRange>(calls);
    wrap<&SystemCalls::fstatfs>(calls);
    wrap<&SystemCalls::truncate>(calls);
    wrap<&SystemCalls::allocate>(calls);
    wrap<&SystemCalls::createNamed>(calls);
    wrap<&SystemCalls::openUnnamed>(calls);
    wrap<&SystemCalls::linkUnnamed>(calls);
    wrap<&SystemCalls::rename>(calls);
    wrap<&SystemCalls::unlink>(calls);
    wrap<&SystemCalls::fsync>(calls);
  }
  ~FaultyCalls() { systemCalls() = saved; }
  FaultyCalls(const FaultyCalls &) = delete;
  FaultyCalls &operator=(const FaultyCalls &) = delete;

  /// How many calls there were so far.
  int calls() const { return count(); }
  /// The call of number `at` was made.
  bool happened() const { return count() > state().at; }

private:
  struct State {
    int at = 0, failure = 0;
    const SystemCalls *real = nullptr;
  };
  static State &state() {
    static State instance;
    return instance;
  }
  static std::atomic<int> &count() {
    static std::atomic<int> number{0};
    return number;
  }
  static bool fails() {
    if (count()++ != state().at)
      return false;
    if (state().failure == 0)
      ::_exit(killed);
    errno = state().failure;
    return true;
  }

  template <auto Entry, class Result, class... Args>
  static void wrapEntry(Result (*&entry)(Args...)) {
    entry = +[](Args... args) -> Result {
      return fails() ? Result(-1) : (state().real->*Entry)(args...);
    };
  }
  template <auto Entry> static void wrap(SystemCalls &calls) {
    wrapEntry<Entry>(calls.*Entry);
  }

  SystemCalls saved;
};

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ONNX_IO_FAULTYCALLS_H
