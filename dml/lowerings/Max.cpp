//===- Max.cpp - Lowering of onnx.Max ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = max(x0, x1, ...); NaN wins.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerMaxLowering(LoweringRegistry &registry) {
  registry.add("Max", {8, 12, 13}, lowerExtreme);
}
} // namespace onnxfold::dml
