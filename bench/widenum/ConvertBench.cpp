//===- ConvertBench.cpp - Conversions of blocks against memcpy ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The baseline moves as many bytes as the conversion: a memcpy of half of what
// the conversion reads and writes together. `large` does not fit any cache,
// `small` fits L2.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/support/Measure.h"
#include "onnxfold/widenum/Convert.h"
#include "onnxfold/widenum/Packing.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

using namespace onnxfold;
using namespace onnxfold::bench;

namespace convertBench {

constexpr size_t largeCount = 50'000'000, smallCount = 1 << 13;
constexpr double noLimit = 0;

/// Numbers that every type of the benchmark can hold.
std::vector<char> input(DataType type, size_t count) {
  std::vector<char> result(count * byteWidth(type));
  std::vector<float> numbers(std::min<size_t>(count, 1 << 16));
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = static_cast<float>(i * 2654435761u >> 25);
  for (size_t done = 0; done < count; done += numbers.size())
    convertBlock(type, result.data() + done * byteWidth(type),
                 DataType::Float32, numbers.data(),
                 std::min(numbers.size(), count - done));
  return result;
}

/// `subject` reads and writes `traffic` bytes together, for `count` elements.
Values measure(size_t count, size_t traffic, double limit, Body subject) {
  std::vector<char> from(traffic / 2, 1), to(traffic / 2, 2);
  Medians medians = measureInTurn(
      [&] {
        std::memcpy(to.data(), from.data(), from.size());
        benchmark::ClobberMemory();
      },
      [&] {
        subject();
        benchmark::ClobberMemory();
      });
  Values values = {{"seconds", medians.subject},
                   {"baseline", medians.baseline},
                   {"picoseconds", medians.subject / double(count) * 1e12}};
  if (limit != noLimit)
    values["limit"] = limit;
  return values;
}

/// A row with a process of its own.
void add(const std::string &name, std::function<Values()> run) {
  benchmark::RegisterBenchmark(
      name.c_str(), [run](benchmark::State &state) { report(state, run); })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMicrosecond);
}

void addConversion(const std::string &name, DataType from, DataType to,
                   size_t count, double limit) {
  add(name, [=] {
    std::vector<char> in = input(from, count);
    std::vector<char> out(count * byteWidth(to));
    return measure(count, in.size() + out.size(), limit, [&] {
      convertBlock(to, out.data(), from, in.data(), count);
    });
  });
}

/// Both sizes. Only `large` has a limit: there the memory decides, on every
/// processor; what a cache delivers, only the widest vectors keep up with.
void addPair(DataType from, DataType to) {
  std::string pair = "convert/" + name(from).str() + "-" + name(to).str();
  addConversion(pair + "/large", from, to, largeCount, 2.0);
  addConversion(pair + "/small", from, to, smallCount, noLimit);
}

void addUnpacking(DataType type, double limit) {
  add("unpack/" + name(type).str(), [=] {
    std::vector<char> in(packedBytes(type, largeCount), 0x6b), out(largeCount);
    return measure(largeCount, in.size() + out.size(), limit,
                   [&] { unpack(type, in.data(), out.data(), 0, largeCount); });
  });
}

void addRangeCheck() {
  add("allInRange/f32-i8/large", [] {
    std::vector<char> in = input(DataType::Float32, largeCount);
    return measure(largeCount, in.size(), 2.0, [&] {
      benchmark::DoNotOptimize(
          allInRange(DataType::Int8, DataType::Float32, in.data(), largeCount));
    });
  });
}

const bool registered = [] {
  using enum DataType;
  addPair(Float32, Float32); // memcpy itself
  for (DataType other : {Float16, BFloat16, Float64, Int32, Int64, UInt8, Int8,
                         Bool, Float8E4M3FN}) {
    addPair(Float32, other);
    addPair(other, Float32);
  }
  addPair(Float64, Float16);
  addPair(Float16, Float64);
  addPair(Int64, Int32);
  addPair(Int32, Int64);
  addPair(Int32, UInt8);      // through a block of int64
  addPair(Float16, BFloat16); // through a block of float
  addRangeCheck();
  addUnpacking(Int4, 2.0);
  addUnpacking(UInt2, 3.0);
  addUnpacking(Float6E2M3, noLimit);
  return true;
}();

} // namespace convertBench
