//===- Pad.cpp - Constant kernel of tensor.pad --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor with elements around it that a body computes from their indices.
// With `nofold` it is kept, as that asks for.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TensorKernels.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTensorPad(FoldContext &cx) {
  auto op = mlir::cast<mlir::tensor::PadOp>(cx.operation());
  if (op.getNofold())
    return notFolded(ReasonCode::Filtered, "is marked 'nofold'");
  const Elements &x = cx.input(0);
  unsigned next = 1;
  Shape low = mixed(cx, op.getStaticLow(), next);
  Shape high = mixed(cx, op.getStaticHigh(), next), shape(x.shape());
  for (int64_t d = 0; d < x.rank(); ++d) {
    shape[d] += low[d] + high[d];
    if (low[d] < 0 || high[d] < 0)
      return undefined("dimension " + llvm::Twine(d) +
                       " has a negative padding");
  }
  if (Reason large = cx.checkResult(x.type(), shape))
    return large;
  if (isUniform(cx)) {
    FoldResult fill = uniformValue(cx, x.rank());
    return fill ? ops::pad(x, low, high, ops::PadMode::Constant,
                           fill.values()[0].tensor)
                : fill;
  }
  FoldResult around = generated(cx, x.type(), shape);
  if (!around)
    return around;
  return insert(around.values()[0].tensor, x,
                {low, Shape(x.shape()), Shape(x.rank(), 1)});
}

namespace onnxfold::upstream {
void registerTensorPad(KernelRegistry &registry) {
  registry.add("pad", {1}, foldTensorPad);
}
} // namespace onnxfold::upstream
