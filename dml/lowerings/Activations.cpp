//===- Activations.cpp - Lowerings of activation functions ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Element by element, with parameters that are attributes or operands.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/support/Broadcasting.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::dml;

/// y = max(0, x) + min(0, alpha * (exp(x / alpha) - 1))
static Lowered lowerCelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {x, 0}) +
           call("min", {(call("exp", {x / alpha}) - 1) * alpha, 0});
  });
}

/// min(max(x, low), high)
static Lowered lowerClip(LoweringContext &cx) {
  Expr x = cx.matrix(0);
  Expr low, high;
  if (cx.op().since() < 11) {
    if (auto value = cx.op().getFloat("min"))
      low = double(*value);
    if (auto value = cx.op().getFloat("max"))
      high = double(*value);
  } else {
    if (cx.hasInput(1))
      low = cx.scalar(1);
    if (cx.hasInput(2))
      high = cx.scalar(2);
  }
  if (low)
    x = call("max", {x, low});
  if (high)
    x = call("min", {x, high});
  cx.define(0, x);
  return Lowered::done();
}

/// y = x < 0 ? alpha * (exp(x) - 1) : x
static Lowered lowerElu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {x, 0}) +
           (call("exp", {call("min", {x, 0})}) - 1) * alpha;
  });
}

/// x / 2 * (1 + erf(x / sqrt(2))), or with a hyperbolic tangent that is near
/// that.
static Lowered lowerGelu(LoweringContext &cx) {
  Expr x = cx.matrix(0), f;
  if (cx.op().getString("approximate", "none") == "tanh")
    f = call("tanh", {std::sqrt(2 / M_PI) * (x + 0.044715 * power(x, 3))});
  else
    f = cx.helper("erf", {x / std::sqrt(2.0)});
  cx.define(0, 0.5 * x * (1 + f));
  return Lowered::done();
}

/// y = max(0, min(1, alpha * x + beta))
static Lowered lowerHardSigmoid(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 0.2f);
  double beta = cx.op().getFloat("beta", 0.5f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {0, call("min", {x * alpha + beta, 1})});
  });
}

/// y = x * call("max", {0, call("min", {x / 6 + 0.5, 1})})
static Lowered lowerHardSwish(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) {
    return x * call("max", {0, call("min", {x / 6 + 0.5, 1})});
  });
}

/// y = x < 0 ? alpha * x : x
static Lowered lowerLeakyRelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 0.01f);
  return lowerUnary(cx, [=](Expr x) {
    return call("max", {x, 0}) + call("min", {x, 0}) * alpha;
  });
}

/// x * tanh(log(1 + exp(x))). With f = exp(-|x|) the hyperbolic tangent is (1 +
/// 2 f) / (1 + 2 f + 2 f^2) for x > 0, and f (f + 2) / (f (f + 2) + 2) below:
/// no exponential of a large number, no logarithm.
static Lowered lowerMish(LoweringContext &cx) {
  Expr x = cx.matrix(0);
  Expr f = cx.local("f", call("exp", {-call("abs", {x})}));
  Expr n = cx.local("n", f * (f + 2)), p = cx.local("p", 1 + 2 * f);
  cx.define(0, x * call("ifelse", {Expr::binary(">", x, 0),
                                   p / (p + 2 * power(f, 2)), n / (n + 2)}));
  return Lowered::done();
}

/// z = x < 0 ? y * x : x
static Lowered lowerPRelu(LoweringContext &cx) {
  return lowerBinary(
      cx,
      [&](Expr x, Expr y) {
        return call("max", {x, 0}) + call("min", {x, 0}) * y;
      },
      nullptr);
}

/// y = gamma * (x < 0 ? alpha * (exp(x) - 1) : x). Version 1 had other
/// defaults.
static Lowered lowerSelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.67326319217681884765625f);
  double gamma = cx.op().getFloat("gamma", 1.05070102214813232421875f);
  return lowerUnary(cx, [=](Expr x) {
    return (call("max", {x, 0}) +
            (call("exp", {call("min", {x, 0})}) - 1) * alpha) *
           gamma;
  });
}

/// 0 for x in [-lambd, lambd], else x drawn towards 0 by the bias.
static Lowered lowerShrink(LoweringContext &cx) {
  double lambd = cx.op().getFloat("lambd", 0.5f),
         bias = cx.op().getFloat("bias", 0.0f);
  if (DataType type = cx.result().type; !isFloat(type)) {
    if (typeClass(type) == TypeClass::Unsigned)
      return Lowered::refused("-lambd is not an unsigned number");
    lambd = std::trunc(lambd);
    bias = std::trunc(bias);
  }
  return lowerUnary(cx, [&](Expr x) {
    Expr above = choice(Expr::binary(">", x, lambd), x - bias, 0);
    return choice(Expr::binary("<", x, -lambd), x + bias, above);
  });
}

/// y = log(1 + exp(x)), in a form that does not overflow.
static Lowered lowerSoftplus(LoweringContext &cx) {
  return lowerUnary(cx, [](Expr x) {
    return call("max", {x, 0}) +
           call("log", {Expr(1) + call("exp", {-call("abs", {x})})});
  });
}

/// x / (1 + exp(-alpha * x)).
static Lowered lowerSwish(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(cx, [&](Expr x) {
    return x * call("sigmoid", {alpha == 1 ? x : x * alpha});
  });
}

/// y = x > alpha ? x : 0
static Lowered lowerThresholdedRelu(LoweringContext &cx) {
  double alpha = cx.op().getFloat("alpha", 1.0f);
  return lowerUnary(
      cx, [=](Expr x) { return choice(Expr::binary(">", x, alpha), x, 0); });
}

namespace onnxfold::dml {
void registerActivationsLowering(LoweringRegistry &registry) {
  registry.add("Celu", {12}, lowerCelu);
  registry.add("Clip", {1, 6, 11, 12, 13}, lowerClip);
  registry.add("Elu", {1, 6, 22}, lowerElu);
  registry.add("Gelu", {20}, lowerGelu);
  registry.add("HardSigmoid", {1, 6, 22}, lowerHardSigmoid);
  registry.add("HardSwish", {14, 22}, lowerHardSwish);
  registry.add("LeakyRelu", {1, 6, 16}, lowerLeakyRelu);
  registry.add("Mish", {18, 22}, lowerMish);
  registry.add("PRelu", {7, 9, 16}, lowerPRelu);
  // y = call("max", {x, 0})
  registry.add("Relu", {1, 6, 13, 14}, lowerUnary<[](Expr x) {
                 return call("max", {x, 0});
               }>);
  registry.add("Selu", {6, 22}, lowerSelu);
  registry.add("Shrink", {9}, lowerShrink);
  // y = Expr(1) / (Expr(1) + call("exp", {-x})): SystemDS 3.4.0 fails for a
  // function that has only the statement y = sigmoid(x).
  registry.add("Sigmoid", {1, 6, 13}, lowerUnary<[](Expr x) {
                 return Expr(1) / (Expr(1) + call("exp", {-x}));
               }>);
  registry.add("Softplus", {1, 22}, lowerSoftplus);
  // y = x / (Expr(1) + call("abs", {x}))
  registry.add(
      "Softsign", {1, 22},
      lowerUnary<[](Expr x) { return x / (Expr(1) + call("abs", {x})); }>);
  registry.add("Swish", {24}, lowerSwish);
  registry.add("ThresholdedRelu", {10, 22}, lowerThresholdedRelu);
}
} // namespace onnxfold::dml
