//===- RandomMonoids.cpp - Reductions and scans with any function ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/ReduceWith.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Functions x -> a * x + b of 16 bits, one after the other. Associative, and
/// not commutative: who changes the order gets another result.
static uint32_t compose(uint32_t f, uint32_t g) {
  uint32_t a = f >> 16, b = f & 0xffff, c = g >> 16, d = g & 0xffff;
  return (a * c & 0xffff) << 16 | ((c * b + d) & 0xffff);
}
static constexpr uint32_t noChange = 1 << 16;

static bool isUInt32(DataType type) { return type == DataType::UInt32; }
static bool isString(DataType type) { return type == DataType::String; }
static bool isInt4(DataType type) { return type == DataType::Int4; }

static Shape someAxes(Case &c, const Pair &x) {
  Shape all = c.random.permutation(x.naive.rank());
  return Shape(ShapeRef(all).take_front(c.random.integer(0, all.size())));
}

/// reduceWith<T> against a loop over the elements in order.
template <class T, class F>
static bool reduceWithOf(Case &c, TypeFilter filter, T identity, F f) {
  Pair x = c.operand(filter);
  Shape axes = someAxes(c, x);
  bool keepDims = c.chance(50);
  AnyTensor expected{
      x.naive.type, shapeWithout(x.naive.shape, axes, keepDims), {}};
  for (const std::vector<Cell> &group : groupsOf(x.naive, axes)) {
    T acc = identity;
    for (const Cell &cell : group)
      acc = f(acc, valueOf<T>(cell));
    expected.cells.push_back(cellOf(acc));
  }
  c.add("reduceWith over " + toString(axes),
        reduceWith<T>(x.actual, axes, keepDims, identity, f), expected);
  return true;
}

template <class T, class F>
static bool scanWithOf(Case &c, TypeFilter filter, T identity, F f) {
  Pair x = c.operand(filter, 1);
  const AnyTensor &n = x.naive;
  int64_t axis = c.random.integer(0, n.rank() - 1), size = n.shape[axis];
  bool exclusive = c.chance(50), reverse = c.chance(50);
  AnyTensor expected = n;
  forEachRow(n.shape, axis, [&](ShapeRef first) {
    T acc = identity;
    for (int64_t i = 0; i < size; ++i) {
      Shape at(first);
      at[axis] = reverse ? size - 1 - i : i;
      T next = f(acc, valueOf<T>(n.at(at)));
      expected.at(at) = cellOf(exclusive ? acc : next);
      acc = next;
    }
  });
  c.add("scanWith along " + std::to_string(axis),
        scanWith<T>(x.actual, axis, identity, f, exclusive, reverse), expected);
  return true;
}

static llvm::StringRef longer(llvm::StringRef a, llvm::StringRef b) {
  return b.size() > a.size() ? b : a;
}

static Int4 larger(Int4 a, Int4 b) { return b.value > a.value ? b : a; }

static bool reduceWithAny(Case &c) {
  switch (c.random.integer(0, 3)) {
  case 0:
    return reduceWithOf<llvm::StringRef>(c, isString, "", longer);
  case 1:
    return reduceWithOf<Int4>(c, isInt4, Int4{-8}, larger);
  default:
    return reduceWithOf<uint32_t>(c, isUInt32, noChange, compose);
  }
}

static bool scanWithAny(Case &c) {
  switch (c.random.integer(0, 3)) {
  case 0:
    return scanWithOf<llvm::StringRef>(c, isString, "", longer);
  case 1:
    return scanWithOf<Int4>(c, isInt4, Int4{-8}, larger);
  default:
    return scanWithOf<uint32_t>(c, isUInt32, noChange, compose);
  }
}

void onnxfold::addMonoidOperations(OperationList &list) {
  list.insert(list.end(),
              {{"reduceWith", reduceWithAny}, {"scanWith", scanWithAny}});
}
