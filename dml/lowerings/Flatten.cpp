//===- Flatten.cpp - Lowering of onnx.Flatten ----------------------------===//
//
// The values stay in row-major order; inference knows the shape.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerFlatten(LoweringContext &cx) {
  cx.define(0, cx.natural(0));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerFlattenLowering(LoweringRegistry &registry) {
  registry.add("Flatten", {1, 9, 11, 13, 21, 23, 24, 25}, lowerFlatten);
}
} // namespace onnxfold::dml
