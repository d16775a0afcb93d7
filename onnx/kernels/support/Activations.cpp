//===- Activations.cpp - Activation functions of recurrent cells ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Activations.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// A function of the list in the specification. Defaults: nothing where the
/// function has no such parameter, NaN where it has one without a default
/// (there is no operator of that name).
struct Known {
  llvm::StringRef name;
  Activation::Function function;
  std::optional<float> alpha, beta;
};

} // namespace

template <double (*f)(double v, double alpha, double beta)>
static void each(double *values, size_t count, double alpha, double beta) {
  for (size_t i = 0; i < count; ++i)
    values[i] = f(values[i], alpha, beta);
}

template <void (*f)(double *values, size_t count)>
static void wideFunction(double *values, size_t count, double, double) {
  f(values, count);
}

static double relu(double v, double, double) { return maximum(v, 0.0); }
static double affine(double v, double a, double b) { return a * v + b; }
static double leakyRelu(double v, double a, double) {
  return v >= 0 ? v : a * v;
}
static double thresholdedRelu(double v, double a, double) {
  return v >= a ? v : 0;
}
static double hardSigmoid(double v, double a, double b) {
  return minimum(maximum(a * v + b, 0.0), 1.0);
}
static double softsign(double v, double, double) {
  return v / (1 + std::fabs(v));
}

/// alpha * tanh(beta * x)
static void scaledTanh(double *values, size_t count, double a, double b) {
  for (size_t i = 0; i < count; ++i)
    values[i] *= b;
  wide::tanh(values, count);
  for (size_t i = 0; i < count; ++i)
    values[i] *= a;
}

/// x >= 0 ? x : alpha * (exp(x) - 1)
static void elu(double *values, size_t count, double a, double) {
  for (size_t i = 0; i < count; ++i) {
    if (values[i] >= 0)
      continue;
    wide::expm1(values + i, 1);
    values[i] *= a;
  }
}

static const Known *lookup(llvm::StringRef name, bool inAnyCase = false) {
  static constexpr float none = std::numeric_limits<float>::quiet_NaN();
  static const Known list[] = {
      {"Relu", each<relu>, {}, {}},
      {"Tanh", wideFunction<wide::tanh>, {}, {}},
      {"Sigmoid", wideFunction<wide::sigmoid>, {}, {}},
      {"Affine", each<affine>, none, none},
      {"LeakyRelu", each<leakyRelu>, 0.01f, {}},
      {"ThresholdedRelu", each<thresholdedRelu>, 1.0f, {}},
      {"ScaledTanh", scaledTanh, none, none},
      {"HardSigmoid", each<hardSigmoid>, 0.2f, 0.5f},
      {"Elu", elu, 1.0f, {}},
      {"Softsign", each<softsign>, {}, {}},
      {"Softplus", wideFunction<wide::softplus>, {}, {}},
  };
  const Known *known = llvm::find_if(list, [&](const Known &k) {
    return inAnyCase ? name.equals_insensitive(k.name) : k.name == name;
  });
  return known == std::end(list) ? nullptr : known;
}

namespace {

/// Values of one of the two lists, given out one after the other.
class Parameters {
public:
  Parameters(FoldContext &cx, llvm::StringRef attribute)
      : attribute(attribute),
        values(cx.reals(attribute).value_or(llvm::SmallVector<float>())) {}

  /// The parameter of the next function; NaN where nobody gives one.
  double next(std::optional<float> byDefault) {
    if (!byDefault)
      return 0;
    return used < values.size() ? values[used++] : *byDefault;
  }

  Reason checkAllUsed() const {
    if (used == values.size())
      return {};
    return undefined("attribute '" + attribute + "' has " +
                     llvm::Twine(values.size()) + " values for " +
                     llvm::Twine(used) + " functions that take one");
  }

private:
  llvm::StringRef attribute;
  llvm::SmallVector<float> values;
  size_t used = 0;
};

} // namespace

/// The names for all directions, or more: what RNN's schema has by default,
/// which is two also for one direction.
static std::vector<std::string>
activationNames(FoldContext &cx, llvm::ArrayRef<llvm::StringRef> defaults,
                int64_t directions) {
  auto names = cx.strings("activations").value_or(std::vector<std::string>());
  if (names.empty())
    for (int64_t i = 0; i < directions; ++i)
      names.insert(names.end(), defaults.begin(), defaults.end());
  return names;
}

ReasonOr<Activations>
onnxfold::readActivations(FoldContext &cx,
                          llvm::ArrayRef<llvm::StringRef> defaults,
                          int64_t directions) {
  Activations result;
  auto names = activationNames(cx, defaults, directions);
  size_t count = defaults.size() * directions;
  bool spare = defaults.size() == 1 && names.size() == 2;
  if (names.size() != count && !spare)
    return invalid("attribute 'activations' has " + llvm::Twine(names.size()) +
                   " names, expected " + llvm::Twine(count));
  Parameters alphas(cx, "activation_alpha"), betas(cx, "activation_beta");
  for (const std::string &name : names) {
    const Known *known = lookup(name);
    if (!known && (known = lookup(name, /*inAnyCase=*/true)) && !mustDecide(cx))
      return undefined("attribute 'activations' names '" + llvm::Twine(name) +
                       "', which ONNX Runtime takes for '" + known->name + "'");
    if (!known)
      return invalid("attribute 'activations' names '" + llvm::Twine(name) +
                     "', which is not a function");
    if (known->name == "ThresholdedRelu" && !mustDecide(cx))
      return undefined("ThresholdedRelu has alpha 1 by default and keeps alpha "
                       "itself, in ONNX Runtime 0 and not");
    Activation f{known->function, alphas.next(known->alpha),
                 betas.next(known->beta)};
    if (std::isnan(f.alpha) || std::isnan(f.beta))
      return undefined(llvm::Twine(name) +
                       " has no default for its alpha and beta");
    result.push_back(f);
  }
  if (Reason more = alphas.checkAllUsed())
    return more;
  if (Reason more = betas.checkAllUsed())
    return more;
  result.resize(count);
  return result;
}

std::optional<Activation>
onnxfold::activationNamed(llvm::StringRef name,
                          llvm::ArrayRef<float> parameters) {
  const Known *known = lookup(name);
  size_t count = known ? known->alpha.has_value() + known->beta.has_value() : 0;
  if (!known || parameters.size() != count)
    return std::nullopt;
  return Activation{known->function, count > 0 ? parameters[0] : 0,
                    count > 1 ? parameters[1] : 0};
}
