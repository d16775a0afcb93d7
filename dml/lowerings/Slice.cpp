//===- Slice.cpp - Lowering of onnx.Slice --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices with steps are columns that are taken one by one.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/onnx/ir/SettingName.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The indices of [start:end:step] as ONNX clamps them.
static Shape indicesOf(int64_t start, int64_t end, int64_t step, int64_t size) {
  auto clamped = [size](int64_t bound, int64_t low, int64_t high) {
    if (bound < 0)
      bound += size;
    return std::min(std::max(bound, low), high);
  };
  Shape result;
  if (step > 0)
    for (int64_t i = clamped(start, 0, size), last = clamped(end, 0, size);
         i < last; i += std::min(step, size))
      result.push_back(i);
  else
    for (int64_t i = clamped(start, 0, size - 1),
                 last = clamped(end, -1, size - 1);
         i > last; i += std::max(step, -size))
      result.push_back(i);
  return result;
}

static Lowered lowerSlice(LoweringContext &cx) {
  const Tensor &x = cx.input(0);
  bool isKnown = true;
  auto starts = cx.ints(1, "starts", isKnown),
       ends = cx.ints(2, "ends", isKnown), axes = cx.ints(3, "axes", isKnown),
       steps = cx.ints(4, "steps", isKnown);
  if (!isKnown || !starts || !ends)
    return Lowered::refused("the bounds are not constants",
                            "fix them with " + setting("bind"));
  Moved now{cx.natural(0), x.dims};
  for (size_t i = 0; i < starts->size(); ++i) {
    int64_t axis = *normalizeAxis(axes ? (*axes)[i] : int64_t(i), x.rank()),
            step = steps ? (*steps)[i] : 1;
    if (now.dims[axis] == batchDim)
      return Lowered::refusedBatch("slices the free batch size");
    Shape indices = indicesOf((*starts)[i], (*ends)[i], step, now.dims[axis]);
    now.view = taken(cx, now.view, now.dims, axis, indices);
    now.dims[axis] = indices.size();
  }
  cx.define(0, now.view);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSliceLowering(LoweringRegistry &registry) {
  registry.add("Slice", {1, 10, 11, 13}, lowerSlice);
}
} // namespace onnxfold::dml
