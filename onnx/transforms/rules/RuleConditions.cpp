//===- RuleConditions.cpp - The conditions of a rule ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A condition that is not known to hold does not hold: shapes are compared by
// the symbols of the evaluation.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/SymbolicFold.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/folding/SymbolicShapes.h"
#include "onnxfold/onnx/transforms/rewrite/ExactCasts.h"
#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "mlir/IR/Builders.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <variant>

using namespace onnxfold;

namespace {

/// A number of a condition: a size, which may be a symbol, a float or a text.
using Number = std::variant<std::monostate, DimExpr, double, std::string>;

class Conditions {
public:
  Conditions(const RewriteRule &rule, const RuleBindings &bindings,
             const Evaluation &evaluation, DimExprs &exprs,
             llvm::function_ref<bool(unsigned)> isOnce)
      : rule(rule), bindings(bindings), evaluation(evaluation), exprs(exprs),
        isOnce(isOnce) {}

  RuleTruth testTypes();
  RuleTruth testShapes();
  RuleTruth test(const RuleTerm &term);
  RuleTruth compute(const RuleParameter &parameter, mlir::Attribute &result);

private:
  const ValueState *stateOf(unsigned value) const;
  RuleTruth matchShape(const std::vector<RuleDim> &dims,
                       llvm::ArrayRef<DimExpr> shape);
  RuleTruth matchDim(const RuleDim &dim, DimExpr size);
  RuleTruth areEqual(DimExpr a, DimExpr b);
  RuleTruth areSame(llvm::ArrayRef<DimExpr> a, llvm::ArrayRef<DimExpr> b);
  RuleTruth compare(const RuleTerm &term);
  RuleTruth ofValues(const RuleTerm &term);
  RuleTruth isWithin(const RuleTerm &term);
  RuleTruth hasEqualHalves(const RuleTerm &term);

  Number number(const RuleTerm &term);
  Number element(const RuleTerm &term);
  Number ofAttribute(mlir::Attribute attribute);
  Number dimOf(const RuleTerm &term);
  Number arithmetic(const RuleTerm &term);
  std::optional<int64_t> integer(const RuleTerm &term);
  std::optional<double> real(const Number &number);

  const RewriteRule &rule;
  const RuleBindings &bindings;
  const Evaluation &evaluation;
  DimExprs &exprs;
  llvm::function_ref<bool(unsigned)> isOnce;
  llvm::StringMap<DimExpr> dims;
  llvm::StringMap<SymbolicShape> runs;
};

} // namespace

static RuleTruth truthOf(bool is) {
  return is ? RuleTruth::Yes : RuleTruth::No;
}

static RuleTruth negate(RuleTruth truth) {
  return truth == RuleTruth::Unknown ? truth : truthOf(truth == RuleTruth::No);
}

const ValueState *Conditions::stateOf(unsigned value) const {
  mlir::Value bound = bindings.valueOf(value);
  return bound && !isAbsent(bound) ? &evaluation.state(bound) : nullptr;
}

//===----------------------------------------------------------------------===//
// Types and shapes
//===----------------------------------------------------------------------===//

/// Values whose types the header restricts.
RuleTruth Conditions::testTypes() {
  RuleTruth result = RuleTruth::Yes;
  for (auto [i, value] : llvm::enumerate(rule.values)) {
    if (value.types.empty() || !bindings.isBound[i])
      continue;
    for (mlir::Value bound : bindings.values[i]) {
      DataType type = evaluation.state(bound).type;
      result = std::min(result,
                        type == DataType::Undefined
                            ? RuleTruth::Unknown
                            : truthOf(llvm::is_contained(value.types, type)));
    }
  }
  return result;
}

RuleTruth Conditions::areEqual(DimExpr a, DimExpr b) {
  if (a == b)
    return RuleTruth::Yes;
  std::optional<int64_t> known = exprs.valueOf(exprs.equal(a, b));
  return known ? truthOf(*known != 0) : RuleTruth::Unknown;
}

RuleTruth Conditions::areSame(llvm::ArrayRef<DimExpr> a,
                              llvm::ArrayRef<DimExpr> b) {
  if (a.size() != b.size())
    return RuleTruth::No;
  RuleTruth result = RuleTruth::Yes;
  for (size_t i = 0; i < a.size(); ++i)
    result = std::min(result, areEqual(a[i], b[i]));
  return result;
}

RuleTruth Conditions::matchDim(const RuleDim &dim, DimExpr size) {
  if (dim.kind == RuleDim::Number)
    return areEqual(size, exprs.constant(dim.number));
  if (dim.kind != RuleDim::Name)
    return RuleTruth::Yes;
  auto [known, isNew] = dims.try_emplace(dim.name, size);
  return isNew ? RuleTruth::Yes : areEqual(known->second, size);
}

RuleTruth Conditions::matchShape(const std::vector<RuleDim> &pattern,
                                 llvm::ArrayRef<DimExpr> shape) {
  auto run = llvm::find_if(
      pattern, [](const RuleDim &dim) { return dim.kind == RuleDim::Run; });
  bool hasRun = run != pattern.end();
  size_t before = run - pattern.begin();
  size_t after = hasRun ? pattern.size() - before - 1 : 0;
  if (hasRun ? shape.size() < before + after : shape.size() != pattern.size())
    return RuleTruth::No;
  RuleTruth result = RuleTruth::Yes;
  for (size_t i = 0; i < before; ++i)
    result = std::min(result, matchDim(pattern[i], shape[i]));
  for (size_t i = 0; i < after; ++i)
    result = std::min(result, matchDim(pattern[before + 1 + i],
                                       shape[shape.size() - after + i]));
  if (!hasRun)
    return result;
  llvm::ArrayRef<DimExpr> rest =
      shape.slice(before, shape.size() - before - after);
  auto [known, isNew] = runs.try_emplace(run->name, rest);
  return isNew ? result : std::min(result, areSame(known->second, rest));
}

RuleTruth Conditions::testShapes() {
  RuleTruth result = RuleTruth::Yes;
  for (auto [i, value] : llvm::enumerate(rule.values)) {
    if (!value.shape || !bindings.isBound[i])
      continue;
    for (mlir::Value bound : bindings.values[i]) {
      const ValueState &state = evaluation.state(bound);
      result =
          std::min(result, state.shape ? matchShape(*value.shape, *state.shape)
                                       : RuleTruth::Unknown);
    }
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

std::optional<double> Conditions::real(const Number &number) {
  if (const double *value = std::get_if<double>(&number))
    return *value;
  if (const DimExpr *size = std::get_if<DimExpr>(&number))
    if (std::optional<int64_t> known = exprs.valueOf(*size))
      return double(*known);
  return std::nullopt;
}

std::optional<int64_t> Conditions::integer(const RuleTerm &term) {
  Number found = number(term);
  const DimExpr *size = std::get_if<DimExpr>(&found);
  return size ? exprs.valueOf(*size) : std::nullopt;
}

Number Conditions::ofAttribute(mlir::Attribute attribute) {
  if (auto number = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute))
    return exprs.constant(number.getInt());
  if (auto number = mlir::dyn_cast_or_null<mlir::FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto text = mlir::dyn_cast_or_null<mlir::StringAttr>(attribute))
    return text.getValue().str();
  return {};
}

/// An element of a list of integers or of a value.
Number Conditions::element(const RuleTerm &term) {
  std::optional<int64_t> place =
      term.operands.empty() ? 0 : integer(term.operands.front());
  if (!place)
    return {};
  if (term.kind == RuleTerm::Element) {
    Elements list = elementsOfAttribute(bindings.attributes[term.index]);
    if (!list || *place < 0 || *place >= list.size())
      return {};
    return list.type() == DataType::Int64
               ? Number(exprs.constant(list.value<int64_t>(*place)))
               : Number(list.number(*place).to<double>());
  }
  const ValueState *state = stateOf(term.index);
  if (!state || *place < 0)
    return {};
  if (state->isConstant() && isFloat(state->type))
    return *place < state->value.size()
               ? Number(state->value.number(*place).to<double>())
               : Number();
  std::optional<SymbolicShape> elements = elementsAsSymbols(*state, exprs);
  return elements && *place < int64_t(elements->size())
             ? Number((*elements)[*place])
             : Number();
}

Number Conditions::dimOf(const RuleTerm &term) {
  const ValueState *state = stateOf(term.index);
  if (!state || !state->shape)
    return {};
  const SymbolicShape &shape = *state->shape;
  if (term.kind == RuleTerm::Rank)
    return exprs.constant(shape.size());
  if (term.kind == RuleTerm::Size) {
    DimExpr size = exprs.constant(1);
    for (DimExpr dim : shape)
      size = exprs.multiply(size, dim);
    return size;
  }
  std::optional<int64_t> place = integer(term.operands.front());
  int64_t rank = shape.size();
  if (!place || *place < -rank || *place >= rank)
    return {};
  return shape[*place < 0 ? *place + rank : *place];
}

Number Conditions::arithmetic(const RuleTerm &term) {
  Number left = number(term.operands[0]), right = number(term.operands[1]);
  const DimExpr *a = std::get_if<DimExpr>(&left),
                *b = std::get_if<DimExpr>(&right);
  if (!a || !b) {
    std::optional<double> x = real(left), y = real(right);
    if (!x || !y)
      return {};
    switch (term.kind) {
    case RuleTerm::Add:
      return *x + *y;
    case RuleTerm::Subtract:
      return *x - *y;
    case RuleTerm::Multiply:
      return *x * *y;
    case RuleTerm::Divide:
      return *x / *y;
    case RuleTerm::Minimum:
      return std::min(*x, *y);
    case RuleTerm::Maximum:
      return std::max(*x, *y);
    default:
      return {};
    }
  }
  switch (term.kind) {
  case RuleTerm::Add:
    return exprs.add(*a, *b);
  case RuleTerm::Subtract:
    return exprs.subtract(*a, *b);
  case RuleTerm::Multiply:
    return exprs.multiply(*a, *b);
  case RuleTerm::Minimum:
    return exprs.minimum(*a, *b);
  case RuleTerm::Maximum:
    return exprs.maximum(*a, *b);
  default:
    break;
  }
  std::optional<int64_t> divisor = exprs.valueOf(*b);
  if (!divisor || *divisor <= 0)
    return {};
  DimExpr quotient = exprs.divideDown(*a, *divisor);
  if (term.kind == RuleTerm::Divide)
    return quotient;
  return exprs.subtract(*a, exprs.multiply(quotient, *b));
}

Number Conditions::number(const RuleTerm &term) {
  switch (term.kind) {
  case RuleTerm::Integer:
    return exprs.constant(term.integer);
  case RuleTerm::Real:
    return term.real;
  case RuleTerm::Text:
    return term.name;
  case RuleTerm::Dimension: {
    auto found = dims.find(term.name);
    return found == dims.end() ? Number() : Number(found->second);
  }
  case RuleTerm::Attribute:
    return ofAttribute(bindings.attributes[term.index]);
  case RuleTerm::Element:
  case RuleTerm::Value:
    return element(term);
  case RuleTerm::Length: {
    Elements list = elementsOfAttribute(bindings.attributes[term.index]);
    return list ? Number(exprs.constant(list.size())) : Number();
  }
  case RuleTerm::Rank:
  case RuleTerm::Size:
  case RuleTerm::Dim:
    return dimOf(term);
  default:
    return arithmetic(term);
  }
}

//===----------------------------------------------------------------------===//
// Truths
//===----------------------------------------------------------------------===//

RuleTruth Conditions::compare(const RuleTerm &term) {
  Number left = number(term.operands[0]), right = number(term.operands[1]);
  bool isNegated = term.kind == RuleTerm::Unequal;
  bool isOrder =
      term.kind == RuleTerm::Less || term.kind == RuleTerm::LessEqual;
  const auto *text = std::get_if<std::string>(&left),
             *other = std::get_if<std::string>(&right);
  if (text && other)
    return isOrder ? RuleTruth::Unknown
                   : truthOf((*text == *other) != isNegated);
  const DimExpr *a = std::get_if<DimExpr>(&left),
                *b = std::get_if<DimExpr>(&right);
  if (a && b) {
    DimExpr truth = !isOrder ? exprs.equal(*a, *b)
                    : term.kind == RuleTerm::Less
                        ? exprs.less(*a, *b)
                        : exprs.logicalNot(exprs.less(*b, *a));
    std::optional<int64_t> known = exprs.valueOf(truth);
    return known ? truthOf((*known != 0) != isNegated) : RuleTruth::Unknown;
  }
  std::optional<double> x = real(left), y = real(right);
  if (!x || !y)
    return RuleTruth::Unknown;
  // The text of a float attribute stands for the float.
  if (std::get_if<double>(&left) && std::get_if<double>(&right) && !isOrder)
    return truthOf((*x == *y || float(*x) == float(*y)) != isNegated);
  return truthOf(term.kind == RuleTerm::Less        ? *x < *y
                 : term.kind == RuleTerm::LessEqual ? *x <= *y
                                                    : (*x == *y) != isNegated);
}

RuleTruth Conditions::isWithin(const RuleTerm &term) {
  const ValueState *state = stateOf(term.index);
  if (!state || !state->isConstant() || !state->value ||
      state->type == DataType::String ||
      typeClass(state->type) == TypeClass::Complex)
    return RuleTruth::Unknown;
  double least = -std::numeric_limits<double>::max(), most = -least;
  if (term.kind == RuleTerm::Between) {
    std::optional<double> low = real(number(term.operands[0])),
                          high = real(number(term.operands[1]));
    if (!low || !high)
      return RuleTruth::Unknown;
    least = *low;
    most = *high;
  }
  Elements wide = ops::cast(state->value, DataType::Float64);
  return truthOf(!ops::firstWhere<double>(
      wide, [=](double v) { return !(v >= least && v <= most); }));
}

/// Bit by bit, of a constant.
RuleTruth Conditions::hasEqualHalves(const RuleTerm &term) {
  const ValueState *state = stateOf(term.index);
  if (!state || !state->isConstant() || !state->value)
    return RuleTruth::Unknown;
  const Elements &value = state->value;
  int64_t last = value.rank() - 1, size = last < 0 ? 1 : value.dim(last);
  return truthOf(size % 2 == 0 &&
                 value.slice(last, 0, size / 2)
                     .identicalTo(value.slice(last, size / 2, size / 2)));
}

RuleTruth Conditions::ofValues(const RuleTerm &term) {
  const ValueState *a = stateOf(term.index), *b = stateOf(term.other);
  if (!a || !b)
    return RuleTruth::Unknown;
  RuleTruth types =
      a->type == DataType::Undefined || b->type == DataType::Undefined
          ? RuleTruth::Unknown
          : truthOf(a->type == b->type);
  if (term.kind == RuleTerm::SameType)
    return types;
  if (term.kind == RuleTerm::Wider)
    return a->type == DataType::Undefined || b->type == DataType::Undefined
               ? RuleTruth::Unknown
               : truthOf(isWider(b->type, a->type));
  if (!a->shape || !b->shape)
    return RuleTruth::Unknown;
  if (term.kind == RuleTerm::SameShape)
    return areSame(*a->shape, *b->shape);
  if (term.kind == RuleTerm::Like)
    return std::min(types, areSame(*a->shape, *b->shape));
  if (a->shape->size() > b->shape->size()) // Broadcasts
    return RuleTruth::No;
  RuleTruth result = RuleTruth::Yes;
  llvm::ArrayRef<DimExpr> last =
      llvm::ArrayRef<DimExpr>(*b->shape).take_back(a->shape->size());
  for (auto [from, to] : llvm::zip_equal(*a->shape, last))
    result = std::min(result, std::max(areEqual(from, to),
                                       areEqual(from, exprs.constant(1))));
  return result;
}

RuleTruth Conditions::test(const RuleTerm &term) {
  switch (term.kind) {
  case RuleTerm::And:
    return std::min(test(term.operands[0]), test(term.operands[1]));
  case RuleTerm::Or:
    return std::max(test(term.operands[0]), test(term.operands[1]));
  case RuleTerm::Not:
    return negate(test(term.operands[0]));
  case RuleTerm::Given:
    return truthOf(stateOf(term.index));
  case RuleTerm::GivenAttribute:
    return truthOf(bool(bindings.attributes[term.index]));
  case RuleTerm::Constant: {
    const ValueState *state = stateOf(term.index);
    return truthOf(state && state->isConstant());
  }
  case RuleTerm::Once:
    return truthOf(isOnce(term.index));
  case RuleTerm::Finite:
  case RuleTerm::Between:
    return isWithin(term);
  case RuleTerm::HalvesEqual:
    return hasEqualHalves(term);
  case RuleTerm::SameShape:
  case RuleTerm::SameType:
  case RuleTerm::Like:
  case RuleTerm::Broadcasts:
  case RuleTerm::Wider:
    return ofValues(term);
  default:
    return compare(term);
  }
}

/// The number that an attribute of the replacement is.
RuleTruth Conditions::compute(const RuleParameter &parameter,
                              mlir::Attribute &result) {
  Number found = number(*parameter.computed);
  mlir::Builder builder(bindings.valueOf(rule.patterns.front()).getContext());
  if (parameter.kind == onnx::AttributeProto::FLOAT) {
    std::optional<double> value = real(found);
    result = value ? builder.getF32FloatAttr(float(*value)) : mlir::Attribute();
  } else {
    const DimExpr *size = std::get_if<DimExpr>(&found);
    std::optional<int64_t> value = size ? exprs.valueOf(*size) : std::nullopt;
    result = value ? builder.getI64IntegerAttr(*value) : mlir::Attribute();
  }
  return result ? RuleTruth::Yes : RuleTruth::Unknown;
}

RuleTruth onnxfold::testConditions(const RewriteRule &rule,
                                   RuleBindings &bindings,
                                   const Evaluation &evaluation,
                                   DimExprs &exprs,
                                   llvm::function_ref<bool(unsigned)> isOnce) {
  Conditions conditions(rule, bindings, evaluation, exprs, isOnce);
  RuleTruth result = conditions.testTypes();
  if (result == RuleTruth::Yes)
    result = conditions.testShapes();
  for (auto [i, parameter] : llvm::enumerate(rule.attributes)) {
    if (result != RuleTruth::Yes)
      break;
    if (parameter.computed)
      result = conditions.compute(parameter, bindings.attributes[i]);
  }
  for (const RuleTerm &condition : rule.conditions) {
    if (result != RuleTruth::Yes)
      break;
    result = conditions.test(condition);
  }
  return result;
}
