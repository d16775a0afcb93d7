//===- Reduce.cpp - Lowerings of reductions -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Over axes, which are an attribute or an operand, and along one axis.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/support/Reductions.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// Roots of sums of squares over axes.
static Lowered lowerReduceL2(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(cx, [](Expr x) {
    return call("sqrt", {call("rowSums", {power(x, 2)})});
  });
}

/// Logarithms of sums over axes.
static Lowered lowerReduceLogSum(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(
      cx, [](Expr x) { return call("log", {call("rowSums", {x})}); });
}

/// log(sum(exp(x))) over axes, less the largest so that nothing overflows; an
/// infinite maximum is the result itself.
static Lowered lowerReduceLogSumExp(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(cx, [&](Expr x) {
    Expr most = cx.local("largest", call("rowMaxs", {x}));
    Expr safe = cx.local("finite", choice(call("isInf", {most}), 0, most));
    return safe + call("log", {call("rowSums", {call("exp", {x - safe})})});
  });
}

/// Means over axes.
static Lowered lowerReduceMean(LoweringContext &cx) {
  if (!isFloat(cx.result().type))
    return Lowered::refused("integers would need rounding");
  return lowerReduction(cx, [](Expr x) { return call("rowMeans", {x}); });
}

/// exp(x) / sum(exp(x)) along an axis, less the largest.
static Lowered lowerSoftmax(LoweringContext &cx) {
  return lowerAlongRows(cx, [&](Expr x) {
    Expr e = cx.local("e", call("exp", {x - call("rowMaxs", {x})}));
    return e / call("rowSums", {e});
  });
}

/// x - log(sum(exp(x))) along an axis, less the largest.
static Lowered lowerLogSoftmax(LoweringContext &cx) {
  return lowerAlongRows(cx, [&](Expr x) {
    Expr less = cx.local("less", x - call("rowMaxs", {x}));
    return less - call("log", {call("rowSums", {call("exp", {less})})});
  });
}

namespace onnxfold::dml {
void registerReduceLowering(LoweringRegistry &registry) {
  // Sums of absolute values over axes.
  registry.add("ReduceL1", {1, 11, 13, 18}, lowerReduction<[](Expr x) {
                 return call("rowSums", {call("abs", {x})});
               }>);
  registry.add("ReduceL2", {1, 11, 13, 18}, lowerReduceL2);
  registry.add("ReduceLogSum", {1, 11, 13, 18}, lowerReduceLogSum);
  registry.add("ReduceLogSumExp", {1, 11, 13, 18}, lowerReduceLogSumExp);
  registry.add("ReduceMax", {1, 11, 12, 13, 18, 20},
               lowerReduction<[](Expr x) { return call("rowMaxs", {x}); }>);
  registry.add("ReduceMean", {1, 11, 13, 18}, lowerReduceMean);
  registry.add("ReduceMin", {1, 11, 12, 13, 18, 20},
               lowerReduction<[](Expr x) { return call("rowMins", {x}); }>);
  registry.add("ReduceProd", {1, 11, 13, 18},
               lowerReduction<[](Expr x) { return call("rowProds", {x}); }>);
  registry.add("ReduceSum", {1, 11, 13},
               lowerReduction<[](Expr x) { return call("rowSums", {x}); }>);
  // Sums of squares over axes.
  registry.add(
      "ReduceSumSquare", {1, 11, 13, 18},
      lowerReduction<[](Expr x) { return call("rowSums", {power(x, 2)}); }>);
  // Index of the first or last extreme along an axis. The builtins do not see
  // NaN.
  registry.add("ArgMax", {1, 11, 12, 13}, lowerArgReduction);
  // As ArgMax.
  registry.add("ArgMin", {1, 11, 12, 13}, lowerArgReduction);
  // Sums along an axis: of what comes before and the element itself, or
  // (exclusive) of what comes before; reversed from the end.
  registry.add("CumSum", {11, 14}, lowerCumulative);
  // Products along an axis, as CumSum has sums.
  registry.add("CumProd", {26}, lowerCumulative);
  registry.add("Softmax", {1, 11, 13}, lowerSoftmax);
  registry.add("LogSoftmax", {1, 11, 13}, lowerLogSoftmax);
  // 1 at the first of the largest values, else 0. NaN is not seen.
  registry.add("Hardmax", {1, 11, 13}, [](LoweringContext &cx) {
    return lowerAlongRows(
        cx, [&](Expr rows) { return cx.helper("hardmax", {rows}); });
  });
}
} // namespace onnxfold::dml
