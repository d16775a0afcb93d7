//===- ElementsBench.cpp - Tensor operations against memcpy ---------------===//
//
// Operations on 50 million f32 (200 MB), on one thread. The baseline is a
// memcpy of as many bytes as the result has, between buffers that are already
// resident. `read` writes the result into such a buffer; `own` lets the
// operation make its memory, page faults included. Products have a baseline of
// one multiplication and addition per 0.1 ns.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/DataMovement.h"
#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Generate.h"
#include "onnxfold/elements/MatMul.h"
#include "onnxfold/elements/Math.h"
#include "onnxfold/elements/Quantize.h"
#include "onnxfold/elements/Reduce.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <functional>

using namespace onnxfold;

namespace {

constexpr int64_t side = 7072, count = side * side;

/// Two tensors of the full size, made once; the second also as a matrix.
struct Inputs {
  Elements x, y, row, column;
  HeapBuffer out{count * 8};

  Inputs() {
    auto make = [](ShapeRef shape, float factor) {
      return Elements::build<float>(shape, [&](llvm::MutableArrayRef<float> o) {
        for (size_t i = 0; i < o.size(); ++i)
          o[i] = factor * float(i % 1021);
      });
    };
    x = make({side, side}, 0.5f);
    y = make({side, side}, 0.25f);
    row = make({side}, 2);
    column = make({side, 1}, 3);
    std::memset(out.data(), 1, out.size());
  }
};

Inputs &inputs() {
  static Inputs all;
  return all;
}

double memcpySeconds(uint64_t bytes) {
  using Clock = std::chrono::steady_clock;
  Inputs &in = inputs();
  const char *from = Elements::Reader(in.x).contiguousBytes();
  bytes = std::min<uint64_t>(bytes, count * 4);
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    auto start = Clock::now();
    std::memcpy(in.out.data(), from, bytes);
    benchmark::ClobberMemory();
    best = std::min(
        best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return best;
}

using Make = std::function<Elements(Inputs &)>;

void measure(benchmark::State &state, Make make, bool own, double limit) {
  Inputs &in = inputs();
  uint64_t bytes = make(in).bytes();
  if (own) // the first touch of memory that the machine never gave out is slow
    make(in).materialize();
  // Small results are measured by what they read.
  double scale = bytes < 1000000 ? 1 : double(bytes) / (count * 4);
  state.counters["baseline"] = memcpySeconds(count * 4) * scale;
  if (limit > 0)
    state.counters["limit"] = limit;
  for (auto _ : state) {
    Elements result = make(in);
    if (own)
      result = result.materialize();
    else
      result.read(in.out.data());
    benchmark::ClobberMemory();
  }
}

struct Add {
  template <class T> T operator()(T a, T b) const { return add(a, b); }
};
struct Multiply {
  template <class T> T operator()(T a, T b) const { return multiply(a, b); }
};

Elements scalar(float v) { return Elements::fromValues<float>({}, {v}); }

Elements addChain(Inputs &in, int n) {
  Elements r = in.x;
  for (int i = 0; i < n; ++i)
    r = zip(r, in.y, Add());
  return r;
}

Elements splatChain(Inputs &in, int n) {
  Elements r = in.x;
  for (int i = 0; i < n; ++i)
    r = i % 2 ? zip(r, scalar(1.5f), Multiply()) : zip(r, scalar(0.5f), Add());
  return r;
}

void add(const char *name, Make make, bool own = false, double limit = 0) {
  benchmark::RegisterBenchmark(
      name, [=](benchmark::State &state) { measure(state, make, own, limit); })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.3);
}

void addProduct(const char *name, int64_t n, bool isDouble) {
  benchmark::RegisterBenchmark(
      name,
      [=](benchmark::State &state) {
        Elements a = inputs().x.slice({0, 0}, {n, n}, {1, 1}).materialize();
        Elements b = inputs().y.slice({0, 0}, {n, n}, {1, 1}).materialize();
        if (isDouble) {
          a = cast(a, DataType::Float64).materialize();
          b = cast(b, DataType::Float64).materialize();
        }
        state.counters["baseline"] = 1e-10 * n * n * n;
        state.counters["limit"] = 3;
        for (auto _ : state)
          benchmark::DoNotOptimize(matmul(a, b).materialize());
        state.counters["gflops"] = benchmark::Counter(
            2e-9 * n * n * n, benchmark::Counter::kIsIterationInvariantRate);
      })
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.3);
}

void addElementwise() {
  for (int n : {1, 2, 4, 8}) {
    std::string text = std::to_string(n);
    add(("add_chain_" + text).c_str(),
        [=](Inputs &in) { return addChain(in, n); }, false, 3 + n);
    add(("splat_chain_" + text).c_str(),
        [=](Inputs &in) { return splatChain(in, n); }, false, 3 + 1.5 * n);
  }
  add(
      "add_own_memory", [](Inputs &in) { return addChain(in, 1); }, true, 8);
  add(
      "add_row", [](Inputs &in) { return zip(in.x, in.row, Add()); }, false, 5);
  add(
      "add_column", [](Inputs &in) { return zip(in.x, in.column, Add()); },
      false, 8);
  add(
      "add_outer", [](Inputs &in) { return zip(in.row, in.column, Add()); },
      false, 10);
  add("add_transposed", [](Inputs &in) {
    return zip(in.x, in.y.transpose({1, 0}), Add());
  });
  add("sqrt", [](Inputs &in) {
    return mapFloat(in.x, [](auto v) { return std::sqrt(v); });
  });
  add("exp", [](Inputs &in) {
    return mapWide(zip(in.x, scalar(0.01f), Multiply()), wide::exp);
  });
  add(
      "cast_f16", [](Inputs &in) { return cast(in.x, DataType::Float16); },
      false, 5);
  add("cast_i32", [](Inputs &in) { return cast(in.x, DataType::Int32); });
  add(
      "cast_i8", [](Inputs &in) { return cast(in.x, DataType::Int8); }, false,
      8);
  add(
      "cast_f64", [](Inputs &in) { return cast(in.x, DataType::Float64); },
      false, 3);
  add("where", [](Inputs &in) {
    return select(zipTo<bool>(in.x, in.y, [](auto a, auto b) { return a < b; }),
                  in.x, in.y);
  });
  add("quantize_axis", [](Inputs &in) {
    return quantize(in.x, in.row, {}, {.to = DataType::Int8, .axis = 1});
  });
}

void addMovement() {
  add(
      "transpose",
      [](Inputs &in) {
        return in.x.transpose({1, 0});
      },
      false, 4);
  add("transpose_odd", [](Inputs &in) {
    return in.x.slice(1, 0, side - 1).transpose({1, 0});
  });
  add(
      "transpose_nchw_nhwc",
      [](Inputs &in) {
        return in.x.reshape({16, 1768, 1768}).transpose({0, 2, 1});
      },
      false, 6);
  add("transpose_4d", [](Inputs &in) {
    return in.x.reshape({68, 104, 68, 104}).transpose({0, 2, 1, 3});
  });
  add("transpose_4d_reversed", [](Inputs &in) {
    return in.x.reshape({68, 104, 68, 104}).transpose({3, 2, 1, 0});
  });
  add(
      "reshape_of_transpose",
      [](Inputs &in) {
        return in.x.transpose({1, 0}).reshape({count});
      },
      false, 5);
  add(
      "concat_2_axis_0",
      [](Inputs &in) {
        return concat({in.x.slice(0, 0, side / 2), in.y.slice(0, 0, side / 2)},
                      0);
      },
      false, 4);
  add(
      "concat_8_axis_1",
      [](Inputs &in) {
        llvm::SmallVector<Elements> parts;
        for (int64_t i = 0; i < 8; ++i)
          parts.push_back(in.x.slice(1, i * side / 8, side / 8));
        return concat(parts, 1);
      },
      false, 8);
  auto shuffled = [] {
    return Elements::build<int64_t>({side},
                                    [](llvm::MutableArrayRef<int64_t> o) {
                                      for (int64_t i = 0; i < side; ++i)
                                        o[i] = i * 1009 % side;
                                    });
  };
  static Elements order = shuffled();
  add(
      "gather_rows", [](Inputs &in) { return gather(in.x, order, 0); }, false,
      4);
  add("gather_columns", [](Inputs &in) { return gather(in.x, order, 1); });
  add("gather_one_row", [](Inputs &in) {
    return gather(in.x, Elements::fromValues<int64_t>({}, {5}), 0);
  });
  add("slice_step_2", [](Inputs &in) {
    return in.x.slice({0, 0}, {side, side / 2}, {1, 2});
  });
  add(
      "pad_1",
      [](Inputs &in) {
        return pad(in.x.slice({0, 0}, {side - 2, side - 2}, {1, 1}), {1, 1},
                   {1, 1});
      },
      false, 6);
  add(
      "tile_2",
      [](Inputs &in) {
        return tile(in.x.slice(1, 0, side / 2), {1, 2});
      },
      false, 4);
}

void addReductions() {
  auto sum = [](Shape axes) {
    return
        [=](Inputs &in) { return reduce(in.x, axes, false, Reduction::Sum); };
  };
  add("sum_last", sum({1}), false, 3);
  add("sum_first", sum({0}), false, 6);
  add("sum_all", sum({0, 1}), false, 3);
  add("max_last",
      [](Inputs &in) { return reduce(in.x, {1}, false, Reduction::Max); });
  add("max_first",
      [](Inputs &in) { return reduce(in.x, {0}, false, Reduction::Max); });
  add("argmax_last",
      [](Inputs &in) { return argReduce(in.x, 1, false, true, false); });
  add("softmax_last", [](Inputs &in) { return softmax(in.x, 1); });
  add("cumsum_last", [](Inputs &in) { return cumulativeSum(in.x, 1); });
  add("nonzero_1_of_1021", [](Inputs &in) {
    return nonZero(
        zipTo<bool>(in.x, scalar(1), [](auto a, auto b) { return a == b; }));
  });
}

/// What shape arithmetic costs: no baseline, microseconds count.
void addSmall() {
  benchmark::RegisterBenchmark("small_add_then_read", [](benchmark::State &s) {
    Elements x = Elements::fromValues<int64_t>({4}, {1, 2, 3, 4});
    for (auto _ : s)
      benchmark::DoNotOptimize(zip(x, x, Add()).ints());
  });
  benchmark::RegisterBenchmark("small_concat", [](benchmark::State &s) {
    Elements x = Elements::fromValues<int64_t>({4}, {1, 2, 3, 4});
    for (auto _ : s)
      benchmark::DoNotOptimize(concat({x, x}, 0));
  });
  benchmark::RegisterBenchmark("empty_add", [](benchmark::State &s) {
    Elements x = Elements::fromValues<int64_t>({0, 4}, {});
    for (auto _ : s)
      benchmark::DoNotOptimize(zip(x, x, Add()).materialize());
  });
}

const bool registered = [] {
  addSmall();
  addElementwise();
  addMovement();
  addReductions();
  addProduct("matmul_256", 256, false);
  addProduct("matmul_512", 512, false);
  addProduct("matmul_1024", 1024, false);
  addProduct("matmul_1024_f64", 1024, true);
  return true;
}();

} // namespace
