//===- Sinh.cpp - Constant kernel of onnx.Sinh ----------------------------===//
//
// The hyperbolic sine. Spec: onnx Sinh, versions 9, 22 (bfloat16).
// In double, rounded once; f64 as wide::sinh says (elements/Math.h).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/Math.h"
#include "onnxfold/onnx/kernels/support/Elementwise.h"

using namespace onnxfold;

static FoldResult foldSinh(FoldContext &cx) {
  return mapWide(cx.input(0), wide::sinh);
}

namespace onnxfold {
void registerSinh(KernelRegistry &registry) {
  registry.add("Sinh", {9, 22}, foldSinh);
}
} // namespace onnxfold
