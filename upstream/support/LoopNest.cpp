//===- LoopNest.cpp - The loops of a structured operation -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/support/LoopNest.h"
#include "onnxfold/elements/ops/Contraction.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"

using namespace onnxfold;
using namespace onnxfold::upstream;
using namespace mlir;

/// The values of loops that step along one dimension: a window's positions and
/// taps are two.
static Elements indicesOf(const AffineAccess &access, size_t axis,
                          ShapeRef loops, ShapeRef sizes) {
  Shape shape;
  for (int64_t loop : loops)
    shape.push_back(sizes[loop]);
  Elements sum = Elements::splat<int64_t>(shape, access.starts[axis]);
  for (auto [i, loop] : llvm::enumerate(loops)) {
    int64_t step = access.steps[loop][axis];
    sum = ops::zipAs<int64_t, int64_t, int64_t>(
        sum, ops::iota(shape, i),
        [step](int64_t a, int64_t index) { return a + step * index; });
  }
  return sum.materialize();
}

/// One loop along a dimension, or none: a view.
static Elements stepAlong(const Elements &x, int64_t axis, int64_t start,
                          int64_t step, int64_t size) {
  Shape starts(x.rank(), 0), sizes(x.shape()), steps(x.rank(), 1);
  starts[axis] = start, sizes[axis] = size, steps[axis] = step;
  return x.slice(starts, sizes, steps);
}

Elements LoopNest::view(const Elements &x, unsigned operand) const {
  const AffineAccess &access = accesses[operand];
  ops::Labelled value = {x, {}};
  for (size_t axis = 0, next = 0; axis < access.starts.size(); ++axis) {
    Shape loops;
    for (size_t loop = 0; loop < numLoops(); ++loop)
      if (access.steps[loop][axis] != 0)
        loops.push_back(loop);
    int64_t start = access.starts[axis];
    if (loops.empty())
      value.value =
          stepAlong(value.value, next, start, 1, 1).squeeze({int64_t(next)});
    else if (loops.size() == 1)
      value.value = stepAlong(value.value, next, start,
                              access.steps[loops[0]][axis], sizes[loops[0]]);
    else
      value.value =
          ops::gather(value.value, indicesOf(access, axis, loops, sizes), next);
    next += loops.size();
    value.labels.append(loops.begin(), loops.end());
  }
  value = ops::diagonals(value);
  ops::Labels order = value.labels;
  llvm::sort(order);
  Shape shape = shapeOf([&](size_t loop) { return access.dependsOn(loop); });
  return ops::arranged(value, order).reshape(shape);
}

LoopNest LoopNest::at(ShapeRef point) const {
  LoopNest result = *this;
  for (size_t loop = 0; loop < numLoops(); ++loop) {
    if (!isReduction[loop])
      continue;
    result.sizes[loop] = 1;
    for (AffineAccess &access : result.accesses)
      for (size_t axis = 0; axis < access.starts.size(); ++axis)
        access.starts[axis] += point[loop] * access.steps[loop][axis];
  }
  return result;
}

bool upstream::isKnown(const FoldContext &cx, unsigned operand) {
  const Elements &x = cx.input(operand);
  return x && x.type() != DataType::Opaque;
}

ReasonOr<Shape> upstream::shapeOf(FoldContext &cx, unsigned operand) {
  if (isKnown(cx, operand))
    return Shape(cx.input(operand).shape());
  auto unknown = [&] {
    return notFolded(ReasonCode::InputNotConstant,
                     "the shape of input #" + Twine(operand) + " is not known");
  };
  std::optional<ArrayRef<DimExpr>> dims = cx.inputShape(operand);
  if (!dims)
    return unknown();
  Shape shape;
  for (DimExpr dim : *dims) {
    std::optional<int64_t> size = cx.exprs().valueOf(dim);
    if (!size)
      return unknown();
    shape.push_back(*size);
  }
  return shape;
}

/// Adds `factor` times an expression to index number `axis`. False if it is not
/// affine, or has numbers whose products might overflow.
static bool addTo(AffineAccess &access, size_t axis, AffineExpr expr,
                  int64_t factor) {
  constexpr int64_t most = int64_t(1) << 30;
  if (factor < -most || factor > most)
    return false;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    if (constant.getValue() < -most || constant.getValue() > most)
      return false;
    access.starts[axis] += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    access.steps[dim.getPosition()][axis] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (binary.getKind() == AffineExprKind::Add)
    return addTo(access, axis, binary.getLHS(), factor) &&
           addTo(access, axis, binary.getRHS(), factor);
  auto times = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !times ||
      times.getValue() < -most || times.getValue() > most)
    return false;
  return addTo(access, axis, binary.getLHS(), factor * times.getValue());
}

static ReasonOr<AffineAccess> accessOf(AffineMap map, unsigned operand) {
  AffineAccess access;
  access.starts.assign(map.getNumResults(), 0);
  access.steps.assign(map.getNumDims(), Shape(map.getNumResults(), 0));
  for (auto [axis, expr] : llvm::enumerate(map.getResults()))
    if (!addTo(access, axis, expr, 1))
      return notFolded(ReasonCode::NoKernel, "the indices of input #" +
                                                 Twine(operand) +
                                                 " are not affine");
  return access;
}

/// Every index of an operand is inside. Where a dimension is one loop, their
/// sizes are the same.
static Reason checkAccess(const LoopNest &nest, AffineMap map, unsigned operand,
                          ShapeRef shape) {
  if (llvm::is_contained(nest.sizes, 0))
    return {};
  const AffineAccess &access = nest.accesses[operand];
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    __int128 low = access.starts[axis], high = low;
    for (size_t loop = 0; loop < nest.numLoops(); ++loop) {
      __int128 step = access.steps[loop][axis];
      (step < 0 ? low : high) += step * (nest.sizes[loop] - 1);
    }
    bool isLoop = isa<AffineDimExpr>(map.getResult(axis));
    if (low < 0 || high >= shape[axis] || (isLoop && high + 1 != shape[axis]))
      return undefined(
          "input #" + Twine(operand) + " has shape " + toString(shape) +
          ", which does not fit the loops of sizes " + toString(nest.sizes));
  }
  return {};
}

ReasonOr<LoopNest> upstream::loopNestOf(FoldContext &cx) {
  auto op = cast<linalg::LinalgOp>(cx.operation());
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  LoopNest nest;
  SmallVector<Shape> shapes;
  Shape all;
  for (unsigned i = 0; i < maps.size(); ++i) {
    ReasonOr<Shape> shape = shapeOf(cx, i);
    if (!shape)
      return shape.reason();
    if (shape->size() != maps[i].getNumResults())
      return invalid("input #" + Twine(i) + " has rank " +
                     Twine(shape->size()) + ", expected " +
                     Twine(maps[i].getNumResults()));
    ReasonOr<AffineAccess> access = accessOf(maps[i], i);
    if (!access)
      return access.reason();
    nest.accesses.push_back(*access);
    all.append(*shape);
    shapes.push_back(*shape);
  }
  AffineMap toLoops = op.getShapesToLoopsMap();
  if (!toLoops)
    return notFolded(ReasonCode::NoKernel,
                     "the sizes of its loops do not follow from its operands");
  nest.sizes = Shape(toLoops.compose(ArrayRef<int64_t>(all)));
  for (utils::IteratorType kind : op.getIteratorTypesArray())
    nest.isReduction.push_back(kind == utils::IteratorType::reduction);
  for (unsigned i = 0; i < maps.size(); ++i)
    if (Reason wrong = checkAccess(nest, maps[i], i, shapes[i]))
      return wrong;
  return nest;
}
