//===- RandomSearches.cpp - ArgMax, TopK, Sort, NonZero -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/Sort.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

static const Cell &rowElement(const AnyTensor &x, ShapeRef row, int64_t axis,
                              int64_t i) {
  Shape index(row);
  index[axis] = i;
  return x.at(index);
}

//===----------------------------------------------------------------------===//
// argReduce
//===----------------------------------------------------------------------===//

static int64_t naiveBest(const AnyTensor &x, ShapeRef row, int64_t axis,
                         bool largest, bool selectLast) {
  int64_t best = 0;
  for (int64_t i = 1; i < x.shape[axis]; ++i) {
    const Cell &champion = rowElement(x, row, axis, best);
    const Cell &challenger = rowElement(x, row, axis, i);
    bool championNaN = isNaN(x.type, champion);
    bool challengerNaN = isNaN(x.type, challenger);
    // NaN beats every number; 1: the challenger wins, 0: a draw.
    int result =
        championNaN || challengerNaN
            ? int(challengerNaN) - int(championNaN)
            : compareCells(x.type, challenger, champion) * (largest ? 1 : -1);
    if (result > 0 || (result == 0 && selectLast))
      best = i;
  }
  return best;
}

static bool argReduceOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  bool largest = c.chance(50), last = c.chance(50), keepDims = c.chance(50);
  Shape kept(x.naive.shape);
  if (kept[axis] == 0)
    return false; // REQUIRES that there is something to find
  kept[axis] = 1;
  Elements actual = argReduce(x.actual, axis, keepDims, largest, last);
  std::string what = std::string(largest ? "argMax" : "argMin") +
                     (last ? " last" : "") + " along " + std::to_string(axis);
  if (!isOrdered(x.naive.type)) {
    c.expectNull(what, actual);
    return true;
  }
  auto expected = AnyTensor::make(DataType::Int64, kept, [&](ShapeRef row) {
    return cellOf(naiveBest(x.naive, row, axis, largest, last));
  });
  if (!keepDims)
    expected.shape.erase(expected.shape.begin() + axis);
  c.add(what, actual, expected);
  return true;
}

//===----------------------------------------------------------------------===//
// topK and sort
//===----------------------------------------------------------------------===//

/// Indices of a row, best first; equal elements keep their order.
static std::vector<int64_t> naiveOrder(const AnyTensor &x, ShapeRef row,
                                       int64_t axis, bool largest) {
  std::vector<int64_t> result;
  for (int64_t i = 0; i < x.shape[axis]; ++i)
    result.push_back(i);
  std::stable_sort(result.begin(), result.end(), [&](int64_t i, int64_t j) {
    int sign = orderOfCells(x.type, rowElement(x, row, axis, i),
                            rowElement(x, row, axis, j));
    return largest ? sign > 0 : sign < 0;
  });
  return result;
}

/// The first k indices of each row, and the elements there.
static std::pair<AnyTensor, AnyTensor>
naiveBestOf(const AnyTensor &x, int64_t k, int64_t axis, bool largest) {
  Shape shape(x.shape);
  shape[axis] = k;
  auto zero = [](ShapeRef) { return Cell(); };
  AnyTensor indices = AnyTensor::make(DataType::Int64, shape, zero);
  AnyTensor values = AnyTensor::make(x.type, shape, zero);
  forEachRow(shape, axis, [&](ShapeRef row) {
    std::vector<int64_t> best = naiveOrder(x, row, axis, largest);
    for (int64_t i = 0; i < k; ++i) {
      Shape at(row);
      at[axis] = i;
      indices.at(at) = cellOf(best[i]);
      values.at(at) = rowElement(x, row, axis, best[i]);
    }
  });
  return {indices, values};
}

static bool sortOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  bool descending = c.chance(50), asIndices = c.chance(50);
  Elements actual = asIndices ? argSort(x.actual, axis, descending)
                              : sort(x.actual, axis, descending);
  std::string what = std::string(asIndices ? "argSort" : "sort") +
                     (descending ? " descending" : "") + " along " +
                     std::to_string(axis);
  if (x.naive.type == DataType::Opaque) {
    c.expectNull(what, actual);
    return true;
  }
  auto [indices, values] =
      naiveBestOf(x.naive, x.naive.shape[axis], axis, descending);
  c.add(what, actual, asIndices ? indices : values);
  return true;
}

static bool topKOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  int64_t k = c.random.integer(0, x.naive.shape[axis]);
  bool largest = c.chance(50);
  TopK actual = topK(x.actual, k, axis, largest);
  std::string what = "topK " + std::to_string(k) +
                     (largest ? " largest" : " smallest") + " along " +
                     std::to_string(axis);
  if (!isNumberOrBool(x.naive.type)) {
    c.expectNull(what, actual.values);
    return true;
  }
  auto [indices, values] = naiveBestOf(x.naive, k, axis, largest);
  c.add(what + ", indices", actual.indices, indices);
  c.add(what + ", values", actual.values, values);
  return true;
}

//===----------------------------------------------------------------------===//
// nonZero
//===----------------------------------------------------------------------===//

static bool isNonZero(DataType type, const Cell &cell) {
  if (type == DataType::String)
    return !valueOf<llvm::StringRef>(cell).empty();
  if (type == DataType::Complex64)
    return valueOf<std::complex<float>>(cell) != 0.0f;
  if (type == DataType::Complex128)
    return valueOf<std::complex<double>>(cell) != 0.0;
  return isFloat(type) ? !floatOf(type, cell).isZero()
                       : integerOf(type, cell) != 0;
}

static bool nonZeroOf(Case &c) {
  Pair x = c.operand([](DataType type) { return type != DataType::Opaque; });
  std::vector<Shape> found;
  forEachIndex(x.naive.shape, [&](ShapeRef i) {
    if (isNonZero(x.naive.type, x.naive.at(i)))
      found.emplace_back(i);
  });
  c.add("nonZero", nonZero(x.actual),
        AnyTensor::make(DataType::Int64,
                        {x.naive.rank(), int64_t(found.size())},
                        [&](ShapeRef i) { return cellOf(found[i[1]][i[0]]); }));
  return true;
}

void onnxfold::addSearchOperations(OperationList &list) {
  list.insert(list.end(), {{"argReduce", argReduceOf},
                           {"topK", topKOf},
                           {"sort", sortOf},
                           {"nonZero", nonZeroOf}});
}
