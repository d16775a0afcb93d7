//===- Resizing.cpp - Resize and Upsample ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Resizing.h"
#include "onnxfold/dml/support/Probe.h"
#include "onnxfold/dml/support/Weights.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

/// The node with a smaller input: axes that keep their length are 1.
class Resizing {
public:
  Resizing(LoweringContext &cx, const std::optional<std::vector<float>> &scales)
      : cx(cx), isNearest(cx.op().getString("mode", "nearest") == "nearest"),
        crops(cx.op().getString("coordinate_transformation_mode", "") ==
              "tf_crop_and_resize") {
    const Shape &x = cx.input(0).dims, &y = cx.result().dims;
    auto given = cx.op().getInts("axes");
    for (int64_t i = 0; i < cx.input(0).rank(); ++i)
      axes.push_back(i);
    if (given && cx.op().since() >= 18)
      axes = *normalizeAxes(*given, cx.input(0).rank());
    bool stretches =
        cx.op().getString("keep_aspect_ratio_policy", "stretch") == "stretch";
    for (int64_t i = 0; i < cx.input(0).rank(); ++i) {
      auto *at = llvm::find(axes, i);
      bool isScaled =
          at != axes.end() && scales && (*scales)[at - axes.begin()] != 1;
      bool isKept = x[i] == y[i] && !crops && !isScaled &&
                    (stretches || at == axes.end());
      kept.push_back(isKept);
      from.push_back(isKept || x[i] == batchDim ? 1 : x[i]);
      to.push_back(isKept || y[i] == batchDim ? 1 : y[i]);
    }
    sizes = scales ? Elements() : smallerSizes();
  }

  Lowered lower();

private:
  LoweringContext &cx;
  bool isNearest, crops;
  Shape axes, from, to, first, last; // [first, last): not extrapolated
  llvm::SmallVector<bool> kept;
  Elements sizes;

  /// Input 3 for the smaller input.
  Elements smallerSizes() {
    Shape result = Shape(cx.constant(3).ints());
    for (auto [i, axis] : llvm::enumerate(axes))
      if (kept[axis])
        result[i] = 1;
    return Elements::fromValues<int64_t>({int64_t(result.size())}, result);
  }

  ReasonOr<Elements> run(const Elements &x) {
    llvm::SmallVector<Elements> inputs = {x};
    for (unsigned i = 1; i < cx.numInputs(); ++i)
      inputs.push_back(i == 3 && sizes ? sizes : cx.constant(i));
    ReasonOr<Elements> y = probed(cx, inputs);
    if (y && y->shape() != ShapeRef(to))
      return invalid("the sizes are not those that were inferred");
    return y;
  }

  /// f of the number along one axis, the same for all others.
  template <class F> Elements along(int64_t axis, F f) {
    std::vector<double> values;
    for (int64_t i = 0; i < from[axis]; ++i)
      values.push_back(f(i));
    Shape one(from.size(), 1);
    one[axis] = from[axis];
    return Elements::fromValues<double>({from[axis]}, values)
        .reshape(one)
        .expand(from);
  }

  /// The values of a result along an axis, where nothing is extrapolated.
  std::vector<double> line(const Elements &y, int64_t axis) {
    int64_t start = 0, stride = 1, step = 1;
    for (int64_t i = to.size() - 1; i >= 0; --i) {
      start += first[i] * stride;
      step = i == axis ? stride : step;
      stride *= to[i];
    }
    std::vector<double> all = y.values<double>(), result;
    for (int64_t i = 0; i < last[axis] - first[axis]; ++i)
      result.push_back(all[start + i * step]);
    return result;
  }

  Reason findInside();
  ReasonOr<View> resizeAxis(const View &view, const Shape &dims, int64_t axis);
};

} // namespace

/// Elements that are extrapolated are those that do not depend on the input.
Reason Resizing::findInside() {
  first.assign(to.size(), 0);
  last = to;
  if (!crops)
    return {};
  ReasonOr<Elements> zeros = run(Elements::splat<double>(from, 0)),
                     ones = run(Elements::splat<double>(from, 1));
  if (!zeros)
    return zeros.reason();
  if (!ones)
    return ones.reason();
  std::vector<double> low = zeros->values<double>(),
                      high = ones->values<double>();
  Shape none(to.size(), -1);
  first = last = none;
  for (int64_t p = 0; p < int64_t(low.size()); ++p) {
    if (low[p] == high[p])
      continue;
    for (int64_t i = to.size() - 1, rest = p; i >= 0; rest /= to[i--]) {
      int64_t at = rest % to[i];
      first[i] = first[i] < 0 ? at : std::min(first[i], at);
      last[i] = std::max(last[i], at + 1);
    }
  }
  return {};
}

ReasonOr<View> Resizing::resizeAxis(const View &view, const Shape &dims,
                                    int64_t axis) {
  int64_t size = last[axis] - first[axis];
  if (isNearest) {
    ReasonOr<Elements> y = run(along(axis, [](int64_t i) { return i; }));
    if (!y)
      return y.reason();
    std::vector<double> places = line(*y, axis);
    return taken(cx, view, dims, axis, Shape(places.begin(), places.end()));
  }
  std::vector<Tap> taps;
  for (int64_t i = 0; i < from[axis]; ++i) {
    ReasonOr<Elements> y = run(along(axis, [i](int64_t k) { return k == i; }));
    if (!y)
      return y.reason();
    for (auto [k, weight] : llvm::enumerate(line(*y, axis)))
      if (weight != 0)
        taps.push_back({i, int64_t(k), weight});
  }
  return weighedAxis(cx, view, dims, axis, size, taps);
}

Lowered Resizing::lower() {
  if (!isNearest && !isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  if (crops && !isFloat(cx.result().type))
    return Lowered::refused("extrapolated integers are not there");
  if (!cx.input(0).isStatic() && !kept[0])
    return Lowered::refusedBatch("resizes the free batch size");
  if (Reason why = findInside())
    return Lowered::refused(why.text);
  double outside = cx.op().getFloat("extrapolation_value", 0);
  View view = cx.natural(0);
  Shape dims = cx.input(0).dims;
  if (first.empty() || first[0] < 0) {
    auto [rows, columns] = naturalSizes(cx.result().dims);
    cx.define(0, cx.filled(outside, rows, columns));
    return Lowered::done();
  }
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (kept[axis])
      continue;
    ReasonOr<View> resized = resizeAxis(view, dims, axis);
    if (!resized)
      return Lowered::refused(resized.reason().text);
    view = *resized;
    dims[axis] = last[axis] - first[axis];
  }
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    if (kept[axis])
      continue;
    view = paddedAlong(cx, view, dims, axis, first[axis], to[axis] - last[axis],
                       outside);
    dims[axis] = to[axis];
  }
  cx.define(0, view);
  return Lowered::done();
}

Lowered dml::lowerResizing(LoweringContext &cx,
                           const std::optional<std::vector<float>> &scales) {
  return Resizing(cx, scales).lower();
}
