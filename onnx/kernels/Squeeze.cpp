//===- Squeeze.cpp - Constant kernel of onnx.Squeeze ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Without dimensions of size 1, as a view. Spec: onnx Squeeze, versions 1, 11
// (axes: an attribute), 13 (an input), 21, 23, 24, 25. Without axes all of
// size 1. An empty list of axes names none, or all of size 1 as in ONNX Runtime:
// it stays if there is one, and programs do as ONNX Runtime.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;

static FoldResult foldSqueeze(FoldContext &cx) {
  const Elements &x = cx.input(0);
  std::optional<Shape> given = attributeOrInput(cx, "axes", 1, 13);
  auto isNotOne = [&](int64_t axis) { return x.dim(axis) != 1; };
  if (!given || (given->empty() && mustDecide(cx))) {
    given = firstAxes(x.rank());
    llvm::erase_if(*given, isNotOne);
  } else if (given->empty() && llvm::is_contained(x.shape(), 1)) {
    return undefined("the list of axes is empty, which means all of size 1 or "
                     "none");
  }
  ReasonOr<Shape> axes = axesOnce(cx, *given, x.rank());
  if (!axes)
    return axes.reason();
  if (llvm::any_of(*axes, isNotOne))
    return invalid("the axes are " + toString(*given) +
                   ", not all of size 1 in " + toString(x.shape()));
  return x.squeeze(*axes);
}

namespace onnxfold {
void registerSqueeze(KernelRegistry &registry) {
  registry.add("Squeeze", {1, 11, 13, 21, 23, 24, 25}, foldSqueeze)
      .movesSymbols(0);
}
} // namespace onnxfold
