//===- RuntimeBench.cpp - What running folded programs costs --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Programs whose functions are C++ with the C interface of compiled code, so
// that only the run-time library is measured.
//
//   check          pins and unpins what a call needs, against the 20 ns allowed
//   check_limited  the same with a memory budget, which notes the time of use
//   call           a whole call of an entry that does nothing, against calling
//                  it directly (libffi passes the arguments): no limit
//   first_call     setWeight and the first call, against allocating and running
//                  the same fold functions, each in a fresh process: one weight
//                  of 64 MB, 100 of 640 KB, and beside a program with the same
//                  parts and other weights, with which it might share
//   memory         peak memory of 100 folded weights: they are there once
//   update         updateWeight, foldInactive, swap, freeInactive of one weight
//                  of 100, against folding all
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/support/Measure.h"
#include "onnxfold/tensorfolding/runtime/FoldedMemory.h"
#include "onnxfold/tensorfolding/runtime/FoldedProgram.h"
#include "onnxfold/tensorfolding/runtime/internal/Snapshot.h"
#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>

using namespace onnxfold;
using namespace onnxfold::tensorfolding;

namespace runtimeBench {

struct Matrix {
  float *allocated, *aligned;
  int64_t offset, sizes[2], strides[2];
};

constexpr int64_t tile = 32;

/// Packs a matrix in tiles of 32 x 32, as weights of matrix products are.
void pack(Matrix *weight, Matrix *packed) {
  int64_t rows = weight->sizes[0], columns = weight->sizes[1];
  float *to = packed->aligned;
  for (int64_t i = 0; i < rows; i += tile)
    for (int64_t k = 0; k < columns; k += tile)
      for (int64_t a = 0; a < tile; ++a, to += tile)
        for (int64_t b = 0; b < tile; ++b)
          to[b] = weight->aligned[(i + a) * columns + k + b];
}

/// Any number of folded values; nothing is read but an argument.
void entry(Matrix *x) { benchmark::DoNotOptimize(x->aligned); }

struct Weights {
  Weights(int count, int64_t rows, int64_t columns, float first)
      : shape{rows, columns} {
    for (int i = 0; i < count; ++i)
      values.emplace_back(rows * columns, first + float(i));
  }
  Tensor tensor(int i) {
    return tensorfolding::tensor(values[i].data(), shape);
  }
  Matrix descriptor(int i) {
    float *data = values[i].data();
    return {data, data, 0, {shape[0], shape[1]}, {shape[1], 1}};
  }
  size_t bytes() const { return 4 * shape[0] * shape[1]; }

  std::vector<std::vector<float>> values;
  std::vector<int64_t> shape;
};

/// entry(x, packed w0, ...), which returns nothing.
std::vector<char> metadataOf(const Weights &weights) {
  onnxfold::tensorfolding::TensorType type = {elementTypeOf<float>(),
                                              weights.shape};
  Metadata metadata;
  metadata.entry.symbol = "entry";
  metadata.arguments = {{"x", ArgumentRole::Input, type}};
  metadata.entryArguments = {original(0)};
  for (uint32_t i = 0; i < weights.values.size(); ++i) {
    metadata.arguments.push_back({"", ArgumentRole::Weight, type});
    metadata.foldedValues.push_back({type, {}});
    Part part;
    part.function.symbol = "pack";
    part.inputs = {i + 1};
    part.outputs = {i};
    part.hash = {1, 1};
    metadata.parts.push_back(part);
    metadata.entryArguments.push_back(folded(i));
  }
  return writeMetadata(metadata);
}

void expect(const Error &error) {
  if (error)
    throw std::runtime_error(error.message());
}

std::unique_ptr<FoldedProgram> loadProgram(const std::vector<char> &metadata) {
  Error error;
  auto program = FoldedProgram::load(
      metadata.data(), metadata.size(),
      [](const std::string &symbol) {
        return symbol == "_mlir_ciface_pack" ? reinterpret_cast<void *>(pack)
                                             : reinterpret_cast<void *>(entry);
      },
      error);
  expect(error);
  return program;
}

void give(FoldedProgram &program, Weights &weights) {
  for (uint32_t i = 0; i < weights.values.size(); ++i)
    expect(program.setWeight(i + 1, weights.tensor(i)));
}

void callOnce(FoldedProgram &program, Weights &weights) {
  Matrix x = weights.descriptor(0);
  void *arguments[] = {&x};
  expect(program.callUnchecked(arguments, nullptr));
}

/// Allocates as the library does, and runs all fold functions.
void foldAlone(Weights &weights) {
  std::vector<void *> packed;
  for (size_t i = 0; i < weights.values.size(); ++i) {
    packed.push_back(std::aligned_alloc(64, weights.bytes()));
    Matrix from = weights.descriptor(i), to = from;
    to.allocated = to.aligned = static_cast<float *>(packed.back());
    pack(&from, &to);
  }
  for (void *memory : packed)
    std::free(memory);
}

bench::Values ratioOf(const bench::Medians &medians, double limit) {
  return {{"seconds", medians.subject},
          {"baseline", medians.baseline},
          {"limit", limit}};
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

constexpr double allowedForCheck = 20e-9;

void check(benchmark::State &state) {
  bench::report(state, [] {
    internal::Snapshot snapshot;
    std::atomic<internal::Snapshot *> published = &snapshot;
    double seconds = bench::medianSeconds(
        [&] {
          auto *pinned = internal::pinPublished(published, [](auto &) {});
          benchmark::DoNotOptimize(pinned);
          benchmark::DoNotOptimize(pinned->unpin());
        },
        15, 0.3);
    return bench::Values{
        {"seconds", seconds}, {"baseline", allowedForCheck}, {"limit", 1}};
  });
}
BENCHMARK(check)->Iterations(1)->UseManualTime();

/// A call beside calling the entry: what `budget` adds to `check` is in it.
void measureCall(benchmark::State &state, uint64_t budget) {
  bench::report(state, [=] {
    setFoldedMemoryBudget(budget);
    Weights weights(1, 32, 32, 0);
    auto program = loadProgram(metadataOf(weights));
    give(*program, weights);
    callOnce(*program, weights);
    Matrix x = weights.descriptor(0);
    void *arguments[] = {&x};
    void (*volatile direct)(Matrix *) = entry;
    bench::Medians medians = bench::measureInTurn(
        [&] { direct(&x); },
        [&] { (void)bool(program->callUnchecked(arguments, nullptr)); }, 15,
        0.3);
    return bench::Values{{"seconds", medians.subject},
                         {"baseline", medians.baseline}};
  });
}
void call(benchmark::State &state) { measureCall(state, noMemoryBudget); }
BENCHMARK(call)->Iterations(1)->UseManualTime();
void call_limited(benchmark::State &state) { measureCall(state, 1 << 30); }
BENCHMARK(call_limited)->Iterations(1)->UseManualTime();

//===----------------------------------------------------------------------===//
// The first call
//===----------------------------------------------------------------------===//

/// Processor time: who else is on the machine does not matter much.
double processorSecondsOf(bench::Body body) {
  std::clock_t start = std::clock();
  body();
  return double(std::clock() - start) / CLOCKS_PER_SEC;
}

/// The least of what bodies take in processes of their own: a first call writes
/// memory that was never used, and what one leaves behind (holes in the heap) is
/// not there for the next. On a shared machine such a process takes up to 1.5
/// times as long as the least disturbed one, so medians would say little.
bench::Medians leastOfFresh(bench::Body baseline, bench::Body subject) {
  double least[2] = {1e9, 1e9};
  for (int i = 0; i < 40; ++i)
    for (int which : {0, 1}) {
      bench::Body body = which ? subject : baseline;
      double seconds = bench::inChild([&] {
        return bench::Values{{"seconds", processorSecondsOf(body)}};
      })["seconds"];
      least[which] = std::min(least[which], seconds);
    }
  return {least[0], least[1]};
}

void measureFirstCall(benchmark::State &state, int count, int64_t rows,
                      int64_t columns, bool besideAnother) {
  bench::report(state, [=] {
    Weights weights(count, rows, columns, 0);
    std::vector<char> metadata = metadataOf(weights);
    Weights others(besideAnother ? count : 0, rows, columns, 1000);
    auto another = besideAnother ? loadProgram(metadata) : nullptr;
    if (another) {
      give(*another, others);
      callOnce(*another, others);
    }
    return ratioOf(leastOfFresh([&] { foldAlone(weights); },
                                [&] {
                                  auto program = loadProgram(metadata);
                                  give(*program, weights);
                                  callOnce(*program, weights);
                                }),
                   1.05);
  });
}
void first_call_64MB(benchmark::State &state) {
  measureFirstCall(state, 1, 4096, 4096, /*besideAnother=*/false);
}
BENCHMARK(first_call_64MB)->Iterations(1)->UseManualTime();
void first_call_100_weights(benchmark::State &state) {
  measureFirstCall(state, 100, 512, 320, /*besideAnother=*/false);
}
BENCHMARK(first_call_100_weights)->Iterations(1)->UseManualTime();
void first_call_100_weights_beside_another(benchmark::State &state) {
  measureFirstCall(state, 100, 512, 320, /*besideAnother=*/true);
}
BENCHMARK(first_call_100_weights_beside_another)
    ->Iterations(1)
    ->UseManualTime();

//===----------------------------------------------------------------------===//
// Memory and updates
//===----------------------------------------------------------------------===//

void memory(benchmark::State &state) {
  bench::report(state, [] {
    Weights weights(100, 1024, 256, 0);
    std::vector<char> metadata = metadataOf(weights);
    bench::PeakMeter meter;
    auto start = std::chrono::steady_clock::now();
    auto program = loadProgram(metadata);
    give(*program, weights);
    callOnce(*program, weights);
    double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start)
            .count();
    return bench::Values{{"seconds", seconds},
                         {"peak_bytes", double(meter.bytes())},
                         {"limit_bytes", 1.01 * 100 * double(weights.bytes())}};
  });
}
BENCHMARK(memory)->Iterations(1)->UseManualTime();

void update_one_of_100(benchmark::State &state) {
  bench::report(state, [] {
    Weights weights(100, 512, 320, 0), updates(2, 512, 320, 1000);
    auto program = loadProgram(metadataOf(weights));
    give(*program, weights);
    callOnce(*program, weights);
    int turn = 0;
    bench::Medians medians = bench::measureInTurn(
        [&] { foldAlone(weights); },
        [&] {
          expect(program->updateWeight(50, updates.tensor(++turn % 2)));
          expect(program->foldInactive());
          expect(program->swap());
          program->freeInactive();
        },
        15, 1.0);
    return ratioOf(medians, 0.02);
  });
}
BENCHMARK(update_one_of_100)->Iterations(1)->UseManualTime();

} // namespace runtimeBench
