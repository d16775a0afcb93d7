//===- ConvertBench.cpp - Conversions of blocks against memcpy ------------===//
//
// The baseline moves as many bytes as the conversion: a memcpy of half of what
// the conversion reads and writes together. `large` does not fit any cache,
// `small` stays in L2.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/widenum/Convert.h"
#include "onnxfold/widenum/Packing.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

using namespace onnxfold;

namespace {

constexpr size_t largeCount = 1 << 24, smallCount = 1 << 13;
constexpr double noLimit = 0;

/// Median seconds of one call, each sample long enough for the clock.
template <class F> double medianSeconds(F body) {
  using Clock = std::chrono::steady_clock;
  constexpr int samples = 15;
  int calls = 1;
  std::vector<double> seconds;
  body();
  while (seconds.size() < samples) {
    auto start = Clock::now();
    for (int i = 0; i < calls; ++i)
      body();
    double elapsed =
        std::chrono::duration<double>(Clock::now() - start).count();
    if (elapsed < 1e-4)
      calls *= 2;
    else
      seconds.push_back(elapsed / calls);
  }
  std::nth_element(seconds.begin(), seconds.begin() + samples / 2,
                   seconds.end());
  return seconds[samples / 2];
}

double memcpySeconds(size_t bytes) {
  std::vector<char> from(bytes, 1), to(bytes, 2);
  return medianSeconds([&] {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::DoNotOptimize(to.data());
    benchmark::ClobberMemory();
  });
}

void report(benchmark::State &state, size_t count, size_t traffic,
            double limit) {
  state.counters["baseline"] = memcpySeconds(traffic / 2);
  if (limit != noLimit)
    state.counters["limit"] = limit;
  state.counters["per_element"] =
      benchmark::Counter(count, benchmark::Counter::kIsIterationInvariantRate |
                                    benchmark::Counter::kInvert);
}

/// Numbers that every type of the benchmark can hold.
std::vector<char> input(DataType type, size_t count) {
  std::vector<float> numbers(count);
  for (size_t i = 0; i < count; ++i)
    numbers[i] = static_cast<float>(i * 2654435761u >> 25);
  std::vector<char> result(count * byteWidth(type));
  convertBlock(type, result.data(), DataType::Float32, numbers.data(), count);
  return result;
}

void convertTypes(benchmark::State &state, DataType from, DataType to,
                  size_t count, double limit) {
  std::vector<char> in = input(from, count);
  std::vector<char> out(count * byteWidth(to));
  for (auto _ : state) {
    convertBlock(to, out.data(), from, in.data(), count);
    benchmark::ClobberMemory();
  }
  report(state, count, in.size() + out.size(), limit);
}

void checkRange(benchmark::State &state, DataType from, DataType to,
                size_t count, double limit) {
  std::vector<char> in = input(from, count);
  for (auto _ : state)
    benchmark::DoNotOptimize(allInRange(to, from, in.data(), count));
  report(state, count, in.size(), limit);
}

void unpackElements(benchmark::State &state, DataType type, double limit) {
  size_t bytes = packedBytes(type, largeCount);
  std::vector<char> in(bytes, 0x6b), out(largeCount);
  for (auto _ : state) {
    unpack(type, in.data(), out.data(), 0, largeCount);
    benchmark::ClobberMemory();
  }
  report(state, largeCount, in.size() + out.size(), limit);
}

/// Both sizes. Only `large` has a limit: there the memory decides, on every
/// processor; what a cache delivers, only the widest vectors keep up with.
void addPair(DataType from, DataType to) {
  std::string pair = name(from).str() + "-" + name(to).str();
  benchmark::RegisterBenchmark(("convert/" + pair + "/large").c_str(),
                               convertTypes, from, to, largeCount, 2.0);
  benchmark::RegisterBenchmark(("convert/" + pair + "/small").c_str(),
                               convertTypes, from, to, smallCount, noLimit);
}

const bool registered = [] {
  using enum DataType;
  addPair(Float32, Float32); // memcpy itself
  addPair(Float32, Float16);
  addPair(Float16, Float32);
  addPair(Float32, BFloat16);
  addPair(BFloat16, Float32);
  addPair(Float32, Float64);
  addPair(Float64, Float32);
  addPair(Float64, Float16);
  addPair(Float16, Float64);
  addPair(Int64, Int32);
  addPair(Int32, Int64);
  addPair(Float32, Int32);
  addPair(Int32, Float32);
  addPair(Float32, Int64);
  addPair(Int64, Float32);
  addPair(Float32, UInt8);
  addPair(UInt8, Float32);
  addPair(Float32, Int8);
  addPair(Int8, Float32);
  addPair(Float32, Bool);
  addPair(Bool, Float32);
  addPair(Float32, Float8E4M3FN);
  addPair(Float8E4M3FN, Float32);
  addPair(Int32, UInt8);      // through a block of int64
  addPair(Float16, BFloat16); // through a block of float
  benchmark::RegisterBenchmark("allInRange/f32-i8/large", checkRange, Float32,
                               Int8, largeCount, 2.0);
  benchmark::RegisterBenchmark("unpack/i4", unpackElements, Int4, 2.0);
  benchmark::RegisterBenchmark("unpack/u2", unpackElements, UInt2, 3.0);
  benchmark::RegisterBenchmark("unpack/f6E2M3", unpackElements, Float6E2M3,
                               noLimit);
  return true;
}();

} // namespace
