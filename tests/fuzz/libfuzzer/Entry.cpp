//===- Entry.cpp - libFuzzer's entry to all targets -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNXFOLD_FUZZ_TARGET in the environment names the target (FuzzTargets.h).
// Those that read protobuf have changes of their own (Mutations.h). An input
// that takes a minute of the processor is a finding: libFuzzer's own limit is
// one of the clock, and other work or a stop of the process would pass it.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/tests/fuzz/FuzzTargets.h"
#include "onnxfold/tests/fuzz/Mutations.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <sys/time.h>

using namespace onnxfold;
using llvm::StringRef;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

static const FuzzTarget &chosenTarget() {
  static const FuzzTarget *target = [] {
    const char *name = std::getenv("ONNXFOLD_FUZZ_TARGET");
    const FuzzTarget *found = fuzzTarget(name ? name : "");
    if (!found) {
      llvm::errs() << "fuzz: ONNXFOLD_FUZZ_TARGET is no target\n";
      std::exit(1);
    }
    return found;
  }();
  return *target;
}

/// Counts from now on; the signal ends the process as a crash does.
static void limitProcessorTime() {
  static const auto before = std::signal(SIGPROF, [](int) { std::abort(); });
  (void)before;
  const itimerval limit = {{0, 0}, {60, 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  limitProcessorTime();
  chosenTarget().run({reinterpret_cast<const char *>(data), size});
  return 0;
}

static std::string mutateBytes(StringRef bytes, size_t most) {
  std::string buffer = bytes.str();
  buffer.resize(std::max(bytes.size() + 64, size_t(64)));
  buffer.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t *>(buffer.data()),
                                 bytes.size(), std::min(buffer.size(), most)));
  return buffer;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  std::minstd_rand random(seed);
  if (!chosenTarget().isProtobuf || random() % 16 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::string result = mutateMessage(
      StringRef(reinterpret_cast<char *>(data), size), random, mutateBytes);
  if (result.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(result.begin(), result.end(), data);
  return result.size();
}
