//===- Reshape.cpp - Lowering of onnx.Reshape ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerReshapeLowering(LoweringRegistry &registry) {
  registry.add("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25},
               lowerReinterpretation);
}
} // namespace onnxfold::dml
