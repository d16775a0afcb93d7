//===- Min.cpp - Lowering of onnx.Min ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = min(x0, x1, ...); NaN wins.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerMinLowering(LoweringRegistry &registry) {
  registry.add("Min", {8, 12, 13}, lowerExtreme);
}
} // namespace onnxfold::dml
