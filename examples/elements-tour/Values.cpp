//===- Values.cpp - Tensor values, without any IR -------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Tour.h"
#include "onnxfold/elements/Spill.h"
#include "onnxfold/elements/memory/Memory.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

void showViews() {
  // A handle to a tensor. Copying the handle copies no elements.
  Elements x = Elements::fromValues<float>({2, 3}, {1, 2, 3, 4, 5, 6});

  // Views: another offset, other strides, the same bytes. A negative step walks
  // backwards; a stride of 0 repeats.
  Elements transposed = x.transpose({1, 0});
  Elements backwards = x.slice({0, 2}, {2, 3}, {1, -1});
  Elements row = x.slice(/*axis=*/0, /*start=*/1, /*size=*/1);
  Elements repeated = row.expand({1000000, 3});

  show("transposed", transposed);
  show("backwards", backwards);
  show("row", row);
  show("bytes behind a million rows", repeated.retainedBytes());
}

void showLaziness() {
  Elements x = Elements::fromValues<float>({4}, {1, -2, 3, -4});

  // Nothing is computed here. Reading runs both steps block by block, in one
  // pass over memory; each step rounds to the element type, as a runtime that
  // runs operator by operator would.
  Elements y = map(x, [](auto v) { return v * 10; });
  Elements z = zip(x, y, [](auto a, auto b) { return maximum(a, b); });
  show("lazy", z);

  // Computed now, on all threads of the scope (below). Not needed for
  // correctness: it says when the time is spent.
  z = std::move(z).materialize();
}

void showFunctionsOfYourOwn() {
  Elements x = Elements::fromValues<float>({3}, {0, 0.5, 1});

  // One element at a time, for any element type: map, zip. Doubles in blocks,
  // rounded once: mapWide. Blocks of the type that you know you have:
  // mapBlocks.
  auto square = [](const void *in, void *out, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      float v = static_cast<const float *>(in)[i];
      static_cast<float *>(out)[i] = v * v;
    }
  };
  show("squares", mapBlocks(x, DataType::Float32, square));
  show("e to the x", mapWide(x, wide::exp));

  // A tensor that only you can read: ranges are asked for when they are needed.
  auto count = [](int64_t first, int64_t count, void *out) {
    for (int64_t i = 0; i < count; ++i)
      static_cast<int32_t *>(out)[i] = int32_t(first + i);
  };
  Elements counted = Elements::fromReader(DataType::Int32, {1000, 1000}, count);
  show("the last of a million", counted.slice({999, 999}, {1, 1}, {1, 1}));
}

void showChecks() {
  Elements table = Elements::fromValues<float>({3}, {10, 20, 30});
  Elements indices = Elements::fromValues<int64_t>({2}, {2, 7});

  // What is computed later cannot fail. What may fail is looked at before.
  if (auto bad = firstOutOfRange(indices, table.dim(0)))
    show("refused", indices.value<int64_t>(*bad));
  else
    show("gathered", gather(table, indices, 0));

  // A function that has no loop for an element type returns null.
  Elements text = Elements::fromStrings({1}, {"a"});
  if (!map(text, [](auto v) { return v; }))
    show("no arithmetic for", name(text.type()));
}

void showReading() {
  Elements x = Elements::fromValues<int32_t>({2, 2}, {1, 2, 3, 4});
  Elements y = x.transpose({1, 0});

  // All of it, where it lies if possible, else in a copy that `array` owns.
  ElementsArray<int32_t> array(y);
  int64_t sum = 0;
  for (int32_t v : array)
    sum += v;
  show("sum", sum);

  // Parts of it, again and again: a Reader plans once.
  Elements::Reader reader(y);
  int32_t row[2];
  reader.read(/*first=*/2, /*count=*/2, row);
  show("the second row ends with", row[1]);

  // One number of any numeric type: shapes, axes, scales.
  show("a number", y.number(1).to<int64_t>());
}

void showBuffers() {
  static const float weights[] = {1, 2, 3, 4};
  bool released = false;
  {
    // Memory that is yours: no copy. The function is called when the last
    // tensor that refers to the bytes is gone.
    llvm::ArrayRef bytes(reinterpret_cast<const char *>(weights), 16);
    BufferRef buffer = foreignBuffer(bytes, [&] { released = true; });
    Elements x = Elements::fromBuffer(DataType::Float32, {2, 2}, buffer);
    buffer = nullptr;
    Elements part = x.slice(0, 1, 1);
    x = Elements();
    show("a part keeps the buffer", part);
    show("released", released);
  }
  show("released at the end", released);
}

void showPrecision() {
  // 2049 has no f16. Exact: each step rounds, so that adding 1 three times is
  // lost three times. Wide: doubles in between, one rounding at the end.
  Elements x = Elements::splat<Float16>({1}, convert<Float16>(2048.0));
  auto plusOne = [](auto v) { return v + 1; };
  Elements exact = map(map(map(x, plusOne), plusOne), plusOne);
  Elements wide = map(map(map(x.widened(), plusOne), plusOne), plusOne);
  show("exact", exact);
  show("wide", wide);
}

void showThreads() {
  Elements x = Elements::splat<float>({1000, 1000}, 1.0f);

  // Loops use the threads of the innermost scope of the calling thread, an
  // MLIRContext's getThreadPool() for example. Results do not depend on it.
  llvm::DefaultThreadPool pool;
  ParallelScope scope(pool);
  show("sum of a million",
       reduce(x, {0, 1}, /*keepDims=*/false, Reduction::Sum));
}

void showMemory() {
  // What is computed on demand and needed twice is kept, up to a budget; beyond
  // it, bytes go to a file without a name and are mapped while somebody reads.
  MemoryLimits limits = memoryLimits();
  limits.keptBytes = 16 << 20;
  setMemoryLimits(limits);

  // A value of 64 MB that never is in memory as a whole.
  Elements x = Elements::splat<float>({4096, 4096}, 1.0f);
  Elements big = spill(map(x, [](auto v) { return v + 1; }));
  MemoryStatistics now = memoryStatistics();
  show("spilled MB", now.spilledBytes >> 20);
  show("its last element", big.slice({4095, 4095}, {1, 1}, {1, 1}));
  setMemoryLimits(MemoryLimits());
}

void showHashes() {
  Elements x = Elements::fromValues<float>({2, 2}, {1, 2, 2, 1});

  // The hash of what a tensor is, not of how it is held.
  bool same = contentHash(x) == contentHash(x.transpose({1, 0}));
  show("symmetric", same && x.identicalTo(x.transpose({1, 0})));
}
