//===- Gather.cpp - Lowering of onnx.Gather ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Negative indices count from the end. One that is out of range stops the script.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerGather(LoweringContext &cx) {
  return gatherAlong(
      cx, *normalizeAxis(cx.op().getInt("axis", 0), cx.input(0).rank()));
}

namespace onnxfold::dml {
void registerGatherLowering(LoweringRegistry &registry) {
  registry.add("Gather", {1, 11, 13}, lowerGather);
}
} // namespace onnxfold::dml
