//===- CountGrowth.cpp - Instructions and memory of runs of foldModel -----===//
// SPDX-License-Identifier: Apache-2.0
//
//   valgrind --tool=callgrind --callgrind-out-file=counts count-growth LIST
//
// folds the files that LIST names, one on a line, in one process, and prints
// for each `<most bytes of malloc> <path>`. valgrind counts the instructions:
// it writes `counts.1`, `counts.2`, ... with a line `totals:`, one for each
// line of LIST. Without valgrind there are only the bytes. What is counted is
// the same in every run on one machine, which no clock gives.
//
// An error of a run is printed to standard error, and the exit status is 1.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/driver/FoldModel.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <malloc.h>
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#else
#define CALLGRIND_ZERO_STATS
#define CALLGRIND_DUMP_STATS
#endif

using namespace onnxfold;

// ---- malloc, counted

/// Bytes that are allocated, and the most there were. Threads may ask at once.
static std::atomic<int64_t> liveBytes, mostLive;

[[maybe_unused]] static bool mayAllocate() { return true; }

[[maybe_unused]] static void noteNew(void *memory) {
  if (!memory)
    return;
  int64_t live = liveBytes +=
      static_cast<int64_t>(::malloc_usable_size(memory));
  if (live > mostLive)
    mostLive = live;
}

[[maybe_unused]] static void noteFreed(void *memory) {
  if (memory)
    liveBytes -= static_cast<int64_t>(::malloc_usable_size(memory));
}

#include "onnxfold/tests/lib/OwnMalloc.h"

// ---- runs

/// Folds a file and drops the result.
static bool fold(llvm::StringRef path) {
  FoldOptions options;
  options.level = 2;
  options.maxGrowth.kind = GrowthLimit::Kind::Unlimited;
  options.threads = 1;
  FoldReport report;
  std::string result;
  llvm::Error error = foldModel(ModelInput::file(path),
                                ModelOutput::bytes(result), options, report);
  if (!error)
    return true;
  llvm::errs() << "count-growth: " << llvm::toString(std::move(error)) << "\n";
  return false;
}

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "count-growth: expected one argument, a list of models\n";
    return 1;
  }
  auto list = llvm::MemoryBuffer::getFile(argv[1]);
  if (!list) {
    llvm::errs() << "count-growth: " << argv[1] << " cannot be read\n";
    return 1;
  }
  bool isFine = true;
  for (llvm::line_iterator line(**list); !line.is_at_end(); ++line) {
    int64_t before = liveBytes;
    mostLive = before;
    CALLGRIND_ZERO_STATS;
    isFine &= fold(*line);
    CALLGRIND_DUMP_STATS;
    llvm::outs() << mostLive - before << " " << *line << "\n";
  }
  return isFine ? 0 : 1;
}
