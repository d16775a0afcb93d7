//===- TranslatedStatistics.cpp - Moments, distributions, distinct values -===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/BuiltinCall.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold::dml;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Moments
//===----------------------------------------------------------------------===//

namespace {

/// Sums over columns of samples, which may have weights.
struct Samples {
  const BuiltinCall &call;
  const DmlValue *weights;

  DmlValue binary(StringRef op, const DmlValue &a, const DmlValue &b) const {
    return call.binary(op, a, b);
  }
  DmlValue sum(const DmlValue &x) const {
    DmlValue all = weights && &x != weights ? binary("*", x, *weights) : x;
    std::string axes = call.graph().integers({0, 1});
    return DmlValue::scalar(
        call.node("ReduceSum", {all.name, axes}, {{"keepdims", {0}}}),
        DmlValue::Double);
  }
  DmlValue count(const DmlValue &x) const {
    return weights ? sum(*weights) : call.to.size(x, 0);
  }
  /// Minus the mean.
  DmlValue centred(const DmlValue &x) const {
    return binary("-", x, binary("/", sum(x), count(x)));
  }
};

} // namespace

std::string onnxfold::dml::problemOfEmpty(const CallArguments &given) {
  static constexpr StringRef names[] = {
      "avg",     "colMaxs", "colMins",     "colProds",    "contains",
      "mean",    "order",   "removeEmpty", "rowIndexMax", "rowIndexMin",
      "rowMaxs", "rowMins", "rowProds",    "sd",          "var"};
  StringRef name = given.node.text;
  if (!llvm::is_contained(names, name) && !name.contains("CountDistinct"))
    return "";
  const DmlValue *x = given.find("target", 0);
  if (!x || !x->isMatrix() || (x->rows != 0 && x->columns != 0))
    return "";
  return "a matrix of " + sizeText(*x) +
         ", of which SystemDS has other values than ONNX";
}

DmlValue onnxfold::dml::degreesOfFreedom(const BuiltinCall &call,
                                         const DmlValue &count) {
  DmlValue less = call.binary("-", count, DmlValue::known(1, DmlValue::Int));
  if (less.number)
    return DmlValue::known(std::max(*less.number, 1.0), DmlValue::Int);
  if (count.isAtLeast(2))
    return less;
  std::string open = call.to.integer(less), one = call.graph().integer(1);
  return DmlValue::scalar(call.node("Max", {open, one}), DmlValue::Int);
}

static bool areMatrices(llvm::ArrayRef<DmlValue> values) {
  return llvm::all_of(values, [](auto &one) { return one.isMatrix(); });
}

/// mean(x, weights)
DmlValue onnxfold::dml::weightedMean(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  if (!areMatrices(given))
    return call.refuse("weights that are no matrix");
  Samples of{call, &given[1]};
  return of.binary("/", of.sum(given[0]), of.count(given[0]));
}

/// cov(x, y, weights): with n - 1.
DmlValue onnxfold::dml::covariance(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  if (!areMatrices(given))
    return call.refuse("something that is not a column");
  Samples of{call, given.size() == 3 ? &given[2] : nullptr};
  DmlValue product = of.binary("*", of.centred(given[0]), of.centred(given[1]));
  DmlValue sum = of.sum(product), count = of.count(given[0]);
  if (!of.weights)
    return of.binary("/", sum, degreesOfFreedom(call, count));
  DmlValue zero = DmlValue::known(0, DmlValue::Double),
           less = of.binary("-", count, DmlValue::known(1, DmlValue::Double));
  return call.to.select(of.binary("==", less, zero), zero,
                        of.binary("/", sum, less));
}

/// moment(x, weights, order): a central one, with n.
DmlValue onnxfold::dml::moment(const BuiltinCall &call) {
  llvm::ArrayRef<DmlValue> given = call.given.positional;
  const DmlValue &order = given.back();
  if (!areMatrices(given.drop_back()) || !order.number || *order.number < 2 ||
      *order.number > 4)
    return call.refuse("expected a column and an order of 2, 3 or 4");
  Samples of{call, given.size() == 3 ? &given[1] : nullptr};
  DmlValue power = of.binary("^", of.centred(given[0]), order);
  return of.binary("/", of.sum(power), of.count(given[0]));
}

//===----------------------------------------------------------------------===//
// Distinct values
//===----------------------------------------------------------------------===//

/// Along an axis of a tensor: how often a value differs from the one before it,
/// once they are in order, and one more. NaN is ordered as an infinity, since
/// TopK of ONNX Runtime loses numbers that are compared with it; where there are
/// both, there is one value more.
static std::string distinctAlong(const BuiltinCall &call,
                                 const std::string &values, int axis,
                                 bool keepsAxis) {
  OnnxGraph &graph = call.graph();
  std::string size =
      graph.node("Shape", {values}, {{"start", {axis}}, {"end", {axis + 1}}});
  std::string isNan = graph.node("IsNaN", {values}),
              most = graph.number(HUGE_VAL);
  std::string isMost = graph.node("Equal", {values, most}),
              numbers = graph.node("Where", {isNan, most, values});
  std::string sorted =
      graph.nodes("TopK", {numbers, size}, 2, {{"axis", {axis}}}).front();
  std::string zero = graph.integers({0}), one = graph.integers({1}),
              last = graph.integers({-1}), all = graph.integers({INT64_MAX}),
              axes = graph.integers({axis});
  std::string before = graph.node("Slice", {sorted, zero, last, axes});
  std::string after = graph.node("Slice", {sorted, one, all, axes});
  std::string differs =
      graph.node("Not", {graph.node("Equal", {before, after})});
  auto count = [&](const std::string &truth) {
    return graph.node("ReduceSum", {graph.cast(truth, graph.real()), axes},
                      {{"keepdims", {keepsAxis}}});
  };
  std::string changes = count(differs), nans = count(isNan),
              mosts = count(isMost);
  std::string more = graph.node("Min", {nans, mosts, graph.number(1)});
  std::string sum = graph.node("Add", {changes, more});
  return graph.node("Add", {sum, graph.number(1)});
}

DmlValue onnxfold::dml::distinctInRows(const BuiltinCall &call) {
  return DmlValue::matrix(distinctAlong(call, call.first().name, 1, true),
                          call.first().rows, 1);
}
DmlValue onnxfold::dml::distinctInColumns(const BuiltinCall &call) {
  return DmlValue::matrix(distinctAlong(call, call.first().name, 0, true), 1,
                          call.first().columns);
}
/// countDistinct(x, dir="r"): of each row; "c": of each column; "rc", as without
/// it, of the matrix.
DmlValue onnxfold::dml::distinctValues(const BuiltinCall &call) {
  const DmlValue *x = call.get("target", 0), *direction = call.get("dir", 1);
  if (!x || !x->isMatrix())
    return call.refuse("something that is not a matrix");
  if (direction && (direction->type != DmlValue::Text || direction->isOpenText))
    return call.refuse("dir is not known");
  CallArguments inner{call.given.node, {*x}};
  StringRef along = direction ? StringRef(direction->text) : "rc";
  if (along == "r")
    return distinctInRows(call.with(inner));
  if (along == "c")
    return distinctInColumns(call.with(inner));
  if (along != "rc")
    return call.refuse("dir is '" + along +
                       "', expected \"r\", \"c\" or \"rc\"");
  std::string flat = call.graph().integers({-1});
  std::string list = call.node("Reshape", {x->name, flat});
  std::string count = distinctAlong(call, list, 0, false);
  return DmlValue::scalar(call.graph().cast(count, onnx::TensorProto::INT64),
                          DmlValue::Int);
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

/// A parameter of a distribution, or its default.
static DmlValue parameterOf(const BuiltinCall &call, StringRef name,
                            double byDefault) {
  const DmlValue *given = call.get(name);
  return given ? *given : DmlValue::known(byDefault, DmlValue::Double);
}

static DmlValue normalOf(const BuiltinCall &call, const DmlValue &x) {
  auto binary = [&](StringRef op, const DmlValue &a, const DmlValue &b) {
    return call.binary(op, a, b);
  };
  DmlValue mean = parameterOf(call, "mean", 0), sd = parameterOf(call, "sd", 1);
  DmlValue z = binary("/", binary("-", x, mean), sd);
  if (z.number)
    return DmlValue::known(std::erfc(-*z.number / std::sqrt(2.0)) / 2,
                           DmlValue::Double);
  DmlValue root = DmlValue::known(std::sqrt(2.0), DmlValue::Double);
  DmlValue scaled = binary("/", z, root);
  DmlValue erf = DmlValue::scalar(call.node("Erf", {call.to.real(scaled)}),
                                  DmlValue::Double);
  DmlValue two = DmlValue::known(2, DmlValue::Double);
  return binary("/", binary("+", erf, DmlValue::known(1, DmlValue::Double)),
                two);
}

/// 1 - exp(-rate * x), and of a quantile its inverse.
static DmlValue exponentialOf(const BuiltinCall &call, const DmlValue &x,
                              bool isInverse) {
  auto binary = [&](StringRef op, const DmlValue &a, const DmlValue &b) {
    return call.binary(op, a, b);
  };
  auto apply = [&](StringRef op, double (*compute)(double), const DmlValue &a) {
    return a.number ? DmlValue::known(compute(*a.number), DmlValue::Double)
                    : DmlValue::scalar(call.node(op, {call.to.real(a)}),
                                       DmlValue::Double);
  };
  DmlValue one = DmlValue::known(1, DmlValue::Double),
           minus = DmlValue::known(-1, DmlValue::Double),
           zero = DmlValue::known(0, DmlValue::Double),
           rate = parameterOf(call, "rate", 1);
  if (isInverse) {
    DmlValue rest = apply("Log", std::log, binary("-", one, x));
    return binary("/", binary("*", minus, rest), rate);
  }
  DmlValue power = binary("*", minus, binary("*", rate, x));
  DmlValue share = binary("-", one, apply("Exp", std::exp, power));
  return call.to.select(binary(">", x, zero), share, zero);
}

/// A distribution that dml/builtins/cdf.dml has: its parameters are `keys`.
static DmlValue scriptOf(const BuiltinCall &call, const DmlValue &x,
                         StringRef function, llvm::ArrayRef<StringRef> keys) {
  CallArguments given{call.given.node, {}};
  given.named["target"] = x;
  for (StringRef key : keys) {
    const DmlValue *value = call.get(key);
    if (!value || !value->isScalar())
      return call.refuse("no number '" + key + "'");
    given.named[key] = *value;
  }
  return call.callOwn("cdf", function, given);
}

static DmlValue unknownDistribution(const BuiltinCall &call, StringRef name) {
  return call.refuse("the distribution '" + name +
                     "', expected normal, t, chisq, f or exp");
}

/// cdf_t() and others of dml/builtins/cdf.dml; nothing for other distributions.
static std::optional<DmlValue> scriptOfDistribution(const BuiltinCall &call,
                                                    const DmlValue &x,
                                                    StringRef prefix,
                                                    StringRef name) {
  std::string function = (prefix + name).str();
  if (name == "t" || name == "chisq")
    return scriptOf(call, x, function, {"df"});
  if (name == "f")
    return scriptOf(call, x, function, {"df1", "df2"});
  return std::nullopt;
}

static DmlValue cumulative(const BuiltinCall &call, const DmlValue &x,
                           StringRef name) {
  if (name == "normal")
    return normalOf(call, x);
  if (name == "exp")
    return exponentialOf(call, x, false);
  if (auto share = scriptOfDistribution(call, x, "cdf_", name))
    return *share;
  return unknownDistribution(call, name);
}

static DmlValue quantileOf(const BuiltinCall &call, const DmlValue &x,
                           StringRef name) {
  if (name == "exp")
    return exponentialOf(call, x, true);
  if (auto number = scriptOfDistribution(call, x, "icdf_", name))
    return *number;
  if (name != "normal")
    return unknownDistribution(call, name);
  return call.binary("+", parameterOf(call, "mean", 0),
                     call.binary("*", scriptOf(call, x, "icdf_normal", {}),
                                 parameterOf(call, "sd", 1)));
}

static DmlValue distribution(const BuiltinCall &call, StringRef name,
                             bool isInverse) {
  const DmlValue *x = call.get("target", 0);
  if (!x || !x->isScalar())
    return call.refuse("something that is not a scalar");
  const DmlValue *lower = call.get("lower.tail");
  if (lower && (!lower->number || (isInverse && *lower->number == 0)))
    return call.refuse("lower.tail is not known, or FALSE of a quantile");
  if (isInverse)
    return quantileOf(call, *x, name);
  DmlValue share = cumulative(call, *x, name);
  if (!lower || *lower->number != 0 || share.isUnknown())
    return share;
  return call.binary("-", DmlValue::known(1, DmlValue::Double), share);
}

/// cdf(target=, dist=, mean=, sd=, rate=, df=, df1=, df2=, lower.tail=)
DmlValue onnxfold::dml::probability(const BuiltinCall &call) {
  const DmlValue *name = call.get("dist");
  return distribution(call, name ? StringRef(name->text) : "", false);
}
DmlValue onnxfold::dml::quantileOfDistribution(const BuiltinCall &call) {
  const DmlValue *name = call.get("dist");
  return distribution(call, name ? StringRef(name->text) : "", true);
}

/// pnorm(), qexp() and others: the letter, and the start of the distribution.
DmlValue onnxfold::dml::namedDistribution(const BuiltinCall &call) {
  StringRef name = call.given.node.text, rest = name.drop_front();
  return distribution(call, rest == "norm" ? "normal" : rest,
                      name.starts_with("q"));
}
