//===- RandomPrecision.cpp - Wide tensors keep double precision -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Chains of arithmetic and movement on wide tensors: the naive side has doubles
// that nobody rounds before the end.
//
//===----------------------------------------------------------------------===//

#include "RandomCase.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static AnyTensor asDoubles(const AnyTensor &x) {
  AnyTensor result{DataType::Float64, x.shape, {}};
  for (const Cell &cell : x.cells)
    result.cells.push_back(cellOf(double(wideOf(x.type, cell))));
  return result;
}

static AnyTensor roundedTo(DataType type, const AnyTensor &doubles) {
  AnyTensor result{type, doubles.shape, {}};
  for (const Cell &cell : doubles.cells)
    result.cells.push_back(castCell(type, DataType::Float64, cell));
  return result;
}

/// x = x + y, x - y, x * y, ... One of both may be wide.
static void calculate(Case &c, Pair &x, const Pair &y) {
  bool wideFirst = c.chance(70);
  Elements other = wideFirst ? y.actual : y.actual.widened();
  x.actual = wideFirst ? x.actual.widened() : x.actual;
  AnyTensor partner = asDoubles(y.naive);
  for (int64_t step = 0, n = c.random.integer(1, 5); step < n; ++step) {
    switch (step % 3) {
    case 0:
      x.actual = zip(x.actual, other, [](auto a, auto b) { return a + b; });
      break;
    case 1:
      x.actual = zip(x.actual, other, [](auto a, auto b) { return a - b; });
      break;
    default:
      x.actual = zip(x.actual, other, [](auto a, auto b) { return a * b; });
    }
    for (int64_t i = 0; i < x.naive.size(); ++i) {
      auto a = valueOf<double>(x.naive.cells[i]);
      auto b = valueOf<double>(partner.cells[i]);
      x.naive.cells[i] = cellOf(step % 3 == 0   ? a + b
                                : step % 3 == 1 ? a - b
                                                : a * b);
    }
  }
}

/// Picks some slices, some of them twice. REQUIRES: rank 1 or more.
static void pick(Case &c, Pair &x) {
  AnyTensor before = x.naive;
  int64_t axis = c.random.integer(0, before.rank() - 1);
  int64_t n = before.shape[axis];
  std::vector<int64_t> indices;
  if (c.chance(50)) {
    for (int64_t i = 0; i < 2 * n; ++i)
      indices.push_back(i % n);
    x.actual = concat({x.actual, x.actual}, axis);
  } else {
    for (int64_t i = n == 0 ? 0 : 3; i > 0; --i)
      indices.push_back(c.random.integer(0, n - 1));
    int64_t count = indices.size();
    x.actual = gather(x.actual,
                      Elements::fromValues<int64_t>(
                          {count}, llvm::ArrayRef<int64_t>(indices)),
                      axis);
  }
  Shape shape(before.shape);
  shape[axis] = indices.size();
  x.naive = AnyTensor::make(DataType::Float64, shape, [&](ShapeRef i) {
    Shape source(i);
    source[axis] = indices[i[axis]];
    return before.at(source);
  });
}

/// Reverses the order of the dimensions.
static void turn(Pair &x) {
  AnyTensor before = x.naive;
  Shape perm, shape;
  for (int64_t d = before.rank(); d-- > 0;) {
    perm.push_back(d);
    shape.push_back(before.shape[d]);
  }
  x.actual = x.actual.transpose(perm);
  x.naive = AnyTensor::make(DataType::Float64, shape, [&](ShapeRef i) {
    return before.at(Shape(i.rbegin(), i.rend()));
  });
}

/// Sums of what was not rounded.
static void addSum(Case &c, const Pair &x, DataType type) {
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  std::vector<Bound> bounds;
  for (const std::vector<Cell> &group : groupsOf(x.naive, {axis})) {
    long double sum = 0, magnitude = 0;
    for (const Cell &cell : group) {
      sum += valueOf<double>(cell);
      magnitude += std::fabs((long double)valueOf<double>(cell));
    }
    bool isKnown = std::isfinite(magnitude) && magnitude < 0x1p1020L;
    bounds.push_back({sum, isKnown ? (group.size() + 2) * 0x1p-53L * magnitude
                           : std::isfinite(magnitude) ? (long double)NAN
                                                      : 0.0L});
  }
  Elements sum = reduce(x.actual, {axis}, true, Reduction::Sum);
  c.addWithin("wide sum along " + std::to_string(axis), cast(sum, type), type,
              shapeWithout(x.naive.shape, {axis}, true), bounds);
}

/// Comparisons and searches decide on unrounded values.
static void addDecision(Case &c, const Pair &x, const Pair &y) {
  AnyTensor other = asDoubles(y.naive);
  AnyTensor expected{DataType::Bool, x.naive.shape, {}};
  for (int64_t i = 0; i < x.naive.size(); ++i)
    expected.cells.push_back(cellOf(valueOf<double>(x.naive.cells[i]) <
                                    valueOf<double>(other.cells[i])));
  c.add("wide less",
        zipTo<bool>(x.actual, y.actual, [](auto a, auto b) { return a < b; }),
        expected);
}

static bool wideChain(Case &c) {
  Pair x = c.operand(isFullFloat);
  DataType type = x.naive.type;
  Pair y = c.fresh(type, x.naive.shape);
  x.naive = asDoubles(x.naive);
  calculate(c, x, y);
  if (c.chance(25)) {
    addDecision(c, x, y);
    return true;
  }
  for (int64_t n = x.naive.rank() == 0 ? 0 : c.random.integer(0, 2); n > 0; --n)
    if (x.naive.size() * 3 > c.room() || c.chance(50))
      turn(x);
    else
      pick(c, x);
  if (x.naive.rank() > 0 && c.chance(40)) {
    addSum(c, x, type);
    return true;
  }
  // A cast to the same type rounds, so that the others get ordinary tensors.
  c.add("wide chain", cast(x.actual, type), roundedTo(type, x.naive));
  return true;
}

void onnxfold::addPrecisionOperations(OperationList &list) {
  list.push_back({"wide chain", wideChain});
}
