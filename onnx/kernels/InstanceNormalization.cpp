//===- InstanceNormalization.cpp - Kernel of onnx.InstanceNormalization ---===//
// SPDX-License-Identifier: Apache-2.0
//
// scale * (x - mean) / sqrt(variance + epsilon) + B, with the moments of each
// channel of each instance. Spec: onnx InstanceNormalization, versions 1, 6, 22
// (bfloat16). In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/onnx/kernels/support/Windows.h"

using namespace onnxfold;

static FoldResult foldInstanceNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  if (x.rank() < 3)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected a batch, channels and more");
  for (unsigned i : {1, 2})
    if (Reason wrong = checkShape(cx, i, {x.dim(1)}))
      return wrong;
  if (x.size() == 0)
    return x;
  Moments m = momentsOf(x, spatialAxes(x));
  Elements factor = dividedBy(unroundedVector(cx, 1, 1, x.rank()),
                              rootOf(m.variance, epsilonOf(cx)));
  return roundedResult(cx, shiftedBy(scaledBy(m.centred, factor),
                                     unroundedVector(cx, 2, 1, x.rank())));
}

namespace onnxfold {
void registerInstanceNormalization(KernelRegistry &registry) {
  registry.add("InstanceNormalization", {1, 6, 22}, foldInstanceNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
