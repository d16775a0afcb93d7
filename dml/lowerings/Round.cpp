//===- Round.cpp - Lowering of onnx.Round --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Half to even: adding and taking away 1.5 * 2^52 leaves no bits for a fraction.
// round() of DML is half up. Numbers from 2^52 on are integers.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerRound(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) {
    return call("ifelse",
                {Expr::binary("<", call("abs", {x}), 4503599627370496.0),
                 (x + 6755399441055744.0) - 6755399441055744.0, x});
  });
}

namespace onnxfold::dml {
void registerRoundLowering(LoweringRegistry &registry) {
  registry.add("Round", {11, 22}, lowerRound);
}
} // namespace onnxfold::dml
