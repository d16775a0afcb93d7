//===- Identity.cpp - Lowering of onnx.Identity --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerIdentity(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) { return x; });
}

namespace onnxfold::dml {
void registerIdentityLowering(LoweringRegistry &registry) {
  registry.add("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, lowerIdentity);
}
} // namespace onnxfold::dml
