//===- Cosh.cpp - Constant kernel of onnx.Cosh ----------------------------===//
//
// The hyperbolic cosine. Spec: onnx Cosh, versions 9, 22 (bfloat16).
// In double, rounded once; f64 as wide::cosh says (elements/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Math.h"
#include "onnxfold/onnx/kernels/support/Elementwise.h"

using namespace onnxfold;

static FoldResult foldCosh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::cosh);
}

namespace onnxfold {
void registerCosh(KernelRegistry &registry) {
  registry.add("Cosh", {9, 22}, foldCosh);
}
} // namespace onnxfold
