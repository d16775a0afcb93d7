//===- Rule.cpp - What is asked of a rule ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/Rule.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;

std::vector<bool> RewriteRule::nodesOf(unsigned value) const {
  std::vector<bool> result(nodes.size());
  if (values[value].node >= 0)
    result[values[value].node] = true;
  for (size_t i = nodes.size(); i-- > 0;)
    if (result[i])
      for (int input : nodes[i].inputs)
        if (input >= 0 && values[input].node >= 0)
          result[values[input].node] = true;
  return result;
}

bool RewriteRule::isAnyFloat(unsigned value) const {
  int node = values[value].node;
  return node >= 0 && nodes[node].kind == RuleNode::Parameter &&
         nodes[node].attributes.front().name == "value_float" &&
         llvm::any_of(patterns, [&](unsigned pattern) -> bool {
           return nodesOf(pattern)[node];
         });
}

std::string RewriteRule::description() const {
  std::string result = algebra.empty()
                           ? "the rule of " + file + ":" + std::to_string(line)
                           : algebra;
  return bound.text.empty() ? result : result + ": " + bound.text;
}
