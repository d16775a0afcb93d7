//===- Celu.cpp - Constant kernel of onnx.Celu ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// max(0, x) + min(0, alpha * (exp(x / alpha) - 1)). Spec: onnx Celu, versions
// 12 (f32 only), 28 (all floats). In double, rounded once. An alpha of 0 is
// kept: x / alpha is undefined (a program that is run divides, as IEEE 754 says).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/InDouble.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements celu(const Elements &x, double alpha) {
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  if (x.isWide())
    return inWide(x, [&](auto e) { return celu(e[0], alpha); });
  Elements v = cast(x, DataType::Float64);
  Elements scaled =
      mapAs<double, double>(v, [alpha](double a) { return a / alpha; });
  Elements y = zipAs<double, double, double>(
      v, mapWide(scaled, wide::expm1), [alpha](double a, double e) {
        return maximum(a, 0.0) + minimum(alpha * e, 0.0);
      });
  return cast(y, x.type());
}

static FoldResult foldCelu(FoldContext &cx) {
  double alpha = cx.real("alpha").value_or(1);
  if (alpha == 0 && !mustDecide(cx))
    return undefined("attribute 'alpha' is 0");
  return celu(cx.input(0), alpha);
}

namespace onnxfold {
void registerCelu(KernelRegistry &registry) {
  registry.add("Celu", {12, 28}, foldCelu).costs(unitsOfFunction);
}
} // namespace onnxfold
