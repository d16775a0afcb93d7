//===- Rows.h - Rows of the table of tensor operations ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What the programs of this folder share: the inputs, and the way a row is
// measured. bench/README.md says what the columns mean.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_BENCH_ELEMENTS_ROWS_H
#define ONNXFOLD_BENCH_ELEMENTS_ROWS_H

#include "onnxfold/bench/support/Measure.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <sys/mman.h>
#include <vector>

namespace onnxfold::bench {

constexpr int64_t side = 7072, count = side * side;

/// Tensors of the full size, in [-4, 4), without a pattern that a branch
/// predictor could learn; made once.
struct Inputs {
  Elements x = make(1), y = make(2);

  /// The first elements of x or y in another shape.
  static Elements shaped(const Elements &e, ShapeRef shape) {
    return e.reshape({count}).slice(0, 0, numElements(shape)).reshape(shape);
  }

  static Inputs &get() {
    static Inputs all;
    return all;
  }

private:
  static Elements make(uint64_t seed) {
    return Elements::build<float>(
        {side, side}, [seed](llvm::MutableArrayRef<float> out) {
          uint64_t state = seed;
          for (float &value : out) {
            state = state * 6364136223846793005 + 1442695040888963407;
            value = float(int32_t(state >> 32)) * 0x1p-29f;
          }
        });
  }
};

inline Elements scalar(float v) { return Elements::fromValues<float>({}, {v}); }

/// What a row measures, on inputs of about 50 million elements.
struct Row {
  std::string name;
  /// Makes the results, deferred or not; they are read one after the other.
  /// Called once before anything is measured, so that it may keep inputs.
  std::function<std::vector<Elements>()> make;
  double limit = 0; // 0: nobody set one
  /// Bytes that the baseline copies; 0: those of the results.
  int64_t bytes = 0;
  /// Bound by arithmetic: two threads are compared with a multiply-add loop.
  bool computes = false;
  /// The operation makes its results at once, so that nothing is left to read.
  bool eager = false;
  double freshLimit = 0;
};

/// memcpy of so many bytes, each half by a thread where there are two, as long
/// as the C library wants them to write past the caches.
inline void copyHalves(char *out, const char *in, int64_t bytes) {
  int64_t half = bytes / 2 + 1;
  parallelFor(bytes, half, [&](int64_t begin, int64_t end) {
    std::memcpy(out + begin, in + begin, end - begin);
  });
}

/// Multiplications and additions in registers, some 5 ms of one thread.
inline void arithmeticLoop() {
  parallelFor(64, 1, [](int64_t begin, int64_t end) {
    for (int64_t part = begin; part < end; ++part) {
      double sums[16] = {};
      for (int64_t i = 0; i < 40000; ++i)
        for (double &sum : sums)
          sum = sum * 0.999 + 1;
      benchmark::DoNotOptimize(sums);
    }
  });
}

inline std::vector<Elements> materialized(const Row &row) {
  std::vector<Elements> results = row.make();
  for (Elements &result : results)
    result = std::move(result).materialize();
  return results;
}

/// Peak memory beyond inputs and results, in a process that has nothing to
/// recycle; and the bytes of the results.
inline Values memoryOf(const Row &row) {
  return inChild([&]() -> Values {
    PeakMeter peak;
    std::vector<Elements> results = materialized(row);
    int64_t bytes = 0;
    for (const Elements &e : results)
      bytes += e.bytes();
    return {{"peak_bytes", std::max<double>(0, peak.bytes() - bytes)},
            {"bytes", bytes}};
  });
}

/// The first use of fresh memory, over memcpy into fresh huge pages. Each
/// sample has a process of its own, so that no memory is recycled.
inline double freshRatio(const Row &row, const char *in, int64_t bytes) {
  std::array<double, 3> ratios;
  for (double &ratio : ratios)
    ratio = inChild([&]() -> Values {
      void *fresh = nullptr;
      double copy = secondsOf([&] {
        fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        madvise(fresh, bytes, MADV_HUGEPAGE);
        std::memcpy(fresh, in, bytes);
      });
      munmap(fresh, bytes);
      std::vector<Elements> results;
      double own = secondsOf([&] { results = materialized(row); });
      return {{"ratio", own / copy}};
    })["ratio"];
  std::sort(ratios.begin(), ratios.end());
  return ratios[1];
}

/// How much two threads gain, and what is possible.
inline void addSpeedup(Values &values, const Row &row, Body copy,
                       Body subject) {
  Body best = copy;
  if (row.computes)
    best = arithmeticLoop;
  Medians one = measureInTurn(best, subject);
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(2));
  ParallelScope scope(pool);
  Medians two = measureInTurn(best, subject);
  values["speedup"] = one.subject / two.subject;
  values["speedup_possible"] = one.baseline / two.baseline;
  // Less is over before a second thread has woken up.
  if (row.limit > 0 && one.subject > 1e-3)
    values["limit_speedup"] = 0.85;
}

inline Values measure(const Row &row) {
  MemoryLimits limits = memoryLimits(), none = limits;
  none.recycledBytes = 0;
  row.make(); // keeps its inputs alive, and nothing else
  setMemoryLimits(none);
  setMemoryLimits(limits);
  Values values = memoryOf(row);
  auto resultBytes = int64_t(values["bytes"]);
  values.erase("bytes");
  if (row.limit > 0)
    values["limit_bytes"] = 8 << 20;
  int64_t bytes = row.bytes ? row.bytes : resultBytes;
  HeapBuffer from(bytes), out(std::max(bytes, resultBytes));
  std::memset(from.data(), 1, from.size());
  std::memset(out.data(), 2, out.size());
  auto subject = [&] {
    char *to = out.data();
    for (const Elements &result : row.make()) {
      if (!row.eager)
        result.read(to);
      to += result.bytes();
    }
  };
  auto copy = [&] { copyHalves(out.data(), from.data(), bytes); };
  values["fresh"] = freshRatio(row, from.data(), bytes);
  limits.recycledBytes = uint64_t(1) << 30; // for what is made at once
  setMemoryLimits(limits);
  Medians warm = measureInTurn(copy, subject);
  values["seconds"] = warm.subject;
  values["baseline"] = warm.baseline;
  addSpeedup(values, row, copy, subject);
  if (row.limit > 0)
    values["limit"] = row.limit;
  if (row.freshLimit > 0)
    values["limit_fresh"] = row.freshLimit;
  return values;
}

inline void addRow(Row row) {
  benchmark::RegisterBenchmark(row.name.c_str(),
                               [row](benchmark::State &state) {
                                 Inputs::get(); // shared by all children
                                 report(state, [&] { return measure(row); });
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

/// What must take less than a microsecond, whatever the size of `of`: at 1,000
/// and at 50 million elements.
inline void addInstant(const std::string &name,
                       std::function<void(const Elements &)> run) {
  for (int64_t n : {32, 7072})
    benchmark::RegisterBenchmark(
        (name + (n == 32 ? "/1e3" : "/5e7")).c_str(),
        [run, n](benchmark::State &state) {
          Elements x = Inputs::shaped(Inputs::get().x, {n, n});
          report(state, [&]() -> Values {
            run(x); // what is made once
            PeakMeter peak;
            double seconds = medianSeconds([&] { run(x); }, 101);
            return {{"seconds", seconds},
                    {"baseline", 1e-6},
                    {"limit", 1},
                    {"peak_bytes",
                     double(peak.bytes())}, // as exactly as the kernel counts
                    {"limit_bytes", 1 << 20}};
          });
        })
        ->Iterations(1)
        ->UseManualTime()
        ->Unit(benchmark::kNanosecond);
}

} // namespace onnxfold::bench

#endif // ONNXFOLD_BENCH_ELEMENTS_ROWS_H
