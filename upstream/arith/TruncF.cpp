//===- TruncF.cpp - Constant kernel of arith.truncf ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To a narrower float type, rounded once, as the mode says or to nearest even.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithTruncF(FoldContext &cx) {
  auto op = mlir::cast<mlir::arith::TruncFOp>(cx.operation());
  auto mode = op.getRoundingmode();
  FoldResult result =
      mode ? rounded(cx.input(0), cx.resultType(), Rounding(unsigned(*mode)))
           : rounded(cx.input(0), cx.resultType());
  return result ? withFlags(cx, result.values()[0].tensor) : result;
}

namespace onnxfold::upstream {
void registerArithTruncF(KernelRegistry &registry) {
  registry.add("truncf", {1}, foldArithTruncF);
}
} // namespace onnxfold::upstream
