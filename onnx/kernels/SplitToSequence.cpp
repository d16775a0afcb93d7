//===- SplitToSequence.cpp - Constant kernel of onnx.SplitToSequence ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Parts along an axis as a sequence of views: of given sizes, of one size (the
// last may be smaller), or of one index each, then without the axis unless
// `keepdims`. Spec: onnx SplitToSequence, versions 11, 24 (more types).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Concatenation.h"
#include "onnxfold/onnx/kernels/support/Sequences.h"

using namespace onnxfold;

/// The size of each part but the last, if all are to have one.
static std::optional<int64_t> sizeOf(FoldContext &cx) {
  if (!cx.hasInput(1))
    return 1;
  if (cx.input(1).rank() != 0)
    return std::nullopt;
  return cx.intsOf(1)[0];
}

static Shape sizesOf(int64_t dim, int64_t size) {
  Shape sizes(dim / size, size);
  if (dim % size != 0)
    sizes.push_back(dim % size);
  return sizes;
}

static FoldResult foldSplitToSequence(FoldContext &cx) {
  const Elements &x = cx.input(0);
  ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
  if (!axis)
    return axis.reason();
  if (cx.hasInput(1) && !isInteger(cx.input(1).type()))
    return invalid("input #1 is not a tensor of integers");
  int64_t dim = x.dim(*axis);
  std::optional<int64_t> size = sizeOf(cx);
  if (size && *size <= 0)
    return invalid("split is " + llvm::Twine(*size));
  int64_t parts = size ? dim / *size : cx.input(1).size();
  if (auto limit = cx.checkTripCount(parts))
    return limit;
  FoldResult cut =
      cutInto(x, *axis, size ? sizesOf(dim, *size) : Shape(cx.intsOf(1)));
  if (!cut)
    return cut;
  bool keeps = cx.hasInput(1) || cx.integer("keepdims").value_or(1) != 0;
  std::vector<Elements> tensors;
  for (const FoldedValue &part : cut.values())
    tensors.push_back(keeps ? part.tensor : part.tensor.squeeze({*axis}));
  return makeSequence(tensors);
}

namespace onnxfold {
void registerSplitToSequence(KernelRegistry &registry) {
  registry.add("SplitToSequence", {11, 24}, foldSplitToSequence);
}
} // namespace onnxfold
