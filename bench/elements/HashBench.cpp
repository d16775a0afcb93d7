//===- HashBench.cpp - Content hash and comparison against memcpy ---------===//
//
// 50 million f32 (200 MB) on one thread. The baseline is a memcpy of the bytes
// that are hashed or compared (of one side), between buffers that are already
// resident. Limit of the hash: 1.0 (issue 4). To compare reads twice as much,
// as a memcpy moves twice as much as it reads.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ContentHash.h"
#include "onnxfold/elements/Elementwise.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <functional>

using namespace onnxfold;

namespace {

constexpr int64_t side = 7072, count = side * side;

struct Inputs {
  Elements x, same;

  Inputs() {
    x = Elements::build<float>({side, side},
                               [](llvm::MutableArrayRef<float> out) {
                                 for (size_t i = 0; i < out.size(); ++i)
                                   out[i] = 0.5f * float(i % 1021);
                               });
    same = Elements::build<float>(
        {side, side},
        [&](llvm::MutableArrayRef<float> out) { x.read(out.data()); });
  }
};

Inputs &inputs() {
  static Inputs all;
  return all;
}

double memcpySeconds() {
  using Clock = std::chrono::steady_clock;
  static HeapBuffer out(count * 4);
  const char *from = Elements::Reader(inputs().x).contiguousBytes();
  std::memcpy(out.data(), from, count * 4); // makes it resident
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    auto start = Clock::now();
    std::memcpy(out.data(), from, count * 4);
    benchmark::ClobberMemory();
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

void add(const char *name, std::function<void()> run, double limit = 0) {
  benchmark::RegisterBenchmark(name,
                               [=](benchmark::State &state) {
                                 state.counters["baseline"] = memcpySeconds();
                                 if (limit > 0)
                                   state.counters["limit"] = limit;
                                 for (auto _ : state)
                                   run();
                               })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.3);
}

void hash(const Elements &x) { benchmark::DoNotOptimize(contentHash(x)); }

const bool registered = [] {
  add(
      "hash", [] { hash(inputs().x); }, 1.0);
  add("hash_transposed", [] { hash(inputs().x.transpose({1, 0})); });
  add("hash_chain_2", [] {
    auto twice = [](auto v) { return v + v; };
    hash(map(map(inputs().x, twice), twice));
  });
  add(
      "hash_splat",
      [] {
        hash(Elements::splat<float>({side, side}, 1));
      },
      0.1);
  add(
      "identical",
      [] { benchmark::DoNotOptimize(inputs().x.identicalTo(inputs().same)); },
      1.5);
  add(
      "identical_early_exit",
      [] {
        Elements other =
            inputs().same.slice({side - 1, side - 1}, {side, side}, {-1, -1});
        benchmark::DoNotOptimize(inputs().x.identicalTo(other));
      },
      0.1);
  return true;
}();

} // namespace
