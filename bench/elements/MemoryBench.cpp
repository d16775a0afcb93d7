//===- MemoryBench.cpp - What memory costs: fresh, recycled, spilled ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Results of 200 MB on one thread, and small buffers. The baseline of fresh/*
// is a memcpy into fresh huge pages, of the others one between buffers that are
// resident, of spill/write a write of the same bytes to an unlinked file.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/support/Measure.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <cstdlib>
#include <cstring>
#include <optional>
#include <sys/mman.h>
#include <thread>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace memoryBench {

constexpr int64_t count = 50'000'000;
constexpr uint64_t bytes = count * sizeof(float);

/// Made before the children, so that all share it.
const Elements &input() {
  static Elements x =
      Elements::build<float>({count}, [](llvm::MutableArrayRef<float> out) {
        for (int64_t i = 0; i < count; ++i)
          out[i] = float(i % 1021);
      });
  return x;
}

const char *inputBytes() { return Elements::Reader(input()).contiguousBytes(); }

/// A copy of the input that is computed on demand.
Elements copyOnDemand() {
  return Elements::deferred(DataType::Float32, {count}, {},
                            [](char *out) { input().read(out); });
}

Elements negated(const Elements &x) {
  return map(x, [](auto v) { return -v; });
}

void add(const char *name, Values (*measure)()) {
  benchmark::RegisterBenchmark(name,
                               [measure](benchmark::State &state) {
                                 inputBytes();
                                 report(state, measure);
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// `limit` 0: there is none.
Values values(Medians medians, double limit) {
  Values result = {{"seconds", medians.subject},
                   {"baseline", medians.baseline}};
  if (limit > 0)
    result["limit"] = limit;
  return result;
}

/// Nothing is recycled: every result has memory that nobody has used.
Values fresh(llvm::function_ref<Elements()> make) {
  MemoryLimits limits = memoryLimits();
  limits.recycledBytes = 0;
  setMemoryLimits(limits);
  const char *from = inputBytes();
  return values(measureInTurn(
                    [&] {
                      void *to = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                      madvise(to, bytes, MADV_HUGEPAGE);
                      std::memcpy(to, from, bytes);
                      munmap(to, bytes);
                    },
                    [&] { make().materialize(); }),
                1.2);
}

/// Against memcpy between resident buffers.
Values warm(Body subject, double limit) {
  HeapBuffer to(bytes);
  const char *from = inputBytes();
  return values(
      measureInTurn([&] { std::memcpy(to.data(), from, bytes); }, subject),
      limit);
}

Values recycled() {
  MemoryLimits limits = memoryLimits();
  limits.recycledBytes = 2 * bytes;
  setMemoryLimits(limits);
  return warm([] { copyOnDemand().materialize(); }, 1.2);
}

/// x = -x over x itself: as many bytes are read and written as memcpy does.
Values inPlace() {
  Elements x = copyOnDemand().materialize();
  resetPeakHeapBytes();
  uint64_t before = memoryStatistics().heapBytes;
  Values result = warm(
      [&] {
        Elements y = negated(std::exchange(x, {}));
        x = std::move(y).materialize();
      },
      1.5);
  // Of the baseline's buffer, and of the result where it is a new one.
  result["peak_bytes"] =
      memoryStatistics().peakHeapBytes - before - double(bytes);
  result["limit_bytes"] = 1 << 20;
  return result;
}

Values spillWrite() {
  std::FILE *file = std::tmpfile();
  const char *from = inputBytes();
  Values result = values(measureInTurn(
                             [&] {
                               std::rewind(file);
                               std::fwrite(from, 1, bytes, file);
                               std::fflush(file);
                             },
                             [&] { spill(input()); }),
                         2);
  std::fclose(file);
  return result;
}

Values spillRead() {
  Elements x = spill(input());
  HeapBuffer to(bytes);
  return warm([&] { x.read(to.data()); }, 0);
}

/// A thousand buffers of 64 bytes against as many of malloc's.
Values smallBuffers(int threads) {
  auto inThreads = [threads](llvm::function_ref<void()> body) {
    std::vector<std::thread> others;
    for (int i = 1; i < threads; ++i)
      others.emplace_back(body);
    body();
    for (std::thread &other : others)
      other.join();
  };
  constexpr int rounds = 200, buffers = 1000;
  return values(
      measureInTurn(
          [&] {
            inThreads([] {
              std::vector<void *> all(buffers);
              for (int r = 0; r < rounds; ++r) {
                for (void *&p : all)
                  benchmark::DoNotOptimize(p = std::aligned_alloc(64, 64));
                for (void *p : all)
                  std::free(p);
              }
            });
          },
          [&] {
            inThreads([] {
              std::vector<llvm::IntrusiveRefCntPtr<HeapBuffer>> all(buffers);
              for (int r = 0; r < rounds; ++r) {
                for (auto &p : all)
                  p = llvm::makeIntrusiveRefCnt<HeapBuffer>(64);
                for (auto &p : all)
                  p = nullptr;
              }
            });
          }),
      0);
}

[[maybe_unused]] const bool registered = [] {
  add("fresh/computed", [] { return fresh([] { return copyOnDemand(); }); });
  add("fresh/mapped", [] { return fresh([] { return negated(input()); }); });
  add("recycled/computed", recycled);
  add("in_place/mapped", inPlace);
  add("spill/write", spillWrite);
  add("spill/read", spillRead);
  add("small_buffers/1_thread", [] { return smallBuffers(1); });
  add("small_buffers/2_threads", [] { return smallBuffers(2); });
  return true;
}();

} // namespace memoryBench
