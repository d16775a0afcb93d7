//===- Maximum.cpp - Constant kernel of tosa.maximum ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The larger of two numbers; of zeros +0 is the larger. NaN as `nan_mode` says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaMaximum(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MaximumOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return ops::zip(cx.input(0), cx.input(1), [ignoresNan](auto a, auto b) {
    return tosaExtreme(a, b, /*wantsLarger=*/true, ignoresNan);
  });
}

namespace onnxfold::upstream {
void registerTosaMaximum(KernelRegistry &registry) {
  registry.add("maximum", {1}, foldTosaMaximum);
}
} // namespace onnxfold::upstream
