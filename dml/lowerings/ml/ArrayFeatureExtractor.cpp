//===- ArrayFeatureExtractor.cpp - Lowering of ml.ArrayFeatureExtractor ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Gather along the last axis, by indices that are taken as one list.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Movement.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerArrayFeatureExtractor(LoweringContext &cx) {
  return gatherAlong(cx, cx.input(0).rank() - 1);
}

namespace onnxfold::dml {
void registerArrayFeatureExtractorLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.ArrayFeatureExtractor", {1},
               lowerArrayFeatureExtractor);
}
} // namespace onnxfold::dml
