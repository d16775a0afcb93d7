//===- SearchBench.cpp - Searching, sorting and scanning against memcpy ---===//
//
// On 50 million f32 (200 MB), on one thread. The baseline is a memcpy of the
// INPUT's bytes between buffers that are already resident, because most results
// are small; limits are those of the issue. Random values unless the name says
// otherwise: searching ascending rows must not be slower than others.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/elements/Sort.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <functional>

using namespace onnxfold;

namespace {

constexpr int64_t rowLength = 1000, count = 50000 * rowLength;

struct Inputs {
  Elements random, ascending, sparse, few;
  HeapBuffer out{count * 8};

  Inputs() {
    auto make = [](auto f) {
      return Elements::build<float>({count / rowLength, rowLength},
                                    [&](llvm::MutableArrayRef<float> o) {
                                      for (size_t i = 0; i < o.size(); ++i)
                                        o[i] = f(i);
                                    });
    };
    uint64_t state = 1;
    auto next = [&] {
      state = state * 6364136223846793005u + 1442695040888963407u;
      return uint32_t(state >> 33);
    };
    random = make([&](size_t) { return float(next()) * 0x1p-31f - 0.5f; });
    ascending = make([&](size_t i) { return float(i % rowLength); });
    sparse = make([&](size_t) { return next() % 1000 == 0 ? 1.0f : 0.0f; });
    few = make([&](size_t) { return float(next() % 100); });
    std::memset(out.data(), 1, out.size());
  }
};

Inputs &inputs() {
  static Inputs all;
  return all;
}

double memcpySeconds(uint64_t bytes) {
  using Clock = std::chrono::steady_clock;
  const char *from = Elements::Reader(inputs().random).contiguousBytes();
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    auto start = Clock::now();
    std::memcpy(inputs().out.data(), from, bytes);
    benchmark::ClobberMemory();
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

/// `bytes`: of the memcpy.
void add(const char *name, double limit,
         std::function<void(Inputs &, char *out)> run,
         int64_t bytes = count * 4) {
  benchmark::RegisterBenchmark(name,
                               [=](benchmark::State &state) {
                                 state.counters["baseline"] =
                                     memcpySeconds(bytes);
                                 if (limit > 0)
                                   state.counters["limit"] = limit;
                                 for (auto _ : state) {
                                   run(inputs(), inputs().out.data());
                                   benchmark::ClobberMemory();
                                 }
                               })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.3);
}

Elements equalsOne(const Elements &x) {
  return mapTo<bool>(x, [](auto v) { return v == 1; });
}

const bool registered = [] {
  auto topk = [](Elements Inputs::*x, int64_t k, int64_t axis = 1) {
    return [=](Inputs &in, char *out) {
      TopK best = topK(in.*x, k, axis, /*largest=*/true);
      best.indices.read(out);
      best.values.read(out + best.indices.bytes());
    };
  };
  add("topk_10_of_1000", 6, topk(&Inputs::random, 10));
  add("topk_10_of_1000_ascending", 6, topk(&Inputs::ascending, 10));
  add("topk_10_of_1000_mostly_zero", 6, topk(&Inputs::sparse, 10));
  add("topk_1_of_1000", 6, topk(&Inputs::random, 1));
  add("topk_100_of_1000", 0, topk(&Inputs::random, 100));
  add("topk_10_of_50000_first_axis", 0, topk(&Inputs::random, 10, 0));
  add("topk_10_of_all", 0, [](Inputs &in, char *out) {
    TopK best = topK(in.random.reshape({count}), 10, 0, true);
    best.indices.read(out);
    best.values.read(out + 80);
  });
  add("nonzero_1_of_1000", 6, [](Inputs &in, char *) { nonZero(in.sparse); });
  add("nonzero_1_of_1000_of_program", 6,
      [](Inputs &in, char *) { nonZero(equalsOne(in.sparse)); });
  // The result has 16 bytes for each element of an eighth of the input.
  add(
      "nonzero_all", 6,
      [](Inputs &in, char *) { nonZero(in.random.slice(0, 0, 50000 / 8)); },
      count / 8 * 16);
  for (bool last : {true, false}) {
    int64_t axis = last;
    std::string name = last ? "cumsum_last_axis" : "cumsum_first_axis";
    add(name.c_str(), 6, [=](Inputs &in, char *out) {
      cumulativeSum(in.random, axis).read(out);
    });
  }
  add("cumsum_of_all", 6, [](Inputs &in, char *out) {
    cumulativeSum(in.random.reshape({count}), 0).read(out);
  });
  add("cumsum_middle_axis", 6, [](Inputs &in, char *out) {
    cumulativeSum(in.random.reshape({500, 100, 1000}), 1).read(out);
  });
  add("sort_rows_of_1000", 0,
      [](Inputs &in, char *out) { sort(in.random, 1).read(out); });

  add(
      "sort_5_million", 0,
      [](Inputs &in, char *out) {
        sort(in.random.slice(0, 0, 5000).reshape({count / 10}), 0).read(out);
      },
      count / 10 * 4);
  add(
      "unique_5_million_random", 0,
      [](Inputs &in, char *) { unique(in.random.slice(0, 0, 5000)); },
      count / 10 * 4);
  add(
      "unique_5_million_of_100", 0,
      [](Inputs &in, char *) { unique(in.few.slice(0, 0, 5000)); },
      count / 10 * 4);
  return true;
}();

} // namespace
