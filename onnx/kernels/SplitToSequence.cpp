//===- SplitToSequence.cpp - Constant kernel of onnx.SplitToSequence ------===//
//
// Parts along an axis as a sequence of views: of given sizes, of one size (the
// last may be smaller), or of one index each, then without the axis unless
// `keepdims`. Spec: onnx SplitToSequence, versions 11, 24 (more types).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Parts.h"
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

/// The sizes that input #1 asks for; by default every index is a part.
static Shape sizesOf(FoldContext &cx, int64_t dim) {
  if (!cx.hasInput(1))
    return Shape(dim, 1);
  if (cx.input(1).rank() != 0)
    return Shape(cx.intsOf(1));
  int64_t size = cx.intsOf(1)[0];
  if (size <= 0)
    return {size};
  Shape sizes(dim / size, size);
  if (dim % size != 0)
    sizes.push_back(dim % size);
  return sizes;
}

static FoldResult foldSplitToSequence(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Axis axis = axisOf(cx, 0, x.rank());
  if (axis.wrong)
    return *axis.wrong;
  if (auto limit = cx.checkTripCount(x.dim(axis.value)))
    return *limit;
  FoldResult cut = cutInto(x, axis.value, sizesOf(cx, x.dim(axis.value)));
  if (!cut)
    return cut;
  bool keeps = cx.hasInput(1) || cx.integer("keepdims").value_or(1) != 0;
  std::vector<Elements> parts;
  for (const FoldedValue &part : cut.values())
    parts.push_back(keeps ? part.tensor : part.tensor.squeeze({axis.value}));
  return makeSequence(std::move(parts));
}

namespace onnxfold {
void registerSplitToSequence(KernelRegistry &registry) {
  registry.add("SplitToSequence", {11, 24}, foldSplitToSequence);
}
} // namespace onnxfold
