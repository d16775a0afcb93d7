//===- IsInf.cpp - Lowering of onnx.IsInf --------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Of one sign or both.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"
#include <limits>

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerIsInf(LoweringContext &cx) {
  bool negative = cx.op().getInt("detect_negative", 1) != 0,
       positive = cx.op().getInt("detect_positive", 1) != 0;
  double infinity = std::numeric_limits<double>::infinity();
  return lowerUnary(cx, [&](Expr x) {
    if (negative && positive)
      return call("isInf", {x});
    if (!negative && !positive)
      return call("isNaN", {call("isNaN", {x})}); // 0 everywhere
    return Expr::binary("==", x, positive ? infinity : -infinity);
  });
}

namespace onnxfold::dml {
void registerIsInfLowering(LoweringRegistry &registry) {
  registry.add("IsInf", {10, 20}, lowerIsInf);
}
} // namespace onnxfold::dml
