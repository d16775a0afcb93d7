//===- RandomIndices.cpp - Gathering and scattering -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/DataMovement.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::APFloat;

/// The index that element `i` of an index tensor names in a dimension of n.
static int64_t namedBy(const AnyTensor &indices, ShapeRef i, int64_t n) {
  auto index = int64_t(integerOf(indices.type, indices.at(i)));
  return index < 0 ? index + n : index;
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

static bool gatherOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  int64_t n = x.naive.shape[axis];
  Shape tuple = c.shape(0, 2);
  if (n == 0)
    tuple = {0};
  Shape shape(ShapeRef(x.naive.shape).take_front(axis));
  shape.append(tuple);
  shape.append(x.naive.shape.begin() + axis + 1, x.naive.shape.end());
  if (!c.fits(shape) || shape.size() > 5)
    return false;
  Pair indices = c.indices(tuple, [n](ShapeRef) { return n; });
  int64_t q = tuple.size();
  c.add("gather along " + std::to_string(axis),
        gather(x.actual, indices.actual, axis),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i.take_front(axis));
          source.push_back(namedBy(indices.naive, i.slice(axis, q), n));
          source.append(i.begin() + axis + q, i.end());
          return x.naive.at(source);
        }));
  return true;
}

/// Indices for gatherElements and scatterElements: of x's shape or smaller.
static Pair elementIndices(Case &c, const Pair &x, int64_t axis) {
  Shape shape(x.naive.shape);
  for (int64_t &n : shape)
    n = c.chance(50) ? n : c.random.integer(0, n);
  if (x.naive.shape[axis] > 0)
    shape[axis] = c.random.integer(0, 6);
  if (!c.fits(shape))
    shape[axis] = 0;
  int64_t n = x.naive.shape[axis];
  return c.indices(shape, [n](ShapeRef) { return n; });
}

static bool gatherElementsOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  Pair indices = elementIndices(c, x, axis);
  c.add("gatherElements along " + std::to_string(axis),
        gatherElements(x.actual, indices.actual, axis),
        AnyTensor::make(x.naive.type, indices.naive.shape, [&](ShapeRef i) {
          Shape source(i);
          source[axis] = namedBy(indices.naive, i, x.naive.shape[axis]);
          return x.naive.at(source);
        }));
  return true;
}

namespace {
/// Index tuples into x behind `batch` dimensions, and the shape of results.
struct Tuples {
  Pair indices;
  int64_t batch, length;
  Shape outer, shape;

  /// The index into x for an index of the result.
  Shape source(const AnyTensor &x, ShapeRef i) const {
    Shape result(i.take_front(batch)), tuple(i.take_front(outer.size()));
    tuple.push_back(0);
    for (; tuple.back() < length; ++tuple.back())
      result.push_back(
          namedBy(indices.naive, tuple, x.shape[batch + tuple.back()]));
    result.append(i.begin() + outer.size(), i.end());
    return result;
  }
};
} // namespace

static std::optional<Tuples> tuplesInto(Case &c, const Pair &x, int64_t batch) {
  Tuples t;
  t.batch = batch;
  t.length = c.random.integer(1, x.naive.rank() - batch);
  t.outer = Shape(ShapeRef(x.naive.shape).take_front(batch));
  t.outer.append(c.shape(0, 2));
  for (int64_t d = batch; d < batch + t.length; ++d)
    if (x.naive.shape[d] == 0 && t.outer.size() > size_t(batch))
      t.outer.back() = 0;
    else if (x.naive.shape[d] == 0)
      return std::nullopt;
  t.shape = t.outer;
  t.shape.append(x.naive.shape.begin() + batch + t.length, x.naive.shape.end());
  Shape full(t.outer);
  full.push_back(t.length);
  if (!c.fits(t.shape) || !c.fits(full))
    return std::nullopt;
  t.indices = c.indices(
      full, [&](ShapeRef i) { return x.naive.shape[batch + i.back()]; });
  return t;
}

static bool gatherNDOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t batch = c.chance(50) ? c.random.integer(0, x.naive.rank() - 1) : 0;
  std::optional<Tuples> t = tuplesInto(c, x, batch);
  if (!t)
    return false;
  c.add("gatherND of " + std::to_string(batch) + " batch dimensions",
        gatherND(x.actual, t->indices.actual, batch),
        AnyTensor::make(x.naive.type, t->shape, [&](ShapeRef i) {
          return x.naive.at(t->source(x.naive, i));
        }));
  return true;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

static bool hasReduction(DataType type, ScatterReduction reduction) {
  return reduction == ScatterReduction::None || isOrdered(type);
}

/// What an update makes of an element: rounded each time.
static Cell combined(DataType type, ScatterReduction reduction, const Cell &a,
                     const Cell &b) {
  using R = ScatterReduction;
  if (reduction == R::None)
    return b;
  if (type == DataType::Bool) {
    bool x = valueOf<bool>(a), y = valueOf<bool>(b);
    bool isOr = reduction == R::Add || reduction == R::Max;
    return cellOf(isOr ? x || y : x && y);
  }
  if (reduction == R::Min || reduction == R::Max) {
    int order = compareCells(type, a, b);
    if (order == 2)
      return isNaN(type, a) ? a : b;
    return (order < 0) == (reduction == R::Min) ? a : b;
  }
  if (!isFloat(type)) {
    auto x = (unsigned __int128)integerOf(type, a);
    auto y = (unsigned __int128)integerOf(type, b);
    return integerCell(type, Integer(reduction == R::Add ? x + y : x * y));
  }
  APFloat value = floatOf(type, a);
  if (reduction == R::Add)
    value.add(floatOf(type, b), APFloat::rmNearestTiesToEven);
  else
    value.multiply(floatOf(type, b), APFloat::rmNearestTiesToEven);
  return floatCell(type, value);
}

static void addScattered(Case &c, const std::string &what,
                         const Elements &actual, const AnyTensor &expected,
                         ScatterReduction reduction) {
  if (!hasReduction(expected.type, reduction))
    c.expectNull(what, actual);
  else if (reduction == ScatterReduction::Min ||
           reduction == ScatterReduction::Max)
    c.addAnyZero(what, actual, expected);
  else
    c.add(what, actual, expected);
}

static bool scatterElementsOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  auto reduction = ScatterReduction(c.random.integer(0, 4));
  Pair indices = elementIndices(c, x, axis);
  Pair updates = c.fresh(x.naive.type, indices.naive.shape);
  AnyTensor expected = x.naive;
  std::optional<int64_t> repeated;
  std::vector<bool> seen(x.naive.size());
  int64_t number = 0;
  bool known = hasReduction(expected.type, reduction);
  forEachIndex(indices.naive.shape, [&](ShapeRef i) {
    Shape target(i);
    target[axis] = namedBy(indices.naive, i, x.naive.shape[axis]);
    Cell &cell = expected.at(target);
    if (known)
      cell = combined(expected.type, reduction, cell, updates.naive.at(i));
    size_t place = &cell - expected.cells.data();
    if (seen[place] && !repeated)
      repeated = number;
    seen[place] = true;
    ++number;
  });
  c.expectSame("firstRepeatedElement",
               firstRepeatedElement(x.actual, indices.actual, axis), repeated);
  addScattered(c,
               "scatterElements along " + std::to_string(axis) +
                   ", reduction " + std::to_string(int(reduction)),
               scatterElements(std::move(x.actual), indices.actual,
                               updates.actual, axis, reduction),
               expected, reduction);
  return true;
}

static bool scatterNDOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  auto reduction = ScatterReduction(c.random.integer(0, 4));
  std::optional<Tuples> t = tuplesInto(c, x, 0);
  if (!t)
    return false;
  Pair updates = c.fresh(x.naive.type, t->shape);
  AnyTensor expected = x.naive;
  bool known = hasReduction(expected.type, reduction);
  if (known)
    forEachIndex(t->shape, [&](ShapeRef i) {
      Cell &cell = expected.at(t->source(x.naive, i));
      cell = combined(expected.type, reduction, cell, updates.naive.at(i));
    });
  // The first tuple that an earlier one equals; nothing if slices are empty.
  std::optional<int64_t> repeated;
  std::vector<Shape> targets;
  ShapeRef slice = ShapeRef(x.naive.shape).drop_front(t->length);
  bool isEmpty = llvm::is_contained(slice, 0);
  forEachIndex(isEmpty ? Shape{0} : t->outer, [&](ShapeRef i) {
    Shape full(i);
    full.append(slice.size(), 0);
    Shape target = t->source(x.naive, full);
    if (!repeated && targets.size() < 200 &&
        llvm::is_contained(targets, target))
      repeated = targets.size();
    targets.push_back(target);
  });
  if (targets.size() < 200 && !isEmpty)
    c.expectSame("firstRepeatedSlice",
                 firstRepeatedSlice(x.actual, t->indices.actual), repeated);
  addScattered(c, "scatterND, reduction " + std::to_string(int(reduction)),
               scatterND(std::move(x.actual), t->indices.actual, updates.actual,
                         reduction),
               expected, reduction);
  return true;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static bool rangeChecks(Case &c) {
  Pair indices = c.operand(isAnyInteger, 1);
  const AnyTensor &naive = indices.naive;
  int64_t n = c.random.integer(0, 40), length = naive.shape.back();
  std::optional<int64_t> outside, tupleOutside;
  Shape dims;
  for (int64_t d = 0; d < length; ++d)
    dims.push_back(c.random.integer(0, 40));
  for (int64_t i = naive.size(); i-- > 0;) {
    Integer index = integerOf(naive.type, naive.cells[i]);
    if (index < -n || index >= n)
      outside = i;
    int64_t m = dims[i % length];
    if (index < -m || index >= m)
      tupleOutside = i;
  }
  c.expectSame("firstOutOfRange", firstOutOfRange(indices.actual, n), outside);
  Shape shape = {7};
  shape.append(dims);
  c.expectSame("firstTupleOutOfRange",
               firstTupleOutOfRange(indices.actual, shape, 1), tupleOutside);
  return true;
}

void onnxfold::addIndexOperations(OperationList &list) {
  list.insert(list.end(), {{"gather", gatherOf},
                           {"gatherElements", gatherElementsOf},
                           {"gatherND", gatherNDOf},
                           {"scatterElements", scatterElementsOf},
                           {"scatterND", scatterNDOf},
                           {"index checks", rangeChecks}});
}
