//===- RuleChecks.cpp - What the parts of a rule say of each other --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/rules/internal/RuleReading.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

class RuleChecks {
public:
  RuleChecks(RewriteRule &rule, const FunctionText &function, RuleText &text)
      : rule(rule), function(function), text(text) {}

  void run();

private:
  void checkPattern(unsigned pattern);
  void checkUses();
  void checkOptionals();
  void checkAnyAttributes();
  void checkLevel();
  size_t placeOf(StringRef name) const { return text.placeOf(function, name); }

  RewriteRule &rule;
  const FunctionText &function;
  RuleText &text;
};

} // namespace

/// All that the replacement reads must be bound by each pattern.
void RuleChecks::checkPattern(unsigned pattern) {
  const std::string &name = rule.values[pattern].name;
  size_t place = placeOf(name);
  std::vector<bool> before = rule.nodesOf(pattern),
                    after = rule.nodesOf(rule.replacement);
  if (after[rule.values[pattern].node])
    return text.fail(place, "the replacement is computed from the pattern '" +
                                name + "'");
  std::vector<bool> values(rule.values.size()),
      attributes(rule.attributes.size());
  for (auto [i, node] : llvm::enumerate(rule.nodes)) {
    if (!before[i])
      continue;
    for (int input : node.inputs)
      if (input >= 0)
        values[input] = true;
    for (const RuleAttribute &one : node.attributes)
      if (!one.value)
        attributes[one.parameter] = true;
  }
  for (auto [i, attribute] : llvm::enumerate(rule.attributes)) {
    if (attribute.computed && attributes[i])
      text.fail(place, "'@" + attribute.name +
                           "' is set by the header and in the pattern '" +
                           name + "'");
    if (attribute.computed)
      attributes[i] = true;
  }
  auto checkValue = [&](unsigned value) {
    if (rule.values[value].node < 0 && !values[value])
      text.fail(place, "the replacement reads '" + rule.values[value].name +
                           "', which is not in the pattern '" + name + "'");
  };
  checkValue(rule.replacement);
  for (auto [i, node] : llvm::enumerate(rule.nodes)) {
    if (!after[i] || before[i])
      continue;
    for (int input : node.inputs)
      if (input >= 0)
        checkValue(input);
    for (const RuleAttribute &one : node.attributes)
      if (!one.value && !attributes[one.parameter])
        text.fail(place, "the replacement reads '@" +
                             rule.attributes[one.parameter].name +
                             "', which is not in the pattern '" + name + "'");
  }
}

/// Every node and every attribute is there for something.
void RuleChecks::checkUses() {
  std::vector<bool> used = rule.nodesOf(rule.replacement);
  auto use = [&](unsigned value) {
    for (auto [i, isUsed] : llvm::enumerate(rule.nodesOf(value)))
      used[i] = used[i] || isUsed;
  };
  for (unsigned pattern : rule.patterns)
    use(pattern);
  if (rule.bound.of >= 0) // it may be computed for the bound alone
    use(rule.bound.of);
  for (auto [i, node] : llvm::enumerate(rule.nodes))
    if (!used[i])
      return text.fail(placeOf(rule.values[node.outputs[0]].name),
                       "'" + rule.values[node.outputs[0]].name +
                           "' is computed for neither side");
  for (const RuleParameter &attribute : rule.attributes)
    if (attribute.kind == 0)
      return text.fail(function.begin, "the attribute '" + attribute.name +
                                           "' is not used: '@" +
                                           attribute.name + "'");
  checkOptionals();
  checkAnyAttributes();
  for (const RuleNode &node : rule.nodes)
    for (int input :
         llvm::ArrayRef(node.inputs).drop_back(node.inputs.empty() ? 0 : 1))
      if (input >= 0 && rule.values[input].isVariadic)
        return text.fail(function.begin, "'" + rule.values[input].name +
                                             "...' is not the last input of " +
                                             node.opType);
}

/// An operand that may be missing must be one that the operator can lack.
void RuleChecks::checkOptionals() {
  for (const RuleNode &node : rule.nodes) {
    const onnx::OpSchema *schema =
        node.kind == RuleNode::Operator
            ? lookupSchema("", node.opType, rule.firstOpset)
            : nullptr;
    for (auto [i, input] : llvm::enumerate(node.inputs)) {
      if (!schema || input < 0 || !rule.values[input].isOptional)
        continue;
      bool mayBeMissing = int(i) >= schema->min_input() ||
                          schema->inputs()[i].GetOption() ==
                              onnx::OpSchema::FormalParameterOption::Optional;
      if (rule.values[input].isVariadic || !mayBeMissing)
        return text.fail(placeOf(rule.values[node.outputs[0]].name),
                         "'" + rule.values[input].name +
                             "?' may be missing, which this input of " +
                             node.opType + " may not");
    }
  }
}

/// A new node has the attributes that are stated.
void RuleChecks::checkAnyAttributes() {
  std::vector<bool> matched(rule.nodes.size());
  for (unsigned pattern : rule.patterns)
    for (auto [i, isUsed] : llvm::enumerate(rule.nodesOf(pattern)))
      matched[i] = matched[i] || isUsed;
  for (auto [i, node] : llvm::enumerate(rule.nodes))
    if (node.hasAnyAttributes && !matched[i])
      return text.fail(placeOf(rule.values[node.outputs[0]].name),
                       "'" + rule.values[node.outputs[0]].name +
                           "' has any attributes, but no pattern has it");
}

void RuleChecks::checkLevel() {
  size_t begin = function.begin;
  if (rule.level == 1 && !rule.bound.text.empty())
    text.fail(begin, "a rule of level 1 has a bound, expected level: 2");
  if (rule.level == 2 && rule.bound.text.empty())
    text.fail(begin, "a rule of level 2 has no bound, expected "
                     "'bound: 4 ulp' or the like");
  for (const RuleValue &value : rule.values)
    if (value.range && rule.level == 1)
      text.fail(begin, "a rule of level 1 holds everywhere: 'range' needs "
                       "level: 2");
}

/// Checks what the parts say of each other.
void RuleChecks::run() {
  llvm::StringSet<> roots;
  for (unsigned pattern : rule.patterns) {
    checkPattern(pattern);
    const std::string &root = rule.nodes[rule.values[pattern].node].opType;
    if (roots.insert(root).second)
      rule.roots += (rule.roots.empty() ? "" : " ") + root;
  }
  checkUses();
  checkLevel();
}

void onnxfold::checkRule(RewriteRule &rule, const FunctionText &function,
                         RuleText &text) {
  RuleChecks(rule, function, text).run();
}
