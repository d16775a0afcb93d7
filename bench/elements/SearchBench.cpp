//===- SearchBench.cpp - Searching, sorting and scanning against memcpy ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The baseline copies the bytes of the INPUT, because most results are small.
// Limits: issue 4; rows without one are for comparison. Searching rows that
// ascend, or that are mostly equal, must not be slower than others.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/elements/ops/Sort.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace searchBench {

constexpr int64_t length = 1000, rows = 50000;

Elements x(ShapeRef shape) { return Inputs::shaped(Inputs::get().x, shape); }

/// [rows, length] of f(x, index in its row).
template <class F> Elements derived(F f) {
  ElementsArray<float> in(x({rows, length}));
  return Elements::build<float>({rows, length},
                                [&](llvm::MutableArrayRef<float> out) {
                                  for (int64_t i = 0; i < rows * length; ++i)
                                    out[i] = f(in[i], i % length);
                                });
}

const Elements &ascending() {
  static Elements e = derived([](float, int64_t i) { return float(i); });
  return e;
}
const Elements &sparse() { // one of 1,000 is 1
  static Elements e =
      derived([](float v, int64_t) { return v < -3.992f ? 1.0f : 0.0f; });
  return e;
}
const Elements &few() { // 100 different ones
  static Elements e =
      derived([](float v, int64_t) { return std::floor(v * 12.5f); });
  return e;
}

/// Inputs of its own are made before, not in the processes that measure.
void add(Row row, const Elements &(*prepare)()) {
  benchmark::RegisterBenchmark(row.name.c_str(),
                               [=](benchmark::State &state) {
                                 Inputs::get();
                                 if (prepare)
                                   prepare();
                                 report(state, [&] { return measure(row); });
                               })
      ->Iterations(1)
      ->UseManualTime()
      ->Unit(benchmark::kMillisecond);
}

void row(std::string name, double limit,
         std::function<std::vector<Elements>()> make, bool eager = false,
         int64_t elements = rows * length,
         const Elements &(*prepare)() = nullptr) {
  add({.name = std::move(name),
       .make = std::move(make),
       .limit = limit,
       .bytes = elements * 4,
       .eager = eager},
      prepare);
}

void addTopK() {
  auto both = [](const Elements &e, int64_t k, int64_t axis = 1) {
    TopK best = topK(e, k, axis, /*largest=*/true);
    return std::vector{best.values, best.indices};
  };
  row("topk_10_of_1000", 6, [=] { return both(x({rows, length}), 10); });
  row(
      "topk_10_of_1000_ascending", 6, [=] { return both(ascending(), 10); },
      false, rows * length, ascending);
  row(
      "topk_10_of_1000_mostly_zero", 6, [=] { return both(sparse(), 10); },
      false, rows * length, sparse);
  row("topk_1_of_1000", 6, [=] { return both(x({rows, length}), 1); });
  row("topk_100_of_1000", 0, [=] { return both(x({rows, length}), 100); });
  row("topk_10_of_50000_first_axis", 0, [=] {
    return both(x({rows, length}), 10, 0);
  });
  row("topk_10_of_all", 6, [=] { return both(x({count}), 10, 0); });
}

void addNonZero() {
  auto of = [](const Elements &e) { return std::vector{nonZero(e)}; };
  row(
      "nonzero_1_of_1000", 6, [=] { return of(sparse()); }, /*eager=*/true,
      rows * length, sparse);
  row(
      "nonzero_1_of_1000_of_program", 6,
      [=] { return of(mapTo<bool>(sparse(), [](auto v) { return v == 1; })); },
      /*eager=*/true);
  // Four times the bytes of the input, which is a quarter of the others.
  addRow({.name = "nonzero_all",
          .make =
              [=] {
                return of(x({rows / 4, length}));
              },
          .limit = 6,
          .eager = true});
}

void addScans() {
  auto sums = [](ShapeRef shape, int64_t axis) {
    return [shape = Shape(shape), axis] {
      return std::vector{cumulativeSum(x(shape), axis)};
    };
  };
  row("cumsum_last_axis", 6, sums({rows, length}, 1));
  row("cumsum_first_axis", 6, sums({rows, length}, 0));
  row("cumsum_middle_axis", 6, sums({500, 100, length}, 1));
  row("cumsum_of_all", 6, sums({count}, 0));
  row("cumsum_own_maximum", 0, [] {
    return std::vector{
        scanWith<float>(x({rows, length}), 1, -INFINITY,
                        [](float a, float b) { return maximum(a, b); })};
  });
}

void addSorting() {
  constexpr int64_t tenth = rows / 10 * length;
  row("sort_rows_of_1000", 0, [] {
    return std::vector{sort(x({rows, length}), 1)};
  });
  row(
      "sort_5_million", 0, [] { return std::vector{sort(x({tenth}), 0)}; },
      false, tenth);
  auto all = [](const Unique &u) {
    return std::vector{u.values, u.first, u.inverse, u.counts};
  };
  row(
      "unique_5_million_random", 0, [=] { return all(unique(x({tenth}))); },
      true, tenth);
  row(
      "unique_5_million_of_100", 0,
      [=] { return all(unique(few().slice(0, 0, rows / 10))); }, true, tenth,
      few);
}

const bool registered = [] {
  addTopK();
  addNonZero();
  addScans();
  addSorting();
  return true;
}();

} // namespace searchBench
