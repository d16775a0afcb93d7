//===- RuleGlance.cpp - Whether a rule may match an operator --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/RuleGlance.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/transforms/rewrite/UniformValues.h"
#include "onnxfold/onnx/transforms/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

/// A condition says that the result is like the value.
static bool saysLike(const RewriteRule &rule, llvm::ArrayRef<RuleTerm> terms,
                     unsigned value) {
  return llvm::any_of(terms, [&](const RuleTerm &term) {
    return term.kind == RuleTerm::And
               ? saysLike(rule, term.operands, value)
               : term.kind == RuleTerm::Like && term.other == value &&
                     llvm::is_contained(rule.patterns, term.index);
  });
}

static RuleGlance::Input glanceAt(const RewriteRule &rule, unsigned index) {
  const RuleValue &value = rule.values[index];
  RuleGlance::Input result;
  result.isLike = saysLike(rule, rule.conditions, index);
  if (value.node < 0) {
    bool mayBeMissing = value.isOptional || value.isVariadic;
    result.kind =
        mayBeMissing ? RuleGlance::Input::Any : RuleGlance::Input::Given;
    return result;
  }
  const RuleNode &node = rule.nodes[value.node];
  result.kind = node.kind == RuleNode::Operator ? RuleGlance::Input::Made
                : node.kind == RuleNode::Number ? RuleGlance::Input::Number
                                                : RuleGlance::Input::Constant;
  result.number = node.number;
  if (node.kind == RuleNode::Operator)
    result.opType = node.opType;
  return result;
}

RuleGlance onnxfold::glanceOf(const RewriteRule &rule, unsigned pattern) {
  const RuleNode &root = rule.nodes[rule.values[rule.patterns[pattern]].node];
  RuleGlance result;
  result.pattern = pattern;
  result.root = root.opType;
  result.isCommutative = root.isCommutative;
  result.numInputs =
      std::min<size_t>(root.inputs.size(), RuleGlance::mostInputs);
  result.hasMore = root.inputs.size() > RuleGlance::mostInputs;
  for (unsigned i = 0; i < result.numInputs; ++i) {
    if (root.inputs[i] < 0)
      continue;
    result.inputs[i] = glanceAt(rule, root.inputs[i]);
    result.hasMore |= rule.values[root.inputs[i]].isVariadic;
  }
  return result;
}

static bool isExactEverywhere(double number) {
  return number == 0 || number == 1 || number == -1 || number == 2;
}

/// All elements are the number, bit by bit.
static bool isAll(const Elements &value, double number) {
  constexpr int64_t mostElements = 4096;
  if (value.size() == 0 || value.size() > mostElements ||
      value.type() == DataType::String ||
      typeClass(value.type()) == TypeClass::Complex)
    return false;
  // Most are another number.
  auto isAt = [&](int64_t place) {
    double found = value.number(place).to<double>();
    return found == number && (!isFloat(value.type()) ||
                               std::signbit(found) == std::signbit(number));
  };
  if (isExactEverywhere(number) && (!isAt(0) || !isAt(value.size() - 1)))
    return false;
  if (isExactEverywhere(number) && value.size() == 1)
    return true;
  Elements wanted = ops::cast(Elements::splat(Shape(), number), value.type());
  if (!wanted)
    return false;
  if (!isFloat(value.type()) && wanted.number().to<double>() != number)
    return false;
  return value.identicalTo(wanted.expand(value.shape()));
}

bool onnxfold::isAllNumber(const CleanUpContext &cx, Value value,
                           double number) {
  Elements known = cx.constantOf(value);
  if (!known)
    known = uniformOf(cx, value);
  return known && isAll(known, number);
}

/// The type and the rank of the result are not known to be others.
static bool mayBeLike(const CleanUpContext &cx, unsigned input) {
  if (!cx.op.hasInput(input))
    return true;
  const ValueState &a = cx.knownValues().state(cx.op.input(input)),
                   &b = cx.knownValues().state(cx.op->getResult(0));
  return a.type == b.type &&
         (!a.shape || !b.shape || a.shape->size() == b.shape->size());
}

static bool mayBeMadeBy(const CleanUpContext &cx, unsigned input,
                        OperatorName type) {
  CleanUpContext folded = cx.afterFolding();
  Operator made = folded.producer(input);
  if (StringRef(type) != "Identity")
    while (made && made.is("Identity"))
      made = folded.at(made).producer(0);
  return made && made.is(type);
}

/// Numbers are last, since they may be looked for upwards in the graph.
static bool mayBeOperand(const RuleGlance::Input &wanted,
                         const CleanUpContext &cx, unsigned input) {
  if (wanted.isLike && !mayBeLike(cx, input))
    return false;
  switch (wanted.kind) {
  case RuleGlance::Input::Given:
    return cx.op.hasInput(input);
  case RuleGlance::Input::Constant:
    return bool(cx.constant(input));
  case RuleGlance::Input::Made:
    return mayBeMadeBy(cx, input, OperatorName(wanted.opType));
  case RuleGlance::Input::Any:
  case RuleGlance::Input::Number:
    return true;
  }
  llvm_unreachable("no kind");
}

bool onnxfold::mayMatch(const RuleGlance &glance, const CleanUpContext &cx,
                        bool isSwapped) {
  if (!glance.hasMore && cx.op.hasInput(glance.numInputs))
    return false;
  auto place = [&](unsigned i) {
    return isSwapped ? glance.numInputs - 1 - i : i;
  };
  for (unsigned i = 0; i < glance.numInputs; ++i)
    if (!mayBeOperand(glance.inputs[i], cx, place(i)))
      return false;
  for (unsigned i = 0; i < glance.numInputs; ++i)
    if (glance.inputs[i].kind == RuleGlance::Input::Number &&
        !isAllNumber(cx, cx.op.input(place(i)), glance.inputs[i].number))
      return false;
  return true;
}
