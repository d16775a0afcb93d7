//===- ReduceMin.cpp - Constant kernel of tosa.reduce_min ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smallest element along an axis; of zeros +0 is the larger. NaN as `nan_mode`
// says.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReduceMin(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ReduceMinOp>(cx.operation());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  return reduceToExtreme(cx, /*wantsLarger=*/false, ignoresNan);
}

namespace onnxfold::upstream {
void registerTosaReduceMin(KernelRegistry &registry) {
  registry.add("reduce_min", {1}, foldTosaReduceMin);
}
} // namespace onnxfold::upstream
