//===- Size.cpp - Lowering of onnx.Size -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// With a free batch size; all others fold.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerSize(LoweringContext &cx) {
  cx.define(0, matrix(cx.expr(sizeOf(cx.input(0).dims)), 1, 1));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerSizeLowering(LoweringRegistry &registry) {
  registry.add("Size", {1, 13, 19, 21, 23, 24, 25}, lowerSize);
}
} // namespace onnxfold::dml
