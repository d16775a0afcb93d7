//===- Comparison.cpp - Whether two tensors are the same ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <cstring>

using namespace onnxfold;

/// So many elements are compared at once: few, so that a difference is found
/// soon, but whole tiles of transpositions.
static int64_t comparedElements(const Elements::Reader &reader) {
  return reader.isTransposing() ? reader.preferredGrain() : 4096;
}

static constexpr uint64_t identicalPieceBytes = 4 << 20;

/// Compares views of a few megabytes: of what lies in a file no more is in
/// memory, and what a program gives is not kept.
static bool identicalPieces(const Elements &a, const Elements &b) {
  const int64_t *cut =
      llvm::find_if(a.shape(), [](int64_t dim) { return dim > 1; });
  int64_t axis = cut - a.shape().begin();
  int64_t rows =
      std::max<int64_t>(1, double(*cut) * identicalPieceBytes / a.bytes());
  for (int64_t row = 0; row < *cut; row += rows) {
    int64_t count = std::min(rows, *cut - row);
    if (!a.slice(axis, row, count).identicalTo(b.slice(axis, row, count)))
      return false;
  }
  return true;
}

/// Whether elements in the middle differ, as those of most weights of one shape
/// do. Only asked where that takes less than to read a block of each.
static bool differInTheMiddle(const Elements &a, const Elements &b) {
  constexpr uint64_t largeBytes = 64 << 10;
  constexpr int64_t few = 4;
  if (a.bytes() < largeBytes)
    return false;
  llvm::SmallVector<int64_t, few> positions;
  for (int64_t i = 0; i < few; ++i)
    positions.push_back(a.size() / 2 + i);
  alignas(16) char x[few * 16], y[few * 16];
  return a.sample(positions, x) && b.sample(positions, y) &&
         std::memcmp(x, y, few * byteWidth(a.type())) != 0;
}

bool Elements::identicalTo(const Elements &other) const {
  if (type() != other.type() || shape() != other.shape())
    return false;
  if (state == other.state)
    return true;
  // Shapes and scalars: a reader is dear beside them.
  constexpr uint64_t fewBytes = 4096;
  const char *here = residentBytes(), *there = other.residentBytes();
  if (here && there && bytes() <= fewBytes && type() != DataType::String)
    return std::memcmp(here, there, bytes()) == 0;
  if (differInTheMiddle(*this, other))
    return false;
  if (bytes() >= 2 * identicalPieceBytes) {
    bool inPieces = !state->steps.empty() || !other.state->steps.empty();
    for (const State *each : {state.get(), other.state.get()})
      for (const ElementsLeaf &leaf : each->leaves) {
        // One after the other, and kept for who needs them: in the file, if
        // there is no room for both.
        if (leaf.buffer->depth() != 0)
          leaf.buffer->settle();
        inPieces |= !leaf.buffer->residentBytes();
      }
    if (inPieces)
      return identicalPieces(*this, other);
  }
  // One element of two splats says it all.
  int64_t n =
      isSplat() && other.isSplat() ? std::min<int64_t>(size(), 1) : size();
  int64_t width = byteWidth(type());
  // Blocks bound how much of a file is in memory.
  Reader readA(*this, Reader::Access::Once), readB(other, Reader::Access::Once);
  int64_t block = std::max(comparedElements(readA), comparedElements(readB));
  block = std::min(block, n);
  auto equal = [&](const void *a, const void *b, int64_t count) {
    auto *stringsA = static_cast<const llvm::StringRef *>(a);
    return type() == DataType::String
               ? std::equal(stringsA, stringsA + count,
                            static_cast<const llvm::StringRef *>(b))
               : std::memcmp(a, b, count * width) == 0;
  };
  std::atomic<bool> differ = false;
  parallelFor(n, 64 * block, [&](int64_t begin, int64_t end) {
    HeapBuffer a(block * width), b(block * width);
    for (int64_t i = begin; i < end && !differ; i += block) {
      int64_t count = std::min(block, end - i);
      if (!equal(readA.view(i, count, a.data()), readB.view(i, count, b.data()),
                 count))
        differ = true;
    }
  });
  return !differ;
}
