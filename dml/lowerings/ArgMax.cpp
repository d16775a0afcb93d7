//===- ArgMax.cpp - Lowering of onnx.ArgMax ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Index of the first or last extreme along an axis. The builtins do not see NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

namespace onnxfold::dml {
void registerArgMaxLowering(LoweringRegistry &registry) {
  registry.add("ArgMax", {1, 11, 12, 13}, lowerArgReduction);
}
} // namespace onnxfold::dml
