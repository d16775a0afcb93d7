//===- MatmulTBlockScaled.cpp - Kernel of tosa.matmul_t_block_scaled -----===//
// SPDX-License-Identifier: Apache-2.0
//
// a * transposed b of block-scaled matrices in batches (one of b for all of a).
// Scaled in double, which is exact, summed in double, rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/upstream/support/Scales.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaMatmulTBlockScaled(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MatmulTBlockScaledOp>(cx.operation());
  int64_t block =
      mlir::tosa::BlockSizeAttr::getBlockSizeValue(op.getBlockSize());
  ReasonOr<Elements> a = timesScales(cx.input(0), cx.input(1), block);
  ReasonOr<Elements> b = timesScales(cx.input(2), cx.input(3), block);
  if (!a || !b)
    return a ? b.reason() : a.reason();
  if (a->rank() != 3 || b->rank() != 3 || a->dim(2) != b->dim(2) ||
      (b->dim(0) != a->dim(0) && b->dim(0) != 1))
    return invalid("the shapes " + toString(a->shape()) + " and " +
                   toString(b->shape()) + " do not fit");
  if (typeClass(cx.resultType()) != TypeClass::Float)
    return Elements();
  if (Reason much = cx.checkWork(double(a->size()) * double(b->dim(1))))
    return much;
  return ops::cast(ops::matmul(*a, b->transpose({0, 2, 1})), cx.resultType());
}

namespace onnxfold::upstream {
void registerTosaMatmulTBlockScaled(KernelRegistry &registry) {
  registry.add("matmul_t_block_scaled", {1}, foldTosaMatmulTBlockScaled);
}
} // namespace onnxfold::upstream
