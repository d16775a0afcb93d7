//===- MovementBench.cpp - Moving elements against memcpy -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Limits: issue 4; rows without one are for comparison. `_1k` have runs of
// 1 KB, the shortest ones that the limit is for.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ops/DataMovement.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace movementBench {

Elements x(ShapeRef shape) { return Inputs::shaped(Inputs::get().x, shape); }
Elements y(ShapeRef shape) { return Inputs::shaped(Inputs::get().y, shape); }

void row(std::string name, double limit, std::function<Elements()> make,
         double freshLimit = 0) {
  addRow({.name = std::move(name),
          .make = [make] { return std::vector{make()}; },
          .limit = limit,
          .freshLimit = freshLimit});
}

/// 0, 1, ... in an order that no prefetcher guesses.
Elements shuffled(int64_t n) {
  return Elements::build<int64_t>({n}, [n](llvm::MutableArrayRef<int64_t> out) {
    for (int64_t i = 0; i < n; ++i)
      out[i] = i * 100003 % n; // prime, and no divisor of any n here
  });
}

void addTransposes() {
  row("transpose_2d", 4.5, [] { return x({7000, 7000}).transpose({1, 0}); });
  row("transpose_2d_of_lines", 4.5, [] {
    return x({side, side}).transpose({1, 0});
  });
  row(
      "transpose_0213_runs_256", 1.6,
      [] {
        return x({128, 96, 64, 64}).transpose({0, 2, 1, 3});
      },
      1.2);
  row("transpose_0213_runs_416", 1.6, [] {
    return x({68, 104, 68, 104}).transpose({0, 2, 1, 3});
  });
  row("transpose_0213_runs_1k", 1.6, [] {
    return x({64, 48, 64, 256}).transpose({0, 2, 1, 3});
  });
  row("transpose_021", 0, [] {
    return x({16, 1768, 1768}).transpose({0, 2, 1});
  });
  row("transpose_3210", 0, [] {
    return x({68, 104, 68, 104}).transpose({3, 2, 1, 0});
  });
  row("reshape_of_transpose", 0, [] {
    return x({side, side}).transpose({1, 0}).reshape({count});
  });
}

Elements concatOf(int64_t parts, int64_t cols) {
  int64_t rows = count / (parts * cols);
  std::vector<Elements> all;
  for (int64_t i = 0; i < parts; ++i)
    all.push_back(i % 2 ? x({rows, cols}) : y({rows, cols}));
  return concat(all, 1);
}

void addConcatAndSplit() {
  row(
      "concat_2_axis_0", 1.3,
      [] {
        return concat({x({side / 2, side}), y({side / 2, side})}, 0);
      },
      1.2);
  row(
      "concat_8_axis_1", 1.3, [] { return concatOf(8, 884); }, 1.2);
  row(
      "concat_8_axis_1_1k", 1.3, [] { return concatOf(8, 256); }, 1.2);
  row("concat_8_axis_1_64", 0, [] { return concatOf(8, 16); });
  // What a slice is not: contiguous. Runs of 2 KB and 1 KB of every 8 KB.
  row("concat_of_slices", 1.3, [] {
    Elements e = x({24000, 2048});
    return concat({e.slice(1, 512, 512), e.slice(1, 0, 256)}, 1);
  });
  // The same runs, each by one memcpy: what the machine gives to who tries
  // nothing.
  row("concat_of_slices_by_memcpy", 0, [] {
    Elements e = x({24000, 2048});
    return Elements::deferred(
        DataType::Float32, {24000, 768}, {e}, [e](char *out) {
          ElementsBytes bytes(e);
          const char *in = bytes.data();
          for (int64_t r = 0; r < 24000; ++r, in += 8192, out += 3072) {
            std::memcpy(out, in + 2048, 2048);
            std::memcpy(out + 2048, in, 1024);
          }
        });
  });
  for (auto [name, cols] :
       {std::pair{"split_8_axis_1", 884}, std::pair{"split_8_axis_1_1k", 256}})
    addRow({.name = name,
            .make =
                [cols = cols] {
                  Elements e = x({count / (8 * cols), 8 * cols});
                  return e.split(1, Shape(8, cols));
                },
            .limit = 1.3,
            .freshLimit = 1.2});
}

void addGathers() {
  static const Elements order = shuffled(side), many = shuffled(195364);
  row(
      "gather_rows", 1.3,
      [] {
        return gather(x({side, side}), order, 0);
      },
      1.2);
  row(
      "gather_rows_1k", 1.3,
      [] {
        return gather(x({195364, 256}), many, 0);
      },
      1.2);
  row("gather_columns", 0, [] { return gather(x({side, side}), order, 1); });
}

void addPadAndTile() {
  auto padded = [](int64_t rows, int64_t cols, PadMode mode) {
    return pad(x({rows, cols}), {1, 1}, {1, 1}, mode);
  };
  row(
      "pad", 1.3, [=] { return padded(side, side, PadMode::Constant); }, 1.2);
  row(
      "pad_1k", 1.3, [=] { return padded(195364, 256, PadMode::Constant); },
      1.2);
  row("pad_reflect_1k", 0,
      [=] { return padded(195364, 256, PadMode::Reflect); });
  row(
      "tile", 1.3,
      [] {
        return tile(x({side, side / 2}), {1, 2});
      },
      1.2);
  row(
      "tile_1k", 1.3,
      [] {
        return tile(x({97682, 256}), {1, 2});
      },
      1.2);
  row("slice_step_2", 0, [] {
    return x({side, side}).slice({0, 0}, {side, side / 2}, {1, 2});
  });
  row("slice_reversed", 0, [] {
    return x({side, side}).slice({0, side - 1}, {side, side}, {1, -1});
  });
}

const bool registered = [] {
  addTransposes();
  addConcatAndSplit();
  addGathers();
  addPadAndTile();
  return true;
}();

} // namespace movementBench
