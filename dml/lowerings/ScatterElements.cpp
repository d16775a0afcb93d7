//===- ScatterElements.cpp - Lowering of onnx.ScatterElements ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Elements that are replaced or changed, one after the other: of equal indices the
// last one wins.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Indexing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerScatterElementsLowering(LoweringRegistry &registry) {
  registry.add("ScatterElements", {11, 13, 16, 18}, lowerElementScatter);
}
} // namespace onnxfold::dml
