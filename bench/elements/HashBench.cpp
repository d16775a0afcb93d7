//===- HashBench.cpp - Content hash and comparison against memcpy ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The baseline is a memcpy of the bytes that are hashed or compared (of one
// side). To compare reads twice as much, as a memcpy moves twice as much as it
// reads.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/bench/elements/Rows.h"
#include "onnxfold/elements/ops/ContentHash.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using namespace onnxfold::bench;

namespace hashBench {

const Elements &x() { return Inputs::get().x; }

/// The same elements elsewhere, made in the process that measures.
const Elements &same() {
  static const Elements made = Elements::build<float>(
      {side, side},
      [](llvm::MutableArrayRef<float> out) { x().read(out.data()); });
  return made;
}

void row(std::string name, double limit, std::function<void()> run) {
  addRow({.name = std::move(name),
          .make =
              [run] {
                run();
                return std::vector<Elements>();
              },
          .limit = limit,
          .bytes = count * 4,
          .eager = true});
}

void hash(const Elements &e) { benchmark::DoNotOptimize(contentHash(e)); }

const bool registered = [] {
  row("hash", 1.0, [] { hash(x()); });
  row("hash_transposed", 0, [] { hash(x().transpose({1, 0})); });
  row("hash_chain_2", 0, [] {
    auto twice = [](auto v) { return v + v; };
    hash(map(map(x(), twice), twice));
  });
  row("hash_splat", 0.1, [] { hash(Elements::splat<float>({side, side}, 1)); });
  row("identical", 1.5,
      [] { benchmark::DoNotOptimize(x().identicalTo(same())); });
  row("identical_early_exit", 0.1, [] {
    Elements other = same().slice({side - 1, side - 1}, {side, side}, {-1, -1});
    benchmark::DoNotOptimize(x().identicalTo(other));
  });
  return true;
}();

} // namespace hashBench
