//===- DeformConv.cpp - Constant kernel of onnx.DeformConv ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Convolution whose taps are displaced by offsets and weighted by a mask; what
// they meet is interpolated linearly, 0 outside of the image. Spec: onnx
// DeformConv, versions 19, 22. A mask has one element for each tap in any
// number of dimensions. In double, rounded once.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/nn/DeformableConv.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// A reason if an input of offsets does not have `each` elements a tap.
static Reason checkOffsets(FoldContext &cx, unsigned input,
                           int64_t offsetGroups, int64_t each,
                           const ConvolutionPlan &plan) {
  Shape expected = imageShape(
      plan.shape[0], offsetGroups * numElements(plan.windows.kernel) * each,
      plan.windows.positions);
  if (!cx.hasInput(input) || cx.input(input).shape() == ShapeRef(expected))
    return {};
  return invalid("input #" + llvm::Twine(input) + " has shape " +
                 toString(cx.input(input).shape()) + ", expected " +
                 toString(expected));
}

/// Products of weights and columns, group by group.
static Elements multiplyGroups(const Elements &columns, const Elements &w,
                               const ConvolutionPlan &plan) {
  int64_t groups = plan.groups, positions = columns.dim(2);
  int64_t depth = columns.dim(1) / groups;
  return matmul(w.reshape({groups, w.dim(0) / groups, depth}),
                columns.reshape({columns.dim(0), groups, depth, positions}))
      .reshape(plan.shape);
}

static FoldResult foldDeformConv(FoldContext &cx) {
  const Elements &x = cx.input(0), &w = cx.input(1), &offset = cx.input(2);
  Elements bias = cx.hasInput(3) ? cx.input(3) : Elements();
  Elements mask = cx.hasInput(4) ? cx.input(4) : Elements();
  for (const Elements &e : {w, offset, bias, mask})
    if (e && e.type() != x.type())
      return invalid("inputs have different element types");
  ReasonOr<ConvolutionPlan> plan = planConvolution(cx, x, w, x.type());
  if (!plan)
    return plan.reason();
  int64_t groups = cx.integer("offset_group").value_or(1), rank = x.rank() - 2;
  if (groups < 1 || x.size() == 0 || w.size() == 0 || x.dim(1) % groups != 0 ||
      rank > 6)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", in attribute 'offset_group' " + llvm::Twine(groups));
  for (auto wrong :
       {checkBias(cx, 3, *plan), checkOffsets(cx, 2, groups, rank, *plan),
        checkOffsets(cx, 4, groups, 1, *plan)})
    if (wrong)
      return wrong;
  int64_t taps = numElements(plan->windows.kernel);
  Shape columns = {x.dim(0), x.dim(1), taps,
                   numElements(plan->windows.positions)};
  if (auto limit = cx.checkResult(DataType::Float64, columns))
    return limit;
  return roundedOnce({x, w, offset, bias, mask}, [&](auto e) {
    auto wide = [&](const Elements &v) {
      return v ? cast(v, DataType::Float64) : v;
    };
    Elements all = deformableColumns(wide(e[0]), wide(e[2]), wide(e[4]),
                                     plan->windows, groups);
    return addBias(multiplyGroups(all, wide(e[1]), *plan), e[3]);
  });
}

namespace onnxfold {
void registerDeformConv(KernelRegistry &registry) {
  registry.add("DeformConv", {19, 22}, foldDeformConv);
}
} // namespace onnxfold
