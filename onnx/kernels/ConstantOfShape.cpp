//===- ConstantOfShape.cpp - Constant kernel of onnx.ConstantOfShape ------===//
// SPDX-License-Identifier: Apache-2.0
//
// One value everywhere, in the memory of one element. Spec: onnx
// ConstantOfShape, versions 9, 20, 21, 23, 24, 25. The value is f32 0 by
// default.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;

static FoldResult foldConstantOfShape(FoldContext &cx) {
  Elements value = cx.tensor("value");
  if (!value)
    value = Elements::splat<float>({}, 0);
  if (value.size() != 1)
    return invalid("attribute 'value' has shape " + toString(value.shape()) +
                   ", expected one element");
  Shape shape(cx.intsOf(0));
  if (llvm::any_of(shape, [](int64_t d) { return d < 0; }))
    return invalid("the shape is " + toString(shape));
  if (Reason large = cx.checkResult(value.type(), shape))
    return large;
  return value.reshape({}).expand(shape);
}

namespace onnxfold {
void registerConstantOfShape(KernelRegistry &registry) {
  registry.add("ConstantOfShape", {9, 20, 21, 23, 24, 25}, foldConstantOfShape);
}
} // namespace onnxfold
