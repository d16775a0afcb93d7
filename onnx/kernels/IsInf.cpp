//===- IsInf.cpp - Constant kernel of onnx.IsInf --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// True where x is infinite, of a sign that attributes `detect_positive` and
// `detect_negative` ask for. Spec: onnx IsInf, versions 10, 20 (all floats;
// of the float8 types e5m2 alone has infinities).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldIsInf(FoldContext &cx) {
  Elements x = cx.input(0);
  if (!isFloat(x.type()))
    return Elements();
  if (typeClass(x.type()) == TypeClass::SmallFloat)
    x = cast(x, DataType::Float32); // exact
  bool positive = cx.integer("detect_positive").value_or(1) != 0;
  bool negative = cx.integer("detect_negative").value_or(1) != 0;
  return mapTo<bool>(x, [=](auto v) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    return (positive && v == infinity) || (negative && v == -infinity);
  });
}

namespace onnxfold {
void registerIsInf(KernelRegistry &registry) {
  registry.add("IsInf", {10, 20}, foldIsInf);
}
} // namespace onnxfold
