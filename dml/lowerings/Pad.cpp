//===- Pad.cpp - Lowering of onnx.Pad ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Axes in turn. Constant pads stand beside the values; those of other modes are
// values that are taken again. Negative pads cut.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/onnx/ir/SettingName.h"
#include <algorithm>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::dml;

/// The places of [-before, size + after) in an axis.
static Shape placesOf(llvm::StringRef mode, int64_t size, int64_t before,
                      int64_t after) {
  Shape result;
  for (int64_t i = -before; i < size + after; ++i) {
    int64_t period =
        mode == "reflect" ? std::max<int64_t>(2 * size - 2, 1) : size;
    int64_t place = ((i % period) + period) % period;
    if (mode == "edge")
      place = std::clamp<int64_t>(i, 0, size - 1);
    else if (place >= size)
      place = period - place;
    result.push_back(place);
  }
  return result;
}

/// The value of constant pads.
static Expr fillOfPad(LoweringContext &cx) {
  if (cx.op().since() < 11)
    return double(cx.op().getFloat("value", 0));
  return cx.hasInput(2) ? cx.scalar(2) : Expr(0);
}

static View paddedAxis(LoweringContext &cx, View view, Shape &dims,
                       int64_t axis, int64_t before, int64_t after,
                       llvm::StringRef mode) {
  int64_t first = std::max<int64_t>(0, -before),
          last = dims[axis] - std::max<int64_t>(0, -after);
  Shape kept(last - first);
  std::iota(kept.begin(), kept.end(), first);
  view = taken(cx, view, dims, axis, kept);
  dims[axis] = kept.size();
  before = std::max<int64_t>(0, before);
  after = std::max<int64_t>(0, after);
  if (mode == "constant")
    view = paddedAlong(cx, view, dims, axis, before, after, fillOfPad(cx));
  else
    view =
        taken(cx, view, dims, axis, placesOf(mode, dims[axis], before, after));
  dims[axis] += before + after;
  return view;
}

static Lowered lowerPad(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  bool isKnown = true;
  auto pads = cx.ints(cx.op().since() < 11 ? cx.numInputs() : 1,
                      cx.op().since() == 1 ? "paddings" : "pads", isKnown);
  auto axes = cx.ints(3, "axes", isKnown);
  if (!isKnown || !pads)
    return Lowered::refused("the pads are not constants",
                            "fix them with " + setting("bind"));
  llvm::StringRef mode = cx.op().getString("mode", "constant");
  size_t count = pads->size() / 2;
  View view = cx.natural(0);
  Shape dims = x.dims;
  for (size_t i = 0; i < count; ++i) {
    int64_t axis = *normalizeAxis(axes ? (*axes)[i] : int64_t(i), x.rank()),
            before = (*pads)[i], after = (*pads)[i + count];
    if (before == 0 && after == 0)
      continue;
    if (dims[axis] == batchDim)
      return Lowered::refusedBatch("pads the free batch size");
    if (dims[axis] + std::min<int64_t>(0, before) +
            std::min<int64_t>(0, after) <=
        0)
      return Lowered::refused("negative pads leave nothing of an axis");
    view = paddedAxis(cx, view, dims, axis, before, after, mode);
  }
  cx.define(0, view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerPadLowering(LoweringRegistry &registry) {
  registry.add("Pad", {1, 2, 11, 13, 18, 19, 21, 23, 24, 25}, lowerPad);
}
} // namespace onnxfold::dml
