//===- Unique.cpp - Constant kernel of onnx.Unique ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The different elements of x, or its different slices along an axis, where
// each is first, which of them each element is, and how often it occurs. Spec:
// onnx Unique, versions 11, 28 (bfloat16). With a NaN runtimes differ: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/Support/MathExtras.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldUnique(FoldContext &cx) {
  const Elements &x = cx.input(0);
  UniqueOptions options;
  options.sorted = cx.integer("sorted").value_or(1) != 0;
  if (cx.hasAttribute("axis")) {
    ReasonOr<int64_t> axis = axisOf(cx, 0, x.rank());
    if (!axis)
      return axis.reason();
    options.axis = *axis;
    options.nansAreEqual = false;
  }
  double size = double(x.size());
  if (Reason large = cx.checkWork(size * llvm::Log2_64_Ceil(x.size() + 2), 30))
    return large;
  // The numbers of as many elements as x has take more memory than x itself.
  if (Reason large = cx.checkResult(DataType::Int64, x.shape()))
    return large;
  if (Reason nan = checkNoNaN(cx, 0))
    return nan;
  Unique result = unique(x, options);
  if (!result.values)
    return Elements();
  llvm::SmallVector<Elements, 1> results = {result.values, result.first,
                                            result.inverse, result.counts};
  results.resize(cx.numResults());
  return results;
}

namespace onnxfold {
void registerUnique(KernelRegistry &registry) {
  registry.add("Unique", {11, 28}, foldUnique);
}
} // namespace onnxfold
