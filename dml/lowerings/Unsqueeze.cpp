//===- Unsqueeze.cpp - Lowering of onnx.Unsqueeze ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerUnsqueezeLowering(LoweringRegistry &registry) {
  registry.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, lowerReinterpretation);
}
} // namespace onnxfold::dml
