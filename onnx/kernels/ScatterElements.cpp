//===- ScatterElements.cpp - Constant kernel of onnx.ScatterElements ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A copy with updates[i][j] written at [indices[i][j]][j] for axis 0. Spec:
// onnx ScatterElements, versions 11, 13, 16 (reduction: add, mul), 18 (min,
// max). Reductions are in row-major order of the updates. Indices out of range,
// and elements written twice without a reduction, are errors of the model:
// kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/ScatterKernels.h"

using namespace onnxfold;

namespace onnxfold {
void registerScatterElements(KernelRegistry &registry) {
  registry.add("ScatterElements", {11, 13, 16, 18}, foldScatterElements)
      .movesSymbols(0)
      .movesSymbols(2)
      .costs(unitsOfFunction);
}
} // namespace onnxfold
