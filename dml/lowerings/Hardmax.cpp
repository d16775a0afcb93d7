//===- Hardmax.cpp - Lowering of onnx.Hardmax ----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// 1 at the first of the largest values, else 0. NaN is not seen.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerHardmax(LoweringContext &cx) {
  return lowerAlongRows(
      cx, [&](Expr rows) { return cx.helper("hardmax", {rows}); });
}

namespace onnxfold::dml {
void registerHardmaxLowering(LoweringRegistry &registry) {
  registry.add("Hardmax", {1, 11, 13}, lowerHardmax);
}
} // namespace onnxfold::dml
