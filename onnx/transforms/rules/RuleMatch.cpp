//===- RuleMatch.cpp - A rule at an operator ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/transforms/rules/RuleGlance.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

namespace {

/// The input of an operator that must be a value of the rule.
struct Goal {
  unsigned value;
  Operator reader;
  unsigned input;
};

/// The bindings, and what is left to be matched.
struct State {
  explicit State(const RewriteRule &rule) : bindings(rule) {}
  RuleBindings bindings;
  llvm::SmallVector<Goal, 8> goals;
};

class Match {
public:
  Match(const RewriteRule &rule, const CleanUpContext &cx)
      : rule(rule), cx(cx), folded(cx.afterFolding()) {}

  /// A pattern at the operator; then `found` has its bindings.
  bool match(unsigned pattern, bool isSwapped);
  std::optional<RuleBindings> found;

private:
  bool isSame(Value a, Value b) const;
  Value behindIdentities(Value value) const;
  bool solve(State &state);
  bool reach(State &state, const Goal &goal);
  bool matchNode(State &state, unsigned node, Operator op);
  bool pushInputs(State &state, const RuleNode &node, Operator op,
                  bool isSwapped);
  bool matchAttributes(State &state, const RuleNode &node, Operator op);
  bool matchConstant(State &state, const RuleNode &node, Value value);
  bool bindFloat(State &state, unsigned parameter, const Elements &known);
  bool bindAttribute(State &state, unsigned parameter, Attribute value);
  bool isAccepted(RuleBindings &bindings);
  bool isOnce(const RuleBindings &bindings, Value value) const;

  const RewriteRule &rule;
  const CleanUpContext &cx;
  CleanUpContext folded; // what is constant has no producers
  unsigned pattern = 0;
  unsigned steps = 0;
};

} // namespace

/// More than any pattern needs: orders of commutative operators multiply.
static constexpr unsigned mostSteps = 5000;

bool Match::match(unsigned wanted, bool isSwapped) {
  pattern = wanted;
  unsigned root = rule.values[wanted].node;
  State state(rule);
  return matchNode(state, root, cx.op) &&
         pushInputs(state, rule.nodes[root], cx.op, isSwapped) && solve(state);
}

/// The value that Identities copy.
Value Match::behindIdentities(Value value) const {
  while (value && !cx.constantOf(value)) {
    Operator made = Operator::from(value.getDefiningOp());
    if (!made || made.isCustom() || made.hasReferences() ||
        !made.is("Identity"))
      break;
    value = made.input(0);
  }
  return value;
}

/// Equal constants are one value.
bool Match::isSame(Value a, Value b) const {
  if (a == b)
    return true;
  Elements x = cx.constantOf(a), y = x ? cx.constantOf(b) : Elements();
  return y ? x.identicalTo(y) : behindIdentities(a) == behindIdentities(b);
}

/// The name of each pattern is that of the result in conditions.
void onnxfold::bindPatterns(const RewriteRule &rule, Value result,
                            RuleBindings &bindings) {
  for (unsigned pattern : rule.patterns)
    if (!bindings.isBound[pattern])
      bindings.bind(pattern, result);
}

bool Match::solve(State &state) {
  while (!state.goals.empty()) {
    if (++steps > mostSteps)
      return false;
    Goal goal = state.goals.pop_back_val();
    // An Identity is its input.
    bool isParameter = rule.values[goal.value].node < 0;
    while (Operator made = isParameter
                               ? Operator()
                               : folded.at(goal.reader).producer(goal.input)) {
      if (!made.is("Identity"))
        break;
      goal = {goal.value, made, 0};
    }
    int node = rule.values[goal.value].node;
    bool isNew = node >= 0 && !state.bindings.isBound[goal.value] &&
                 !state.bindings.operations[node];
    if (!reach(state, goal))
      return false;
    if (!isNew || rule.nodes[node].kind != RuleNode::Operator)
      continue;
    Operator op = Operator::from(state.bindings.operations[node]);
    if (!rule.nodes[node].isCommutative) {
      if (!pushInputs(state, rule.nodes[node], op, /*isSwapped=*/false))
        return false;
      continue;
    }
    for (bool isSwapped : {false, true}) {
      State next = state;
      if (pushInputs(next, rule.nodes[node], op, isSwapped) && solve(next))
        return true;
    }
    return false;
  }
  bindPatterns(rule, cx.op->getResult(0), state.bindings);
  if (!isAccepted(state.bindings))
    return false;
  found = std::move(state.bindings);
  return true;
}

/// Binds the value of a goal. The inputs of its node are no goals yet.
bool Match::reach(State &state, const Goal &goal) {
  const RuleValue &wanted = rule.values[goal.value];
  RuleBindings &bindings = state.bindings;
  Value value = goal.reader.input(goal.input);
  if (bindings.isBound[goal.value])
    return isSame(bindings.valueOf(goal.value), value);
  if (!value) {
    if (!wanted.isOptional)
      return false;
    bindings.isBound[goal.value] = true;
    return true;
  }
  if (wanted.node < 0) {
    bindings.bind(goal.value, value);
    return true;
  }
  const RuleNode &node = rule.nodes[wanted.node];
  if (node.kind != RuleNode::Operator) {
    // The glance has compared the operands of the root.
    bool isKnown = node.kind == RuleNode::Number &&
                   goal.reader.getOperation() == cx.op.getOperation() &&
                   goal.input < RuleGlance::mostInputs;
    if (!isKnown && !matchConstant(state, node, value))
      return false;
    bindings.bind(goal.value, value);
    return true;
  }
  Operator made =
      folded.at(goal.reader).producer(goal.input, OperatorName(node.opType));
  if (!made || cast<OpResult>(value).getResultNumber() != wanted.result)
    return false;
  return matchNode(state, wanted.node, made);
}

/// The operator is that of the node, its inputs aside.
bool Match::matchNode(State &state, unsigned index, Operator op) {
  const RuleNode &node = rule.nodes[index];
  RuleBindings &bindings = state.bindings;
  if (Operation *known = bindings.operations[index])
    return known == op.getOperation();
  if (!op.is(OperatorName(node.opType)) || op.numGraphs() != 0 ||
      op.hasReferences() || op.numOutputs() < node.outputs.size())
    return false;
  // Results that the rule does not name decide what others are, too.
  bool hasMore = op.numOutputs() > node.outputs.size();
  if (hasMore && (op.is("Split") ||
                  llvm::any_of(op->getResults().drop_front(node.outputs.size()),
                               [](Value more) { return !more.use_empty(); })))
    return false;
  if (!matchAttributes(state, node, op))
    return false;
  bindings.operations[index] = op.getOperation();
  for (auto [i, output] : llvm::enumerate(node.outputs))
    bindings.bind(output, op->getResult(i));
  return true;
}

bool Match::pushInputs(State &state, const RuleNode &node, Operator op,
                       bool isSwapped) {
  bool isVariadic = !node.inputs.empty() && node.inputs.back() >= 0 &&
                    rule.values[node.inputs.back()].isVariadic;
  size_t plain = node.inputs.size() - isVariadic;
  for (size_t i = isVariadic ? op.numInputs() : plain; i < op.numInputs(); ++i)
    if (op.hasInput(i))
      return false;
  for (size_t i = plain; i-- > 0;) {
    unsigned input = isSwapped ? plain - 1 - i : i;
    if (node.inputs[i] >= 0)
      state.goals.push_back({unsigned(node.inputs[i]), op, input});
    else if (input < op.numInputs() && op.hasInput(input))
      return false;
  }
  if (!isVariadic)
    return true;
  unsigned rest = node.inputs.back();
  if (state.bindings.isBound[rest] || op.numInputs() <= plain)
    return false;
  for (size_t i = plain; i < op.numInputs(); ++i)
    state.bindings.values[rest].push_back(op.input(i));
  state.bindings.isBound[rest] = true;
  return true;
}

//===----------------------------------------------------------------------===//
// Attributes and constants
//===----------------------------------------------------------------------===//

/// The value of an attribute that a node does not state; null: there is none.
static Attribute defaultOf(Operator op, StringRef name) {
  const auto &known = op.schema()->attributes();
  auto found = known.find(name.str());
  if (found == known.end() ||
      found->second.default_value.type() == onnx::AttributeProto::UNDEFINED)
    return {};
  auto value = fromAttributeProto(
      found->second.default_value, op->getContext(),
      [](const onnx::TensorProto &) -> llvm::Expected<ElementsAttr> {
        return llvm::createStringError("no default is a tensor");
      });
  if (value)
    return *value;
  llvm::consumeError(value.takeError());
  return {};
}

bool Match::bindAttribute(State &state, unsigned parameter, Attribute value) {
  RuleBindings &bindings = state.bindings;
  if (bindings.hasAttribute[parameter])
    return bindings.attributes[parameter] == value;
  bindings.hasAttribute[parameter] = true;
  bindings.attributes[parameter] = value;
  return true;
}

bool Match::matchAttributes(State &state, const RuleNode &node, Operator op) {
  for (const RuleAttribute &wanted : node.attributes) {
    Attribute value = op.attribute(wanted.name);
    if (!value)
      value = defaultOf(op, wanted.name);
    if (wanted.value ? wanted.value != value
                     : !bindAttribute(state, wanted.parameter, value))
      return false;
  }
  if (node.hasAnyAttributes)
    return true;
  // An attribute that the rule does not state has its default.
  for (NamedAttribute has : op->getDiscardableAttrs()) {
    StringRef name = has.getName();
    bool isStated =
        llvm::any_of(node.attributes, [&](const RuleAttribute &stated) {
          return stated.name == name;
        });
    if (!isStated && op.has(name) && defaultOf(op, name) != has.getValue())
      return false;
  }
  return true;
}

/// The one number of a constant of any shape, if a float attribute can have it.
bool Match::bindFloat(State &state, unsigned parameter, const Elements &known) {
  if (known.size() != 1 || typeClass(known.type()) != TypeClass::Float)
    return false;
  double number = known.number().to<double>();
  Builder builder(cx.op->getContext());
  return double(float(number)) == number &&
         bindAttribute(state, parameter, builder.getF32FloatAttr(number));
}

bool Match::matchConstant(State &state, const RuleNode &node, Value value) {
  if (node.kind == RuleNode::Number)
    return isAllNumber(cx, value, node.number);
  Elements known = cx.constantOf(value);
  if (!known)
    return false;
  if (node.kind == RuleNode::Tensor)
    return known.type() == node.tensor.type() &&
           known.shape() == node.tensor.shape() &&
           known.identicalTo(node.tensor);
  if (rule.isAnyFloat(node.outputs[0]))
    return bindFloat(state, node.attributes.front().parameter, known);
  StringRef name = node.attributes.front().name;
  bool isInteger = name == "value_int" || name == "value_ints";
  if (known.type() != (isInteger ? DataType::Int64 : DataType::Float32))
    return false;
  Attribute attribute =
      attributeOf(known, name.ends_with("s"), value.getContext());
  return attribute &&
         bindAttribute(state, node.attributes.front().parameter, attribute);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

bool Match::isOnce(const RuleBindings &bindings, Value value) const {
  return cx.isReadBy(value, bindings.operations);
}

bool Match::isAccepted(RuleBindings &bindings) {
  int64_t opset = cx.nodes.opset();
  if (opset < rule.firstOpset || opset > rule.lastOpset)
    return false;
  auto once = [&](unsigned value) {
    Value bound = bindings.valueOf(value);
    return bound && isOnce(bindings, bound);
  };
  if (testConditions(rule, bindings, cx.knownValues(), cx.nodes.exprs(),
                     once) != RuleTruth::Yes)
    return false;
  // Nodes between must be of no other use: they would be computed twice.
  std::vector<bool> before = rule.nodesOf(pattern),
                    after = rule.nodesOf(rule.replacement);
  unsigned root = rule.values[pattern].node;
  auto isParameter = [&](Value value) {
    return llvm::any_of(
        ArrayRef(bindings.values).take_front(rule.numParameters),
        [&](const auto &one) { return llvm::is_contained(one, value); });
  };
  for (auto [i, node] : llvm::enumerate(rule.nodes)) {
    if (!before[i] || after[i] || i == root || node.kind != RuleNode::Operator)
      continue;
    Operation *op = bindings.operations[i];
    bool isReused = llvm::all_of(node.outputs, [&](unsigned output) {
      return rule.values[output].mayBeReused;
    });
    if (isReused)
      continue;
    if (!cx.knownValues().mayChange(op) || op->getBlock() != cx.op->getBlock())
      return false;
    for (Value result : op->getResults()) // a parameter may be it: x * x
      if (!isOnce(bindings, result) || isParameter(result))
        return false;
  }
  return true;
}

Value onnxfold::matchPattern(const RewriteRule &rule, unsigned pattern,
                             bool isSwapped, const CleanUpContext &cx) {
  Match match(rule, cx);
  if (!match.match(rule.patterns[pattern], isSwapped))
    return {};
  return makeValue(rule, rule.replacement, *match.found, cx.knownValues(),
                   cx.nodes);
}

Value onnxfold::matchRule(const RewriteRule &rule, const CleanUpContext &cx) {
  for (const RuleGlance &glance : rule.glances)
    if (Value found = matchGlance(glance, cx, [&](bool isSwapped) {
          return matchPattern(rule, glance.pattern, isSwapped, cx);
        }))
      return found;
  return {};
}
