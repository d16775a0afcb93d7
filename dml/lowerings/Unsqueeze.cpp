//===- Unsqueeze.cpp - Lowering of onnx.Unsqueeze ------------------------===//
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerUnsqueeze(LoweringContext &cx) {
  cx.define(0, cx.natural(0));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerUnsqueezeLowering(LoweringRegistry &registry) {
  registry.add("Unsqueeze", {1, 11, 13, 21, 23, 24, 25}, lowerUnsqueeze);
}
} // namespace onnxfold::dml
