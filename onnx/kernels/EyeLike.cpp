//===- EyeLike.cpp - Constant kernel of onnx.EyeLike ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Ones on a diagonal of a matrix, zero elsewhere. Spec: onnx EyeLike, versions
// 9, 22. Only the input's shape and type count, so this folds where its value
// is not constant. k moves the diagonal to the right.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Generate.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldEyeLike(FoldContext &cx) {
  Shape shape;
  if (auto dims = cx.inputShape(0))
    for (DimExpr d : *dims)
      shape.push_back(cx.exprs().valueOf(d).value_or(-1));
  if (!cx.inputShape(0) || llvm::is_contained(shape, -1))
    return notFolded(ReasonCode::InputNotConstant,
                     "the shape of input #0 is not known");
  if (shape.size() != 2)
    return invalid("input #0 has shape " + toString(shape) +
                   ", expected a matrix");
  int64_t type = cx.integer("dtype").value_or(int64_t(cx.inputType(0)));
  if (!isDataType(type))
    return invalid("attribute 'dtype' is " + llvm::Twine(type) +
                   ", the number of no element type");
  TypeClass kind = typeClass(DataType(type));
  if (kind > TypeClass::Float || isSubByte(DataType(type)))
    return Elements();
  if (Reason large = cx.checkResult(DataType(type), shape))
    return large;
  return eye(DataType(type), shape, cx.integer("k").value_or(0));
}

namespace onnxfold {
void registerEyeLike(KernelRegistry &registry) {
  registry.add("EyeLike", {9, 22}, foldEyeLike).ignoresValue(0);
}
} // namespace onnxfold
