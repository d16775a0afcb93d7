//===- Reshape.cpp - Lowering of onnx.Reshape ----------------------------===//
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerReshape(LoweringContext &cx) {
  cx.define(0, cx.natural(0));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerReshapeLowering(LoweringRegistry &registry) {
  registry.add("Reshape", {1, 5, 13, 14, 19, 21, 23, 24, 25}, lowerReshape);
}
} // namespace onnxfold::dml
