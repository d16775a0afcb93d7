//===- Resize.cpp - Constant kernel of tosa.resize -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Images [n, h, w, c] at positions (i * scale_d + offset) / scale_n: the nearest
// element, or the four around it weighted. Floats are computed in double and rounded
// once; integers are not divided by the scales.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace {

/// The elements before and after each position along an axis, and how far it is
/// from the first one, of `numerator`.
struct ResizedAxis {
  int64_t numerator;
  llvm::SmallVector<int64_t> first, second, distance;

  static Elements vector(llvm::ArrayRef<int64_t> values) {
    return Elements::fromValues<int64_t>({int64_t(values.size())}, values);
  }
};

} // namespace

static ReasonOr<ResizedAxis> axisFor(FoldContext &cx, int64_t length, int d) {
  int64_t n = cx.intsOf(1)[2 * d], by = cx.intsOf(1)[2 * d + 1];
  int64_t offset = cx.intsOf(2)[d], border = cx.intsOf(3)[d];
  auto isSmall = [](int64_t v) { return v > -(1 << 24) && v < (1 << 24); };
  if (!isSmall(n) || !isSmall(by) || !isSmall(offset) || !isSmall(border) ||
      n < 1 || by < 1 || length < 1 || length > (int64_t(1) << 31))
    return invalid("the scale is " + llvm::Twine(n) + " / " + llvm::Twine(by) +
                   " of a dimension of " + llvm::Twine(length));
  int64_t room = (length - 1) * n - offset + border;
  if (room < 0)
    return invalid("'border' leaves nothing");
  if (Reason large = cx.checkResult(DataType::Int64, {room / by + 1}))
    return large;
  ResizedAxis axis{.numerator = n, .first = {}, .second = {}, .distance = {}};
  for (int64_t i = 0; i <= room / by; ++i) {
    int64_t at = i * by + offset;
    int64_t below = at >= 0 ? at / n : -((-at + n - 1) / n);
    axis.first.push_back(std::clamp<int64_t>(below, 0, length - 1));
    axis.second.push_back(std::clamp<int64_t>(below + 1, 0, length - 1));
    axis.distance.push_back(at - below * n);
  }
  return axis;
}

static Elements nearest(const Elements &x, int64_t dim,
                        const ResizedAxis &axis) {
  llvm::SmallVector<int64_t> indices;
  for (size_t i = 0; i < axis.first.size(); ++i)
    indices.push_back(2 * axis.distance[i] >= axis.numerator ? axis.second[i]
                                                             : axis.first[i]);
  return ops::gather(x, ResizedAxis::vector(indices), dim);
}

/// first * (1 - distance) + second * distance; of integers times the numerator.
static Elements between(const Elements &x, int64_t dim,
                        const ResizedAxis &axis) {
  int64_t n = axis.numerator;
  Shape along(x.rank(), 1);
  along[dim] = axis.first.size();
  Elements distance = ResizedAxis::vector(axis.distance).reshape(along);
  Elements rest = mapInt64(distance, [n](int64_t v) { return n - v; });
  auto weighted = [&](llvm::ArrayRef<int64_t> indices,
                      const Elements &weights) {
    Elements of = ops::gather(x, ResizedAxis::vector(indices), dim);
    return ops::zip(of, ops::cast(weights, x.type()), [n](auto v, auto w) {
      if constexpr (std::is_floating_point_v<decltype(v)>)
        return v * (w / n);
      else
        return ops::multiply(v, w);
    });
  };
  return ops::zip(weighted(axis.first, rest), weighted(axis.second, distance),
                  [](auto a, auto b) { return ops::add(a, b); });
}

static FoldResult foldTosaResize(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ResizeOp>(cx.operation());
  const Elements &x = cx.input(0);
  if (x.rank() != 4 || cx.input(1).size() != 4 || cx.input(2).size() != 2 ||
      cx.input(3).size() != 2)
    return invalid("the shapes do not fit");
  ReasonOr<ResizedAxis> rows = axisFor(cx, x.dim(1), 0);
  ReasonOr<ResizedAxis> columns = axisFor(cx, x.dim(2), 1);
  if (!rows || !columns)
    return rows ? columns.reason() : rows.reason();
  Shape shape = {x.dim(0), int64_t(rows->first.size()),
                 int64_t(columns->first.size()), x.dim(3)};
  DataType type = cx.resultType();
  if (Reason large = cx.checkResult(DataType::Float64, shape))
    return large;
  if (op.getMode() == mlir::tosa::ResizeMode::NEAREST_NEIGHBOR)
    return nearest(nearest(x, 1, *rows), 2, *columns);
  bool floats = isFloat(x.type());
  if (!floats && !isSmallInteger(x.type()))
    return Elements();
  Elements wide = floats ? ops::cast(x, DataType::Float64) : toInt64(x);
  Elements result = between(between(wide, 1, *rows), 2, *columns);
  return floats ? FoldResult(ops::cast(result, type)) : narrowed(result, type);
}

namespace onnxfold::upstream {
void registerTosaResize(KernelRegistry &registry) {
  registry.add("resize", {1}, foldTosaResize);
}
} // namespace onnxfold::upstream
