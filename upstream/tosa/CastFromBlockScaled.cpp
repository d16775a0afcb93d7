//===- CastFromBlockScaled.cpp - Kernel of tosa.cast_from_block_scaled ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Each element times the scale of its block, rounded to the type of the result.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/upstream/support/Scales.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaCastFromBlockScaled(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::CastFromBlockScaledOp>(cx.operation());
  if (typeClass(cx.resultType()) != TypeClass::Float)
    return Elements();
  ReasonOr<Elements> product = timesScales(
      cx.input(0), cx.input(1),
      mlir::tosa::BlockSizeAttr::getBlockSizeValue(op.getBlockSize()));
  if (!product)
    return product.reason();
  return ops::cast(*product, cx.resultType());
}

namespace onnxfold::upstream {
void registerTosaCastFromBlockScaled(KernelRegistry &registry) {
  registry.add("cast_from_block_scaled", {1}, foldTosaCastFromBlockScaled);
}
} // namespace onnxfold::upstream
