//===- ReduceMax.cpp - Constant kernel of tosa.reduce_max ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The largest element along an axis; of zeros +0 is the larger. NaN as `nan_mode`
// says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReduceMax(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ReduceMaxOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return reduceToExtreme(cx, /*wantsLarger=*/true, ignoresNan);
}

namespace onnxfold::upstream {
void registerTosaReduceMax(KernelRegistry &registry) {
  registry.add("reduce_max", {1}, foldTosaReduceMax);
}
} // namespace onnxfold::upstream
