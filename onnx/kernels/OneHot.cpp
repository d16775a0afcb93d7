//===- OneHot.cpp - Constant kernel of onnx.OneHot ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A new dimension of size `depth`: values[1] where it equals the index,
// values[0] elsewhere. Spec: onnx OneHot, versions 9, 11 (negative indices
// count from the end), 28. Indices out of range are off everywhere. Before 11
// negative ones are out of range, but ONNX Runtime counts them from the end: so
// do programs, and folding keeps the node.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/kernels/support/Axes.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// An integer tensor as it is, floats as i64; null if one does not fit.
static Elements toIntegers(const Elements &x) {
  if (isInteger(x.type()))
    return x;
  return firstNotConvertible(x, DataType::Int64) ? Elements()
                                                 : cast(x, DataType::Int64);
}

static Reason checkNotNegative(const Elements &indices) {
  if (!isSigned(indices.type()))
    return {};
  auto where = firstWhere<int64_t>(cast(indices, DataType::Int64),
                                   [](int64_t i) { return i < 0; });
  if (!where)
    return {};
  return undefined("index " + toString(indexOf(*where, indices.shape())) +
                   " is negative, which is off before opset 11, and counted "
                   "from the end in ONNX Runtime");
}

static FoldResult foldOneHot(FoldContext &cx) {
  if (Reason several = checkOneElement(cx, 1))
    return several;
  const Elements &values = cx.input(2);
  if (values.size() != 2)
    return invalid("values have shape " + toString(values.shape()) +
                   ", expected [2]");
  Elements indices = toIntegers(cx.input(0)), size = toIntegers(cx.input(1));
  if (!indices || !size)
    return undefined("indices or depth are out of the range of i64");
  int64_t depth = size.ints()[0];
  if (depth < 0)
    return invalid("depth is " + llvm::Twine(depth));
  ReasonOr<int64_t> axis = axisOf(cx, -1, indices.rank() + 1);
  if (!axis)
    return axis.reason();
  Shape shape(indices.shape());
  shape.insert(shape.begin() + *axis, depth);
  if (Reason large = cx.checkResult(values.type(), shape))
    return large;
  if (cx.version() < 11 && !mustDecide(cx))
    if (Reason disputed = checkNotNegative(indices))
      return disputed;
  Elements off = values.reshape({2}).slice(0, 0, 1);
  Elements on = values.reshape({2}).slice(0, 1, 1);
  return oneHot(indices, depth, *axis, off, on);
}

namespace onnxfold {
void registerOneHot(KernelRegistry &registry) {
  registry.add("OneHot", {9, 11, 28}, foldOneHot);
}
} // namespace onnxfold
