//===- RuleReplacement.cpp - Makes the replacement of a rule --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

/// The type of what has one type with a number of the rule.
static DataType typeOfNumber(const RewriteRule &rule, unsigned value,
                             const RuleBindings &bindings,
                             const Evaluation &evaluation) {
  unsigned wanted = rule.values[value].typeClass;
  for (auto [i, other] : llvm::enumerate(rule.values))
    if (other.typeClass == wanted && bindings.isBound[i] &&
        !bindings.values[i].empty())
      if (DataType type = evaluation.state(bindings.values[i].front()).type;
          type != DataType::Undefined)
        return type;
  const std::vector<DataType> &types = rule.typeClasses[wanted];
  return types.size() == 1 ? types.front() : DataType::Undefined;
}

static Value makeConstant(const RewriteRule &rule, const RuleNode &node,
                          const RuleBindings &bindings,
                          const Evaluation &evaluation, NodeBuilder &nodes) {
  if (node.kind == RuleNode::Tensor)
    return nodes.constant(node.tensor);
  if (node.kind == RuleNode::Parameter)
    return nodes.constant(elementsOfAttribute(
        bindings.attributes[node.attributes.front().parameter]));
  return nodes.number(
      node.number, typeOfNumber(rule, node.outputs[0], bindings, evaluation));
}

static void makeNode(const RuleNode &node, RuleBindings &bindings,
                     NodeBuilder &nodes) {
  llvm::SmallVector<Value, 4> inputs;
  for (int input : node.inputs) {
    if (input < 0 || bindings.values[input].empty())
      inputs.push_back({});
    else
      inputs.append(bindings.values[input].begin(),
                    bindings.values[input].end());
  }
  while (!inputs.empty() && !inputs.back())
    inputs.pop_back();
  for (Value &input : inputs)
    if (!input)
      input = nodes.absent();
  llvm::SmallVector<NamedAttribute, 4> attributes;
  for (const RuleAttribute &attribute : node.attributes) {
    Attribute value = attribute.value
                          ? attribute.value
                          : bindings.attributes[attribute.parameter];
    if (value)
      attributes.emplace_back(nodes.attributeName(attribute.name), value);
  }
  Operation *made = nodes.createNode(OperatorName(node.opType), inputs,
                                     attributes, node.outputs.size());
  for (auto [i, output] : llvm::enumerate(node.outputs))
    bindings.bind(output, made->getResult(i));
}

/// The nodes that must be made, and that the opset has.
static std::optional<std::vector<bool>>
findMissing(const RewriteRule &rule, unsigned value,
            const RuleBindings &bindings, const Evaluation &evaluation,
            const NodeBuilder &nodes) {
  std::vector<bool> result(rule.nodes.size());
  auto need = [&](unsigned wanted) {
    if (!bindings.isBound[wanted] && rule.values[wanted].node >= 0)
      result[rule.values[wanted].node] = true;
  };
  need(value);
  for (size_t i = rule.nodes.size(); i-- > 0;) {
    if (!result[i])
      continue;
    const RuleNode &node = rule.nodes[i];
    if (node.kind == RuleNode::Operator &&
        !nodes.sinceOf(OperatorName(node.opType)))
      return std::nullopt;
    if (node.kind == RuleNode::Number &&
        typeOfNumber(rule, node.outputs[0], bindings, evaluation) ==
            DataType::Undefined)
      return std::nullopt;
    for (int input : node.inputs)
      if (input >= 0)
        need(input);
  }
  return result;
}

Value onnxfold::makeValue(const RewriteRule &rule, unsigned value,
                          RuleBindings &bindings, const Evaluation &evaluation,
                          NodeBuilder &nodes) {
  auto missing = findMissing(rule, value, bindings, evaluation, nodes);
  if (!missing)
    return {};
  bool isConstant = rule.isConstant(value) && !bindings.isBound[value];
  for (auto [i, node] : llvm::enumerate(rule.nodes)) {
    if (!(*missing)[i])
      continue;
    if (node.kind == RuleNode::Operator)
      makeNode(node, bindings, nodes);
    else
      bindings.bind(node.outputs[0],
                    makeConstant(rule, node, bindings, evaluation, nodes));
  }
  Value result = bindings.valueOf(value);
  // A replacement is the result of a node.
  return isConstant ? nodes.create("Identity", result) : result;
}
