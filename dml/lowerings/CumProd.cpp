//===- CumProd.cpp - Lowering of onnx.CumProd ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Products along an axis, as CumSum has sums.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerCumProdLowering(LoweringRegistry &registry) {
  registry.add("CumProd", {26}, lowerCumulative);
}
} // namespace onnxfold::dml
