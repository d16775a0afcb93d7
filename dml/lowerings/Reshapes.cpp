//===- Reshapes.cpp - Lowerings of other shapes and types -----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Broadcasting.h"
#include "onnxfold/dml/support/Movement.h"
#include "onnxfold/dml/support/Rounding.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// ONNX's broadcasting to a shape, which inference knows.
static Lowered lowerExpand(LoweringContext &cx) {
  cx.define(0, expandTo(cx, operandOf(cx, 0), cx.result().dims));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerReshapesLowering(LoweringRegistry &registry) {
  // The values stay in row-major order; inference knows the shape.
  registry.add("Flatten", {1, 9, 11, 13, 21, 23, 24, 25},
               lowerReinterpretation);
  // The values stay in row-major order; inference knows the shape.
  registry.add("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25},
               lowerReinterpretation);
  // The values stay in row-major order; inference knows the shape.
  registry.add("Squeeze", {1, 11, 13, 21, 23, 24, 25}, lowerReinterpretation);
  // The values stay in row-major order; inference knows the shape.
  registry.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, lowerReinterpretation);
  registry.add("Expand", {8, 13}, lowerExpand);
  // To integers: rounded to zero, and wrapped around; to bool: not 0; to floats
  // that are narrower: half to even.
  registry.add("Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25, 28}, lowerConversion);
  // As Cast, to the type of input 1.
  registry.add("CastLike", {15, 19, 21, 23, 24, 25}, lowerConversion);
}
} // namespace onnxfold::dml
