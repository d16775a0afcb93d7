//===- ReduceProduct.cpp - Constant kernel of tosa.reduce_product --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The product of floats along an axis, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReduceProduct(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  if (!isFloat(cx.input(0).type()))
    return Elements();
  return ops::reduce(cx.input(0), {*axis}, /*keepDims=*/true,
                     ops::Reduction::Product);
}

namespace onnxfold::upstream {
void registerTosaReduceProduct(KernelRegistry &registry) {
  registry.add("reduce_product", {1}, foldTosaReduceProduct);
}
} // namespace onnxfold::upstream
