//===- Squeeze.cpp - Lowering of onnx.Squeeze ----------------------------===//
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSqueeze(LoweringContext &cx) {
  cx.define(0, cx.natural(0));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSqueezeLowering(LoweringRegistry &registry) {
  registry.add("Squeeze", {1, 11, 13, 21, 23, 24, 25}, lowerSqueeze);
}
} // namespace onnxfold::dml
