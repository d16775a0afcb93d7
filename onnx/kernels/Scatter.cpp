//===- Scatter.cpp - Constant kernel of onnx.Scatter ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The former name of ScatterElements, without a reduction. Spec: onnx Scatter,
// versions 9 (no negative indices), 11 (deprecated).
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ScatterKernels.h"

using namespace onnxfold;

namespace onnxfold {
void registerScatter(KernelRegistry &registry) {
  registry.add("Scatter", {9, 11}, foldScatterElements).costs(unitsOfFunction);
}
} // namespace onnxfold
