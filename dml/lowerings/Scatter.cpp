//===- Scatter.cpp - Lowering of onnx.Scatter ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ScatterElements by its old name.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Indexing.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerScatterLowering(LoweringRegistry &registry) {
  registry.add("Scatter", {9, 11}, lowerElementScatter);
}
} // namespace onnxfold::dml
