//===- GroupNormalization.cpp - Constant kernel of onnx.GroupNormalization ===//
// SPDX-License-Identifier: Apache-2.0
//
// scale * (x - mean) / sqrt(variance + epsilon) + bias, with the moments of
// each group of channels of each instance. Spec: onnx GroupNormalization,
// versions 18 (deprecated; a scale and bias for each group), 21 (for each
// channel; in programs also one for all). Direct, more accurate than the body: in double with a variance that
// does not cancel, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"

using namespace onnxfold;

static FoldResult foldGroupNormalization(FoldContext &cx) {
  const Elements &x = cx.input(0);
  if (Reason wrong = checkFloats(cx))
    return wrong;
  if (Reason wrong = checkStashType(cx, {DataType::Float32, DataType::BFloat16,
                                         DataType::Float16, DataType::Float64}))
    return wrong;
  int64_t groups = cx.integer("num_groups").value_or(0);
  if (x.rank() < 2 || groups < 1 || x.dim(1) % groups != 0)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", attribute 'num_groups' is " + llvm::Twine(groups));
  bool perGroup = cx.version() < 21;
  // One for all groups broadcasts in the body that the specification gives.
  auto isOne = [&](unsigned i) {
    return mustDecide(cx) && cx.input(i).rank() == 1 && cx.input(i).size() == 1;
  };
  for (unsigned i : {1, 2})
    if (!isOne(i))
      if (Reason wrong = checkShape(cx, i, {perGroup ? groups : x.dim(1)}))
        return wrong;
  if (x.size() == 0)
    return x;
  // [N, groups, channels of a group, the rest]
  int64_t size = x.dim(1) / groups;
  Elements grouped =
      x.reshape({x.dim(0), groups, size, numElements(x.shape().drop_front(2))});
  auto aligned = [&](unsigned i) {
    Elements given = cx.input(i).unrounded();
    return isOne(i) ? given.reshape({1, 1, 1})
                    : given.reshape({groups, perGroup ? 1 : size, 1});
  };
  Moments m = momentsOf(grouped, {2, 3});
  Elements factor = dividedBy(aligned(1), rootOf(m.variance, epsilonOf(cx)));
  Elements y = shiftedBy(scaledBy(m.centred, factor), aligned(2));
  return roundedResult(cx, y).reshape(x.shape());
}

namespace onnxfold {
void registerGroupNormalization(KernelRegistry &registry) {
  registry.add("GroupNormalization", {18, 21}, foldGroupNormalization)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
