//===- Binarizer.cpp - Constant kernel of onnx.ml.Binarizer ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1 where x > threshold, 0 elsewhere (NaN too). Spec: onnx.ml Binarizer,
// version 1. Integers are compared exactly with the fraction.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldBinarizer(FoldContext &cx) {
  double threshold = cx.real("threshold").value_or(0);
  // An integer is greater than t if it is greater than floor(t). A t beyond
  // int64 is above or below all of them, which one more or less cannot say.
  bool aboveAll = !(threshold < 0x1p63), belowAll = threshold < -0x1p63;
  int64_t floor = aboveAll || belowAll ? 0 : int64_t(std::floor(threshold));
  return map(cx.input(0), [=](auto v) {
    using T = decltype(v);
    if constexpr (std::is_integral_v<T>)
      return T(belowAll || (!aboveAll && int64_t(v) > floor));
    else
      return T(double(v) > threshold);
  });
}

namespace onnxfold {
void registerBinarizer(KernelRegistry &registry) {
  registry.add("ml.Binarizer", {1}, foldBinarizer);
}
} // namespace onnxfold
