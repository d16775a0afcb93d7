//===- LpNormalization.cpp - Constant kernel of onnx.LpNormalization ------===//
// SPDX-License-Identifier: Apache-2.0
//
// x divided by its norm along an axis: the sum of |x| (p = 1), or the root of
// the sum of squares (p = 2); 0 where the norm is 0. Spec: onnx
// LpNormalization, versions 1, 22 (bfloat16). In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldLpNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  ReasonOr<int64_t> axis = axisOf(cx, /*byDefault=*/-1, x.rank());
  if (!axis)
    return axis.reason();
  int64_t p = cx.integer("p").value_or(2);
  if (p != 1 && p != 2)
    return invalid("attribute 'p' is " + llvm::Twine(p) + ", expected 1 or 2");
  if (x.size() == 0)
    return x;
  Elements wide = x.unrounded();
  Elements norm = reduce(wide, {*axis}, /*keepDims=*/true,
                         p == 1 ? Reduction::L1 : Reduction::L2);
  return roundedResult(
      cx, zipAs<double, double, double>(wide, norm, [](double v, double n) {
        return n == 0 ? 0.0 : v / n;
      }));
}

namespace onnxfold {
void registerLpNormalization(KernelRegistry &registry) {
  registry.add("LpNormalization", {1, 22}, foldLpNormalization)
      .costs(unitsOfComposite);
}
} // namespace onnxfold
