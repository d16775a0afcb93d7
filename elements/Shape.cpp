//===- Shape.cpp - Shapes, strides, broadcasting --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/Shape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace onnxfold;

int64_t onnxfold::numElements(ShapeRef shape) {
  // Unsigned: the product of an empty tensor may overflow on its way to 0.
  uint64_t n = 1;
  for (int64_t d : shape)
    n *= d;
  return n;
}

std::optional<int64_t> onnxfold::checkedNumElements(ShapeRef shape) {
  if (llvm::any_of(shape, [](int64_t d) { return d < 0; }))
    return std::nullopt;
  // A zero dimension makes the product 0 whatever the others are.
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t n = 1;
  for (int64_t d : shape)
    if (llvm::MulOverflow(n, d, n))
      return std::nullopt;
  return n;
}

Shape onnxfold::rowMajorStrides(ShapeRef shape) {
  Shape strides(shape.size());
  uint64_t stride = 1; // may overflow where the tensor is empty
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

std::optional<Shape> onnxfold::broadcastShapes(ShapeRef a, ShapeRef b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Shape result(a);
  size_t lead = a.size() - b.size();
  for (size_t i = 0; i < b.size(); ++i) {
    int64_t &d = result[lead + i];
    if (d == 1)
      d = b[i];
    else if (b[i] != 1 && b[i] != d)
      return std::nullopt;
  }
  return result;
}

std::optional<int64_t> onnxfold::normalizeAxis(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

std::optional<Shape> onnxfold::normalizeAxes(ShapeRef axes, int64_t rank) {
  Shape result;
  llvm::SmallBitVector seen(rank);
  for (int64_t axis : axes) {
    std::optional<int64_t> a = normalizeAxis(axis, rank);
    if (!a || seen.test(*a))
      return std::nullopt;
    seen.set(*a);
    result.push_back(*a);
  }
  return result;
}

Shape onnxfold::reducedShape(ShapeRef shape, ShapeRef axes, bool keepDims) {
  Shape result;
  for (size_t i = 0; i < shape.size(); ++i) {
    if (!llvm::is_contained(axes, int64_t(i)))
      result.push_back(shape[i]);
    else if (keepDims)
      result.push_back(1);
  }
  return result;
}

bool onnxfold::isPermutation(ShapeRef perm, int64_t rank) {
  if (static_cast<int64_t>(perm.size()) != rank ||
      llvm::any_of(perm, [](int64_t p) { return p < 0; }))
    return false;
  return normalizeAxes(perm, rank).has_value();
}

SliceRange onnxfold::sliceRange(int64_t dim, int64_t start, int64_t end,
                                int64_t step) {
  if (dim == 0)
    return {0, 0, 1};
  auto clamped = [dim](int64_t i, int64_t low, int64_t high) {
    return std::clamp(i < 0 ? i + dim : i, low, high);
  };
  // Backwards, the end may lie before the first index.
  start = clamped(start, 0, step > 0 ? dim : dim - 1);
  end = clamped(end, step > 0 ? 0 : -1, step > 0 ? dim : dim - 1);
  int64_t distance = step > 0 ? end - start : start - end;
  if (distance <= 0)
    return {0, 0, 1};
  // The magnitude of the smallest integer needs all 64 bits.
  uint64_t by = step > 0 ? uint64_t(step) : -uint64_t(step);
  int64_t size = (distance - 1) / by + 1;
  return {start, size, size == 1 ? 1 : step};
}

namespace {
/// One dimension of a view after coalescing.
struct Dim {
  int64_t size, stride;
};
} // namespace

/// Drops dimensions of size 1 and merges neighbours that one stride covers.
static llvm::SmallVector<Dim, 6> coalesce(ShapeRef shape, ShapeRef strides) {
  llvm::SmallVector<Dim, 6> dims;
  for (auto [size, stride] : llvm::zip_equal(shape, strides)) {
    if (size == 1)
      continue;
    if (!dims.empty() && dims.back().stride == stride * size)
      dims.back() = {dims.back().size * size, stride};
    else
      dims.push_back({size, stride});
  }
  return dims;
}

std::optional<Shape> onnxfold::reshapeStrides(ShapeRef shape, ShapeRef strides,
                                              ShapeRef newShape) {
  if (llvm::is_contained(shape, 0))
    return Shape(newShape.size(), 0);
  llvm::SmallVector<Dim, 6> dims = coalesce(shape, strides);
  Shape result(newShape.size(), 0);
  // From the innermost dimension outwards, each coalesced dimension must be
  // the exact product of a run of new dimensions.
  size_t next = newShape.size();
  for (const Dim &dim : llvm::reverse(dims)) {
    int64_t covered = 1;
    while (covered < dim.size) {
      if (next == 0)
        return std::nullopt;
      --next;
      result[next] = newShape[next] == 1 ? 0 : dim.stride * covered;
      covered *= newShape[next];
    }
    if (covered != dim.size)
      return std::nullopt;
  }
  return result;
}

std::string onnxfold::toString(ShapeRef shape) {
  std::string text = "[";
  llvm::interleave(
      shape, [&](int64_t d) { text += llvm::itostr(d); },
      [&] { text += ", "; });
  return text + "]";
}
