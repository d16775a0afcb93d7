//===- Erf.cpp - Constant kernel of onnx.Erf ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The error function. Spec: onnx Erf, versions 9 (all numeric types), 13.
// In double, rounded once. Integers, of which the text says nothing: as the
// reference evaluator, which rounds erf(x) to f32 and cuts off the fraction,
// so that 4 is the first number whose result is 1.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldErf(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (!isInteger(x.type()))
    return mapWide(x, wide::erf);
  return map(x, [](auto v) {
    int64_t whole = int64_t(v >= 4);
    if constexpr (std::is_signed_v<decltype(v)>)
      whole -= v <= -4;
    return decltype(v)(whole);
  });
}

namespace onnxfold {
void registerErf(KernelRegistry &registry) {
  registry.add("Erf", {9, 13}, foldErf).costs(unitsOfFunction);
}
} // namespace onnxfold
