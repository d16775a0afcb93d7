//===- ArgMin.cpp - Lowering of onnx.ArgMin ------------------------------===//
//
// Index of the first or last extreme along an axis. The builtins do not see NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerArgMin(LoweringContext &cx) {
  return lowerArgReduction(cx, "rowIndexMin");
}

namespace onnxfold::dml {
void registerArgMinLowering(LoweringRegistry &registry) {
  registry.add("ArgMin", {1, 11, 12, 13}, lowerArgMin);
}
} // namespace onnxfold::dml
