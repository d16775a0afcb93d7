//===- Concat.cpp - Constant kernel of onnx.Concat ------------------------===//
//
// The inputs one after the other along an axis. Spec: onnx Concat, versions 1
// (the axis is 1 by default), 4, 11 (negative axes), 13.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/Elementwise.h"

using namespace onnxfold;

/// Two parts have one shape but for the axis.
static bool fit(ShapeRef a, ShapeRef b, int64_t axis) {
  return a.size() == b.size() && a.take_front(axis) == b.take_front(axis) &&
         a.drop_front(axis + 1) == b.drop_front(axis + 1);
}

static FoldResult foldConcat(FoldContext &cx) {
  if (std::optional<Reason> mismatch = checkSameType(cx))
    return *mismatch;
  if (cx.version() >= 4 && !cx.hasAttribute("axis"))
    return invalid("attribute 'axis' is missing");
  Axis axis = axisOf(cx, 1, cx.input(0).rank());
  if (axis.wrong)
    return *axis.wrong;
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i) {
    parts.push_back(cx.input(i));
    if (!fit(parts[0].shape(), parts[i].shape(), axis.value))
      return invalid("input #" + llvm::Twine(i) + " has shape " +
                     toString(parts[i].shape()) + ", expected that of " +
                     "input #0, " + toString(parts[0].shape()) +
                     ", but for axis " + llvm::Twine(axis.value));
  }
  return concat(parts, axis.value);
}

namespace onnxfold {
void registerConcat(KernelRegistry &registry) {
  registry.add("Concat", {1, 4, 11, 13}, foldConcat).movesSymbols();
}
} // namespace onnxfold
