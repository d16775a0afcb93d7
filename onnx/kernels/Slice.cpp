//===- Slice.cpp - Constant kernel of onnx.Slice --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Part of a tensor, as a view. Spec: onnx Slice, versions 1 (attributes), 10
// (inputs, steps), 11, 13. Bounds are clamped as version 13 spells out.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"

using namespace onnxfold;

static FoldResult foldSlice(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Shape starts = attributeOrInput(cx, "starts", 1, 10).value_or(Shape());
  Shape ends = attributeOrInput(cx, "ends", 2, 10).value_or(Shape());
  size_t count = starts.size();
  Shape given = attributeOrInput(cx, "axes", 3, 10).value_or(firstAxes(count));
  Shape steps = cx.hasInput(4) ? Shape(cx.intsOf(4)) : Shape(count, 1);
  if (ends.size() != count || given.size() != count || steps.size() != count)
    return invalid("starts, ends, axes and steps have different lengths");
  if (llvm::is_contained(steps, 0))
    return invalid("steps are " + toString(steps));
  ReasonOr<Shape> axes = normalizedAxes(given, x.rank());
  if (!axes)
    return axes.reason();
  Shape first(x.rank(), 0), sizes(x.shape()), by(x.rank(), 1);
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    SliceRange range = sliceRange(x.dim(axis), starts[i], ends[i], steps[i]);
    first[axis] = range.start;
    sizes[axis] = range.size;
    by[axis] = range.step;
  }
  return x.slice(first, sizes, by);
}

namespace onnxfold {
void registerSlice(KernelRegistry &registry) {
  registry.add("Slice", {1, 10, 11, 13}, foldSlice).movesSymbols(0);
}
} // namespace onnxfold
