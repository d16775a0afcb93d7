//===- Pad.cpp - Constant kernel of onnx.Pad ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// More elements around a tensor, or (negative counts) fewer. Spec: onnx Pad,
// versions 1, 2 (attributes), 11 (inputs), 13, 18 (axes), 19 (mode wrap), 21,
// 23, 24, 25. Cropping comes first. Reflections longer than a dimension are
// reflected again, as the reference evaluator has it; the edge of nothing is
// kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static std::optional<PadMode> modeOf(FoldContext &cx, llvm::StringRef mode) {
  if (mode == "constant")
    return PadMode::Constant;
  if (mode == "reflect")
    return PadMode::Reflect;
  if (mode == "edge")
    return PadMode::Edge;
  if (mode == "wrap" && cx.version() >= 19)
    return PadMode::Wrap;
  return std::nullopt;
}

/// One element of the type of x, or null for the default.
static Elements fillOf(FoldContext &cx) {
  if (cx.isSymbolic() && !cx.hasInput(2))
    return Elements::fromValues<DimExpr>({}, {cx.exprs().constant(0)});
  if (cx.version() >= 11)
    return cx.hasInput(2) ? cx.input(2) : Elements();
  return Elements::splat(cx.input(0).type(), {},
                         WideNum::widen(cx.real("value").value_or(0)));
}

/// A dimension may be padded like this; `size` becomes what it is then.
static bool mayPad(int64_t &size, int64_t begin, int64_t end, PadMode mode) {
  constexpr int64_t most = int64_t(1) << 62;
  if (begin < -most || begin > most || end < -most || end > most)
    return false;
  int64_t kept = size + std::min<int64_t>(begin, 0) + std::min<int64_t>(end, 0);
  bool grows = begin > 0 || end > 0;
  return !llvm::AddOverflow(begin, end, end) &&
         !llvm::AddOverflow(size, end, size) && size >= 0 &&
         (mode == PadMode::Constant || kept > 0 || (kept == 0 && !grows));
}

static FoldResult foldPad(FoldContext &cx) {
  const Elements &x = cx.input(0);
  std::string modeName = cx.string("mode").value_or("constant");
  std::optional<PadMode> mode = modeOf(cx, modeName);
  if (!mode)
    return invalid("attribute 'mode' is '" + modeName + "'");
  if (cx.version() >= 11 && cx.hasInput(2))
    if (Reason several = checkOneElement(cx, 2))
      return several;
  ReasonOr<Shape> axes = normalizedAxes(
      cx.hasInput(3) ? Shape(cx.intsOf(3)) : firstAxes(x.rank()), x.rank());
  if (!axes)
    return axes.reason();
  llvm::StringRef name = cx.version() == 1 ? "paddings" : "pads";
  Shape pads = attributeOrInput(cx, name, 1, 11).value_or(Shape());
  size_t count = axes->size();
  std::string text = "pads are " + toString(pads) + ", the input has shape " +
                     toString(x.shape());
  if (pads.size() != 2 * count)
    return invalid(text);
  Shape begins(x.rank(), 0), ends(x.rank(), 0), shape(x.shape());
  for (auto [i, axis] : llvm::enumerate(*axes)) {
    begins[axis] = pads[i];
    ends[axis] = pads[count + i];
    if (!mayPad(shape[axis], begins[axis], ends[axis], *mode))
      return invalid(text);
  }
  if (Reason large = cx.checkResult(x.type(), shape))
    return large;
  return pad(x, begins, ends, *mode, fillOf(cx));
}

namespace onnxfold {
void registerPad(KernelRegistry &registry) {
  registry.add("Pad", {1, 2}, foldPad);
  registry.add("Pad", {11, 13, 18, 19, 21, 23, 24, 25}, foldPad)
      .movesSymbols(0)
      .movesSymbols(2);
}
} // namespace onnxfold
