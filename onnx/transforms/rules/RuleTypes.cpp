//===- RuleTypes.cpp - Which values of a rule have one type ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/rules/internal/RuleReading.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "onnx/defs/data_type_utils.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace onnxfold;
using llvm::StringRef;
using Types = std::vector<DataType>;

/// The element types of tensors.
static Types typesOf(const std::unordered_set<onnx::DataType> &names) {
  Types result;
  for (onnx::DataType name : names) {
    const onnx::TypeProto &type = onnx::Utils::DataTypeUtils::ToTypeProto(name);
    if (type.has_tensor_type())
      result.push_back(DataType(type.tensor_type().elem_type()));
  }
  llvm::sort(result);
  return result;
}

namespace {

class TypeInference {
public:
  explicit TypeInference(RewriteRule &rule) : rule(rule) {
    for (unsigned i = 0; i < rule.values.size(); ++i)
      classes.insert(i);
    next = rule.values.size();
  }

  bool add(const RuleNode &node, int64_t opset);
  llvm::Error finish();

private:
  void restrict(unsigned value, Types types) {
    restrictions.emplace_back(value, std::move(types));
  }
  void addConstant(const RuleNode &node);

  RewriteRule &rule;
  llvm::EquivalenceClasses<unsigned> classes;
  std::vector<std::pair<unsigned, Types>> restrictions;
  unsigned next; // number of a type of a schema
};

} // namespace

void TypeInference::addConstant(const RuleNode &node) {
  if (node.kind == RuleNode::Tensor)
    restrict(node.outputs[0], {node.tensor.type()});
  if (node.kind != RuleNode::Parameter)
    return;
  StringRef name = node.attributes.front().name;
  if (rule.isAnyFloat(node.outputs[0]))
    return restrict(node.outputs[0], {DataType::Float32, DataType::Float16,
                                      DataType::Float64, DataType::BFloat16});
  restrict(
      node.outputs[0],
      {name.starts_with("value_int") ? DataType::Int64 : DataType::Float32});
}

/// False if the opset does not have such a node.
bool TypeInference::add(const RuleNode &node, int64_t opset) {
  if (node.kind != RuleNode::Operator) {
    addConstant(node);
    return true;
  }
  const onnx::OpSchema *schema = lookupSchema("", node.opType, opset);
  if (!schema || int(node.inputs.size()) > schema->max_input() ||
      int(node.inputs.size()) < schema->min_input() ||
      int(node.outputs.size()) > schema->max_output())
    return false;
  for (const RuleAttribute &attribute : node.attributes)
    if (!schema->attributes().count(attribute.name))
      return false;
  llvm::StringMap<unsigned> names;
  auto join = [&](unsigned value,
                  const onnx::OpSchema::FormalParameter &formal) {
    restrict(value, typesOf(formal.GetTypes()));
    if (!formal.GetIsHomogeneous())
      return;
    auto known = names.try_emplace(formal.GetTypeStr(), next);
    if (known.second)
      classes.insert(next++);
    classes.unionSets(value, known.first->second);
  };
  auto formalOf = [](const auto &all, size_t i) -> decltype(auto) {
    return all[std::min(i, all.size() - 1)];
  };
  for (auto [i, input] : llvm::enumerate(node.inputs))
    if (input >= 0)
      join(input, formalOf(schema->inputs(), i));
  for (auto [i, output] : llvm::enumerate(node.outputs))
    join(output, formalOf(schema->outputs(), i));
  if (node.opType == "Cast")
    for (const RuleAttribute &attribute : node.attributes)
      if (auto to = mlir::dyn_cast_or_null<mlir::IntegerAttr>(attribute.value);
          to && attribute.name == "to")
        restrict(node.outputs[0], {DataType(to.getInt())});
  return true;
}

llvm::Error TypeInference::finish() {
  for (auto [i, value] : llvm::enumerate(rule.values))
    if (!value.types.empty())
      restrict(i, value.types);
  llvm::DenseMap<unsigned, unsigned> numbers;
  rule.typeClasses.clear();
  for (unsigned i = 0; i < rule.values.size(); ++i) {
    unsigned leader = classes.getLeaderValue(i);
    auto known = numbers.try_emplace(leader, rule.typeClasses.size());
    rule.values[i].typeClass = known.first->second;
    if (!known.second)
      continue;
    std::optional<Types> types;
    for (const auto &[value, allowed] : restrictions) {
      if (classes.getLeaderValue(value) != leader)
        continue;
      Types sorted = allowed, both;
      llvm::sort(sorted);
      if (!types) {
        types = sorted;
        continue;
      }
      std::set_intersection(types->begin(), types->end(), sorted.begin(),
                            sorted.end(), std::back_inserter(both));
      types = std::move(both);
    }
    if (types && types->empty())
      return llvm::createStringError("no element type fits '" +
                                     rule.values[i].name + "'");
    rule.typeClasses.push_back(types.value_or(Types()));
  }
  return llvm::Error::success();
}

llvm::Error onnxfold::inferTypeClasses(RewriteRule &rule, unsigned pattern,
                                       int64_t opset) {
  TypeInference inference(rule);
  std::vector<bool> before = rule.nodesOf(pattern),
                    after = rule.nodesOf(rule.replacement), bound;
  if (rule.bound.of >= 0)
    bound = rule.nodesOf(rule.bound.of);
  for (auto [i, node] : llvm::enumerate(rule.nodes))
    if ((before[i] || after[i] || (!bound.empty() && bound[i])) &&
        !inference.add(node, opset))
      return llvm::createStringError("opset " + llvm::Twine(opset) +
                                     " has no such " + node.opType);
  return inference.finish();
}

/// For one of its patterns at least.
static bool hasOpset(const RewriteRule &rule, int64_t opset) {
  return llvm::any_of(rule.patterns, [&](unsigned pattern) {
    RewriteRule typed = rule;
    llvm::Error error = inferTypeClasses(typed, pattern, opset);
    bool has = !error;
    llvm::consumeError(std::move(error));
    return has;
  });
}

void onnxfold::findOpsets(RewriteRule &rule, bool findsFirst) {
  if (findsFirst)
    while (rule.firstOpset > 1 && hasOpset(rule, rule.firstOpset - 1))
      --rule.firstOpset;
  int64_t last = rule.firstOpset;
  while (last < rule.lastOpset && hasOpset(rule, last + 1))
    ++last;
  rule.lastOpset = last;
}
