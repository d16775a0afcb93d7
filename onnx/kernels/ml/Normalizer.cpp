//===- Normalizer.cpp - Constant kernel of onnx.ml.Normalizer -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Rows divided by their largest element (MAX), the sum of their magnitudes
// (L1), or their length (L2); where that is 0, by nothing. Spec: onnx.ml
// Normalizer, version 1. The text's formulas are for elements that are not
// negative; for others L1 and L2 are the norms of that name, as in runtimes,
// and MAX is the text's. In double, rounded once to f32.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldNormalizer(FoldContext &cx) {
  const Elements &x = cx.input(0);
  std::string norm = cx.string("norm").value_or("MAX");
  if (norm != "MAX" && norm != "L1" && norm != "L2")
    return invalid("attribute 'norm' is '" + norm + "', expected MAX, L1, L2");
  if (x.rank() < 1 || x.rank() > 2)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected one or two dimensions");
  Elements wide = cast(x, DataType::Float64);
  Reduction kind = norm == "MAX"  ? Reduction::Max
                   : norm == "L1" ? Reduction::L1
                                  : Reduction::L2;
  Elements divisor = reduce(wide, {x.rank() - 1}, /*keepDims=*/true, kind);
  return cast(
      zip(wide, divisor, [](auto v, auto d) { return d == 0 ? v : v / d; }),
      DataType::Float32);
}

namespace onnxfold {
void registerNormalizer(KernelRegistry &registry) {
  registry.add("ml.Normalizer", {1}, foldNormalizer);
}
} // namespace onnxfold
