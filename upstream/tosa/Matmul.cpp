//===- Matmul.cpp - Constant kernel of tosa.matmul -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices in batches, of a and b without their zero points. Floats are
// summed in double and rounded once; sums of integers that do not fit are undefined.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaMatmul(FoldContext &cx) {
  ReasonOr<Elements> a = withoutZeroPoint(cx, 0, 2);
  ReasonOr<Elements> b = withoutZeroPoint(cx, 1, 3);
  if (!a || !b)
    return a ? b.reason() : a.reason();
  if (a->rank() != 3 || b->rank() != 3 || a->dim(2) != b->dim(1) ||
      a->dim(0) != b->dim(0))
    return invalid("the shapes do not fit");
  if (Reason much = cx.checkWork(double(a->size()) * double(b->dim(2))))
    return much;
  DataType type = cx.resultType();
  if (!isFloat(type))
    return narrowed(ops::matmul(*a, *b), type);
  return ops::matmul(ops::cast(*a, type), ops::cast(*b, type));
}

namespace onnxfold::upstream {
void registerTosaMatmul(KernelRegistry &registry) {
  registry.add("matmul", {1}, foldTosaMatmul);
}
} // namespace onnxfold::upstream
