//===- Shrink.cpp - Constant kernel of onnx.Shrink ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x + bias below -lambd, x - bias above lambd, 0 between. Spec: onnx Shrink,
// version 9. In double, rounded once; integers are cut off, as the reference
// evaluator has it, and kept where the result is out of their range. Of NaN 0:
// it is neither below nor above.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/onnx/kernels/support/InDouble.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldShrink(FoldContext &cx) {
  const Elements &x = cx.input(0);
  double bias = cx.real("bias").value_or(0);
  double lambd = cx.real("lambd").value_or(0.5f);
  auto shrink = [=](double v) {
    return v < -lambd ? v + bias : v > lambd ? v - bias : 0.0;
  };
  if (!isInteger(x.type()))
    return inDouble(x, shrink);
  Elements y = inDouble(cast(x, DataType::Float64), shrink);
  if (Reason outside = findOutOfRange(y, x.type()))
    return outside;
  return cast(y, x.type());
}

namespace onnxfold {
void registerShrink(KernelRegistry &registry) {
  registry.add("Shrink", {9}, foldShrink).costs(unitsOfFunction);
}
} // namespace onnxfold
