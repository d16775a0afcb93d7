//===- CumSum.cpp - Lowering of onnx.CumSum ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Sums along an axis: of what comes before and the element itself, or (exclusive)
// of what comes before; reversed from the end.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerCumSumLowering(LoweringRegistry &registry) {
  registry.add("CumSum", {11, 14}, lowerCumulative);
}
} // namespace onnxfold::dml
