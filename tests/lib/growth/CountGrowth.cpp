//===- CountGrowth.cpp - Instructions and memory of runs of foldModel -----===//
//
//   valgrind --tool=callgrind --callgrind-out-file=counts count-growth LIST
//
// folds the files that LIST names, one on a line, in one process, and prints
// for each `<most bytes of malloc> <path>`. valgrind counts the instructions:
// it writes `counts.1`, `counts.2`, ... with a line `totals:`, one for each
// line of LIST. Without valgrind there are only the bytes. What is counted is
// the same in every run on one machine, which no clock gives.
//
// An error of a run goes to standard error, and the exit status is 1.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/driver/FoldModel.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
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

// Sanitizers have a malloc of their own.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *memory);
}

static void *countNew(void *memory) {
  if (memory) {
    int64_t live = liveBytes +=
        static_cast<int64_t>(::malloc_usable_size(memory));
    if (live > mostLive)
      mostLive = live;
  }
  return memory;
}

static void countGone(void *memory) {
  if (memory)
    liveBytes -= static_cast<int64_t>(::malloc_usable_size(memory));
}

extern "C" {
void *malloc(size_t size) { return countNew(__libc_malloc(size)); }
void *calloc(size_t count, size_t size) {
  return countNew(__libc_calloc(count, size));
}
void *realloc(void *memory, size_t size) {
  countGone(memory);
  void *moved = __libc_realloc(memory, size);
  return countNew(moved || size == 0 ? moved : memory) ? moved : nullptr;
}
void *memalign(size_t alignment, size_t size) {
  return countNew(__libc_memalign(alignment, size));
}
void *aligned_alloc(size_t alignment, size_t size) {
  return memalign(alignment, size);
}
int posix_memalign(void **memory, size_t alignment, size_t size) {
  *memory = memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}
void free(void *memory) {
  countGone(memory);
  __libc_free(memory);
}
}
#endif

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
