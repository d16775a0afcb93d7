//===- Clamp.cpp - Constant kernel of tosa.clamp -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = min(max(x, min_val), max_val). NaN as `nan_mode` says: handed on, or max_val's
// side ignored, which gives min_val.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// The bounds are attributes of the element type.
static Elements boundOf(mlir::Attribute bound, DataType type) {
  Elements number = elementsOf(bound);
  return number ? ops::cast(number, type) : number;
}

static FoldResult foldTosaClamp(FoldContext &cx) {
  auto op = mlir::cast<mlir::tosa::ClampOp>(cx.operation());
  const Elements &x = cx.input(0);
  Elements low = boundOf(op.getMinValAttr(), x.type());
  Elements high = boundOf(op.getMaxValAttr(), x.type());
  bool ignoresNan = op.getNanMode() == mlir::tosa::NanPropagationMode::IGNORE;
  auto extreme = [&](const Elements &a, const Elements &b, bool wantsLarger) {
    return ops::zip(a, b, [=](auto v, auto bound) {
      return tosaExtreme(v, bound, wantsLarger, ignoresNan);
    });
  };
  return extreme(extreme(x, low, true), high, false);
}

namespace onnxfold::upstream {
void registerTosaClamp(KernelRegistry &registry) {
  registry.add("clamp", {1}, foldTosaClamp);
}
} // namespace onnxfold::upstream
