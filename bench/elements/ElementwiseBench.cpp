//===- ElementwiseBench.cpp - Functions of elements against memcpy --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits: issue 4; rows without one are for comparison. Functions that compute
// in double are bound by arithmetic.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ops/Math.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace elementwiseBench {

const Elements &x() { return Inputs::get().x; }
const Elements &y() { return Inputs::get().y; }

struct Add {
  template <class T> T operator()(T a, T b) const { return add(a, b); }
};
struct Subtract {
  template <class T> T operator()(T a, T b) const { return subtract(a, b); }
};
struct Multiply {
  template <class T> T operator()(T a, T b) const { return multiply(a, b); }
};
struct Maximum {
  template <class T> T operator()(T a, T b) const { return maximum(a, b); }
};
struct Less {
  template <class T> bool operator()(T a, T b) const { return a < b; }
};

/// add, mul, sub, max by splats, n operations.
Elements splatChain(int n) {
  Elements r = x();
  for (int i = 0; i < n; ++i) {
    Elements c = scalar(0.75f + float(i));
    switch (i % 4) {
    case 0:
      r = zip(r, c, Add());
      break;
    case 1:
      r = zip(r, c, Multiply());
      break;
    case 2:
      r = zip(r, c, Subtract());
      break;
    default:
      r = zip(r, c, Maximum());
    }
  }
  return r;
}

Elements fullChain(int n) {
  Elements r = x();
  for (int i = 0; i < n; ++i)
    r = zip(r, y(), Add());
  return r;
}

/// A row with one result.
void row(std::string name, double limit, std::function<Elements()> make,
         double freshLimit = 0) {
  addRow({.name = std::move(name),
          .make = [make] { return std::vector{make()}; },
          .limit = limit,
          .freshLimit = freshLimit});
}

void addSimple() {
  row(
      "add", 2.3, [] { return zip(x(), y(), Add()); }, 1.2);
  row(
      "mul", 2.3, [] { return zip(x(), y(), Multiply()); }, 1.2);
  // Its result has a quarter of the bytes: reading the operands takes 4.5 times
  // as long as copying that. So the baseline is that of the other rows.
  addRow({.name = "compare",
          .make = [] { return std::vector{zipTo<bool>(x(), y(), Less())}; },
          .limit = 2.3,
          .bytes = count * 4});
  row(
      "clip", 2.3, [] { return clip(x(), scalar(-1), scalar(1)); }, 1.2);
  static const Elements mask = zipTo<bool>(x(), y(), Less()).materialize();
  row(
      "where", 2.3, [] { return select(mask, x(), y()); }, 1.2);
  row("where_of_compare", 0,
      [] { return select(zipTo<bool>(x(), y(), Less()), x(), y()); });
  row("sqrt", 0,
      [] { return mapFloat(x(), [](auto v) { return std::sqrt(v); }); });
  static const Elements vector = x().slice(0, 0, 1).reshape({side});
  row("add_row", 2.3, [] { return zip(x(), vector, Add()); });
  row("add_column", 2.3, [] {
    return zip(x(), vector.reshape({side, 1}), Add());
  });
  row("add_outer", 0, [] {
    return zip(vector, vector.reshape({side, 1}), Add());
  });
  row("add_transposed", 0, [] {
    return zip(x(), y().transpose({1, 0}), Add());
  });
}

void addChains() {
  row("splat_chain_4", 3, [] { return splatChain(4); });
  row("splat_chain_8", 4.5, [] { return splatChain(8); });
  for (int n : {1, 2, 8})
    row("add_splat_chain_" + std::to_string(n), 0, [n] {
      Elements r = x();
      for (int i = 0; i < n; ++i)
        r = zip(r, scalar(0.5f), Add());
      return r;
    });
  for (int n : {2, 4, 8})
    row("add_chain_" + std::to_string(n), 0, [n] { return fullChain(n); });
}

void addTranscendental() {
  auto wideRow = [](const char *name, WideFunction f) {
    addRow({.name = name,
            .make = [f] { return std::vector{mapWide(x(), f)}; },
            .limit = 15,
            .computes = true});
  };
  wideRow("exp", wide::exp);
  // Of numbers of which half are negative, and so NaN: as many steps.
  wideRow("log", wide::log);
  wideRow("tanh", wide::tanh);
  wideRow("sigmoid", wide::sigmoid);
  wideRow("erf", wide::erf);
}

/// What shape arithmetic costs: nanoseconds, no baseline.
void addSmall() {
  static const Elements v = Elements::fromValues<int64_t>({4}, {1, 2, 3, 4});
  benchmark::RegisterBenchmark("small_add_then_read", [](benchmark::State &s) {
    for (auto _ : s)
      benchmark::DoNotOptimize(zip(v, v, Add()).ints());
  });
  benchmark::RegisterBenchmark("empty_add", [](benchmark::State &s) {
    Elements none = Elements::fromValues<int64_t>({0, 4}, {});
    for (auto _ : s)
      benchmark::DoNotOptimize(zip(none, none, Add()).materialize());
  });
}

const bool registered = [] {
  addSimple();
  addChains();
  addTranscendental();
  addSmall();
  return true;
}();

} // namespace elementwiseBench
