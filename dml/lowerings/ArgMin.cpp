//===- ArgMin.cpp - Lowering of onnx.ArgMin ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// As ArgMax.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerArgMinLowering(LoweringRegistry &registry) {
  registry.add("ArgMin", {1, 11, 12, 13}, lowerArgReduction);
}
} // namespace onnxfold::dml
