//===- Minimum.cpp - Constant kernel of tosa.minimum ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smaller of two numbers; of zeros +0 is the larger. NaN as `nan_mode` says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaMinimum(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::MinimumOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return ops::zip(cx.input(0), cx.input(1), [ignoresNan](auto a, auto b) {
    return tosaExtreme(a, b, /*wantsLarger=*/false, ignoresNan);
  });
}

namespace onnxfold::upstream {
void registerTosaMinimum(KernelRegistry &registry) {
  registry.add("minimum", {1}, foldTosaMinimum);
}
} // namespace onnxfold::upstream
