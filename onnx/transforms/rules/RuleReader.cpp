//===- RuleReader.cpp - A rule of a function of ONNX's text ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/StatedConstant.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/transforms/rules/internal/RuleReading.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

using namespace onnxfold;
using llvm::StringRef;
using onnx::AttributeProto;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

namespace {

class RuleReader {
public:
  RuleReader(RuleText &text, mlir::MLIRContext &context)
      : text(text), context(context) {}

  std::unique_ptr<RewriteRule> read(const FunctionText &function);

private:
  void addValue(StringRef name, int node, unsigned result, size_t place);
  void readAttributes(const onnx::FunctionProto &proto);
  void readTypes(const onnx::FunctionProto &proto);
  void readNodes(const onnx::FunctionProto &proto);
  void readNode(const onnx::NodeProto &node, size_t place);
  void readConstant(const onnx::NodeProto &node, RuleNode &made, size_t place);
  void readSchema(const onnx::NodeProto &node, RuleNode &made, size_t place);
  mlir::Attribute attribute(const AttributeProto &proto, size_t place);
  unsigned parameter(const AttributeProto &proto, int32_t kind, size_t place);
  void readSides(const onnx::FunctionProto &proto);
  void readHeader(const onnx::FunctionProto &proto);
  void checkPattern(unsigned pattern);
  void checkUses();
  void checkOptionals();
  void checkAnyAttributes();
  void checkLevel();
  void check();
  size_t placeOf(StringRef name) const;

  RuleText &text;
  mlir::MLIRContext &context;
  const FunctionText *function = nullptr;
  std::unique_ptr<RewriteRule> rule;
  llvm::StringMap<unsigned> values;
};

} // namespace

/// The place of `name =` or `name,` among the nodes, or of the function.
size_t RuleReader::placeOf(StringRef name) const {
  StringRef part = text.text.slice(function->begin, function->end);
  size_t body = part.find('{');
  size_t from = body == StringRef::npos ? 0 : body;
  auto isWord = [&](size_t i) {
    return i < part.size() && (llvm::isAlnum(part[i]) || part[i] == '_');
  };
  for (size_t at = part.find(name, from);
       at != StringRef::npos && !name.empty(); at = part.find(name, at + 1))
    if ((at == 0 || !isWord(at - 1)) && !isWord(at + name.size()) &&
        part.drop_front(at + name.size()).ltrim().starts_with("="))
      return function->begin + at;
  return function->begin;
}

void RuleReader::addValue(StringRef name, int node, unsigned result,
                          size_t place) {
  if (name.empty() && node < 0)
    text.fail(place, "a parameter has no name");
  // Results that are not asked for have none.
  if (!name.empty() && !values.try_emplace(name, rule->values.size()).second)
    text.fail(place, "'" + name + "' is defined twice");
  RuleValue value;
  value.name = name.str();
  value.node = node;
  value.result = result;
  rule->values.push_back(std::move(value));
}

mlir::Attribute RuleReader::attribute(const AttributeProto &proto,
                                      size_t place) {
  auto value =
      fromAttributeProto(proto, &context, [&](const onnx::TensorProto &tensor) {
        return statedTensor(tensor, &context);
      });
  if (value)
    return *value;
  text.fail(place, "attribute '" + proto.name() +
                       "': " + llvm::toString(value.takeError()));
  return {};
}

void RuleReader::readAttributes(const onnx::FunctionProto &proto) {
  llvm::StringSet<> names;
  for (const std::string &name : proto.attribute()) {
    if (!names.insert(name).second || values.count(name))
      text.fail(function->begin, "'" + name + "' is defined twice");
    rule->attributes.emplace_back().name = name;
  }
  for (const AttributeProto &known : proto.attribute_proto()) {
    RuleParameter &parameter = rule->attributes.emplace_back();
    parameter.name = known.name();
    parameter.kind = known.type();
    parameter.sample = attribute(known, function->begin);
  }
}

/// The attribute of the rule that a node's attribute refers to.
unsigned RuleReader::parameter(const AttributeProto &proto, int32_t kind,
                               size_t place) {
  for (auto [i, one] : llvm::enumerate(rule->attributes)) {
    if (one.name != proto.ref_attr_name())
      continue;
    if (one.kind == 0)
      one.kind = kind;
    if (kind != 0 && one.kind != kind)
      text.fail(place, "'@" + one.name + "' is of two types");
    return i;
  }
  text.fail(place, "'@" + proto.ref_attr_name() +
                       "' is no attribute of the rule, expected '<" +
                       proto.ref_attr_name() + ">' behind its name");
  return 0;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool isCommutative(StringRef opType) {
  static constexpr StringRef all[] = {
      "Add", "Mul", "And",        "Or",        "Xor",        "Equal", "Min",
      "Max", "Sum", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Mean"};
  return llvm::is_contained(all, opType);
}

/// A whole number may stand for a float.
static bool statesItsType(const AttributeProto &value) {
  StringRef name = value.name();
  switch (value.type()) {
  case AttributeProto::INT:
    return name == "value_int" || name == "value_float";
  case AttributeProto::FLOAT:
    return name == "value_float";
  case AttributeProto::INTS:
    return name == "value_ints";
  case AttributeProto::FLOATS:
    return name == "value_floats";
  case AttributeProto::TENSOR:
    return name == "value";
  default:
    return false;
  }
}

static bool hasOtherSize(const onnx::TensorProto &tensor) {
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  int64_t stated = tensor.float_data_size() + tensor.double_data_size() +
                   tensor.int32_data_size() + tensor.int64_data_size() +
                   tensor.uint64_data_size() + tensor.string_data_size();
  return checkedNumElements(shape) != stated;
}

void RuleReader::readConstant(const onnx::NodeProto &node, RuleNode &made,
                              size_t place) {
  if (node.attribute_size() != 1 || node.input_size() != 0 ||
      node.output_size() != 1)
    return text.fail(place, "a Constant has one attribute and one result");
  const AttributeProto &value = node.attribute(0);
  StringRef name = value.name();
  bool isReference = !value.ref_attr_name().empty();
  if (isReference) {
    int32_t kind = name == "value_ints"     ? AttributeProto::INTS
                   : name == "value_int"    ? AttributeProto::INT
                   : name == "value_float"  ? AttributeProto::FLOAT
                   : name == "value_floats" ? AttributeProto::FLOATS
                                            : 0;
    if (kind == 0)
      return text.fail(place, "'" + name +
                                  "' cannot be an attribute of the rule, "
                                  "expected value_int, value_ints, value_float "
                                  "or value_floats");
    made.kind = RuleNode::Parameter;
    made.attributes.push_back({name.str(), {}, parameter(value, kind, place)});
    return;
  }
  bool isWhole = value.type() == AttributeProto::INT;
  if (!statesItsType(value))
    return text.fail(place, "'" + name +
                                "' of the Constant has a value of another "
                                "kind, expected value = float[2] {1, 2}, "
                                "value_float = 1.0, value_int = 1, "
                                "value_floats = [1.0] or value_ints = [1]");
  if (name == "value_float" || name == "value_int") {
    made.kind = RuleNode::Number;
    made.number = isWhole ? double(value.i()) : double(value.f());
    if (name == "value_int" && int64_t(made.number) != value.i())
      text.fail(place, "'value_int' beyond 2^53 is no number of every type, "
                       "expected value = int64 {...}");
    return;
  }
  made.kind = RuleNode::Tensor;
  made.tensor = statedElements(value);
  if (!made.tensor && hasOtherSize(value.t()))
    text.fail(place, "the Constant has another number of elements than its "
                     "shape says");
  else if (!made.tensor)
    text.fail(place, "the Constant has a value of an element type that rules "
                     "cannot state");
}

void RuleReader::readSchema(const onnx::NodeProto &node, RuleNode &made,
                            size_t place) {
  const onnx::OpSchema *schema =
      lookupSchema("", node.op_type(), rule->firstOpset);
  if (!schema)
    return text.fail(place, "'" + node.op_type() +
                                "' is no operator of opset " +
                                llvm::Twine(rule->firstOpset) + " of ai.onnx");
  llvm::StringSet<> names;
  for (const AttributeProto &one : node.attribute()) {
    if (!names.insert(one.name()).second)
      return text.fail(place, "attribute '" + one.name() + "' of " +
                                  node.op_type() + " is stated twice");
    auto known = schema->attributes().find(one.name());
    if (known == schema->attributes().end())
      return text.fail(place, node.op_type() + " has no attribute '" +
                                  one.name() + "' in opset " +
                                  llvm::Twine(rule->firstOpset));
    int32_t kind = known->second.type;
    if (kind == AttributeProto::GRAPH || kind == AttributeProto::GRAPHS)
      return text.fail(place, node.op_type() +
                                  " has bodies, which rules cannot state");
    RuleAttribute stated{one.name(), {}, 0};
    if (one.ref_attr_name().empty()) {
      AttributeProto typed = one;
      if (kind == AttributeProto::FLOAT && one.type() == AttributeProto::INT) {
        typed.set_type(AttributeProto::FLOAT);
        typed.set_f(one.i());
      } else if (one.type() != kind) {
        return text.fail(place, "attribute '" + one.name() + "' of " +
                                    node.op_type() + " is of another type, " +
                                    "expected " +
                                    AttributeProto::AttributeType_Name(
                                        AttributeProto::AttributeType(kind)));
      }
      stated.value = attribute(typed, place);
    } else {
      stated.parameter = parameter(one, kind, place);
    }
    made.attributes.push_back(std::move(stated));
  }
  if (node.input_size() > schema->max_input() ||
      node.input_size() < schema->min_input())
    text.fail(place, node.op_type() + " has " + llvm::Twine(node.input_size()) +
                         " inputs, which opset " +
                         llvm::Twine(rule->firstOpset) + " does not allow");
  else if (node.output_size() > schema->max_output() ||
           node.output_size() < std::max(schema->min_output(), 1))
    text.fail(place, node.op_type() + " has " +
                         llvm::Twine(node.output_size()) +
                         " results, which opset " +
                         llvm::Twine(rule->firstOpset) + " does not allow");
  else if (!isDeterministic("", node.op_type()))
    text.fail(place, node.op_type() + " is random: no two runs are equal");
}

void RuleReader::readNode(const onnx::NodeProto &node, size_t place) {
  RuleNode made;
  made.opType = node.op_type();
  made.isCommutative = isCommutative(made.opType) && node.input_size() == 2;
  if (!canonicalDomain(node.domain()).empty() || !node.overload().empty())
    return text.fail(place, "'" + node.domain() + "." + node.op_type() +
                                "' is no operator of ai.onnx, of which rules "
                                "are made");
  for (const std::string &input : node.input()) {
    auto known = values.find(input);
    if (!input.empty() && known == values.end())
      return text.fail(place, "'" + input +
                                  "' is not defined before, as a parameter or "
                                  "a result");
    made.inputs.push_back(input.empty() ? -1 : int(known->second));
  }
  for (auto [i, output] : llvm::enumerate(node.output())) {
    made.outputs.push_back(rule->values.size());
    addValue(output, rule->nodes.size(), i, place);
  }
  if (made.opType == "Constant")
    readConstant(node, made, place);
  else
    readSchema(node, made, place);
  rule->nodes.push_back(std::move(made));
}

void RuleReader::readTypes(const onnx::FunctionProto &proto) {
  for (const onnx::ValueInfoProto &info : proto.value_info()) {
    auto known = values.find(info.name());
    if (known == values.end() || !info.type().has_tensor_type())
      return text.fail(function->begin, "the type of '" + info.name() +
                                            "' is not that of a tensor of the "
                                            "rule");
    RuleValue &value = rule->values[known->second];
    const auto &tensor = info.type().tensor_type();
    value.types = {DataType(tensor.elem_type())};
    if (!tensor.has_shape())
      continue;
    value.shape.emplace();
    for (const auto &dim : tensor.shape().dim()) {
      RuleDim made;
      made.kind = dim.has_dim_value()   ? RuleDim::Number
                  : dim.has_dim_param() ? RuleDim::Name
                                        : RuleDim::Any;
      made.number = dim.dim_value();
      made.name = dim.dim_param();
      value.shape->push_back(std::move(made));
    }
  }
}

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

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
         llvm::any_of(patterns,
                      [&](unsigned pattern) { return nodesOf(pattern)[node]; });
}

std::string RewriteRule::description() const {
  std::string result = algebra.empty()
                           ? "the rule of " + file + ":" + std::to_string(line)
                           : algebra;
  return bound.text.empty() ? result : result + ": " + bound.text;
}

void RuleReader::readSides(const onnx::FunctionProto &proto) {
  if (proto.output_size() < 2)
    return text.fail(function->begin,
                     "the rule has " + llvm::Twine(proto.output_size()) +
                         " results, expected the pattern and the replacement: "
                         "(...) => (before, after)");
  for (auto [i, name] : llvm::enumerate(proto.output())) {
    auto known = values.find(name);
    if (known == values.end())
      return text.fail(function->begin,
                       "the result '" + name + "' is not defined in the rule");
    bool isLast = int(i) + 1 == proto.output_size();
    if (isLast) {
      rule->replacement = known->second;
      continue;
    }
    const RuleValue &value = rule->values[known->second];
    if (value.node < 0 || rule->isConstant(known->second) || value.result != 0)
      return text.fail(placeOf(name), "the pattern '" + name +
                                          "' is not the first result of an "
                                          "operator");
    rule->patterns.push_back(known->second);
  }
}

void RuleReader::readHeader(const onnx::FunctionProto &proto) {
  StringRef header = proto.doc_string();
  size_t at = text.text.find(header, function->begin);
  readRuleHeader(*rule, header, at == StringRef::npos ? function->begin : at,
                 text);
}

/// All that the replacement reads must be bound by each pattern.
void RuleReader::checkPattern(unsigned pattern) {
  const std::string &name = rule->values[pattern].name;
  size_t place = placeOf(name);
  std::vector<bool> before = rule->nodesOf(pattern),
                    after = rule->nodesOf(rule->replacement);
  if (after[rule->values[pattern].node])
    return text.fail(place, "the replacement is computed from the pattern '" +
                                name + "'");
  std::vector<bool> values(rule->values.size()),
      attributes(rule->attributes.size());
  for (auto [i, node] : llvm::enumerate(rule->nodes)) {
    if (!before[i])
      continue;
    for (int input : node.inputs)
      if (input >= 0)
        values[input] = true;
    for (const RuleAttribute &one : node.attributes)
      if (!one.value)
        attributes[one.parameter] = true;
  }
  for (auto [i, attribute] : llvm::enumerate(rule->attributes)) {
    if (attribute.computed && attributes[i])
      text.fail(place, "'@" + attribute.name +
                           "' is set by the header and in the pattern '" +
                           name + "'");
    if (attribute.computed)
      attributes[i] = true;
  }
  auto checkValue = [&](unsigned value) {
    if (rule->values[value].node < 0 && !values[value])
      text.fail(place, "the replacement reads '" + rule->values[value].name +
                           "', which is not in the pattern '" + name + "'");
  };
  checkValue(rule->replacement);
  for (auto [i, node] : llvm::enumerate(rule->nodes)) {
    if (!after[i] || before[i])
      continue;
    for (int input : node.inputs)
      if (input >= 0)
        checkValue(input);
    for (const RuleAttribute &one : node.attributes)
      if (!one.value && !attributes[one.parameter])
        text.fail(place, "the replacement reads '@" +
                             rule->attributes[one.parameter].name +
                             "', which is not in the pattern '" + name + "'");
  }
}

/// Every node and every attribute is there for something.
void RuleReader::checkUses() {
  std::vector<bool> used = rule->nodesOf(rule->replacement);
  auto use = [&](unsigned value) {
    for (auto [i, isUsed] : llvm::enumerate(rule->nodesOf(value)))
      used[i] = used[i] || isUsed;
  };
  for (unsigned pattern : rule->patterns)
    use(pattern);
  if (rule->bound.of >= 0) // it may be computed for the bound alone
    use(rule->bound.of);
  for (auto [i, node] : llvm::enumerate(rule->nodes))
    if (!used[i])
      return text.fail(placeOf(rule->values[node.outputs[0]].name),
                       "'" + rule->values[node.outputs[0]].name +
                           "' is computed for neither side");
  for (const RuleParameter &attribute : rule->attributes)
    if (attribute.kind == 0)
      return text.fail(function->begin, "the attribute '" + attribute.name +
                                            "' is not used: '@" +
                                            attribute.name + "'");
  checkOptionals();
  checkAnyAttributes();
  for (const RuleNode &node : rule->nodes)
    for (int input :
         llvm::ArrayRef(node.inputs).drop_back(node.inputs.empty() ? 0 : 1))
      if (input >= 0 && rule->values[input].isVariadic)
        return text.fail(function->begin, "'" + rule->values[input].name +
                                              "...' is not the last input of " +
                                              node.opType);
}

/// An operand that may be missing must be one that the operator can lack.
void RuleReader::checkOptionals() {
  for (const RuleNode &node : rule->nodes) {
    const onnx::OpSchema *schema =
        node.kind == RuleNode::Operator
            ? lookupSchema("", node.opType, rule->firstOpset)
            : nullptr;
    for (auto [i, input] : llvm::enumerate(node.inputs)) {
      if (!schema || input < 0 || !rule->values[input].isOptional)
        continue;
      bool mayBeMissing = int(i) >= schema->min_input() ||
                          schema->inputs()[i].GetOption() ==
                              onnx::OpSchema::FormalParameterOption::Optional;
      if (rule->values[input].isVariadic || !mayBeMissing)
        return text.fail(placeOf(rule->values[node.outputs[0]].name),
                         "'" + rule->values[input].name +
                             "?' may be missing, which this input of " +
                             node.opType + " may not");
    }
  }
}

/// A new node has the attributes that are stated.
void RuleReader::checkAnyAttributes() {
  std::vector<bool> matched(rule->nodes.size());
  for (unsigned pattern : rule->patterns)
    for (auto [i, isUsed] : llvm::enumerate(rule->nodesOf(pattern)))
      matched[i] = matched[i] || isUsed;
  for (auto [i, node] : llvm::enumerate(rule->nodes))
    if (node.hasAnyAttributes && !matched[i])
      return text.fail(placeOf(rule->values[node.outputs[0]].name),
                       "'" + rule->values[node.outputs[0]].name +
                           "' has any attributes, but no pattern has it");
}

void RuleReader::checkLevel() {
  size_t begin = function->begin;
  if (rule->level == 1 && !rule->bound.text.empty())
    text.fail(begin, "a rule of level 1 has a bound, expected level: 2");
  if (rule->level == 2 && rule->bound.text.empty())
    text.fail(begin, "a rule of level 2 has no bound, expected "
                     "'bound: 4 ulp' or the like");
  for (const RuleValue &value : rule->values)
    if (value.range && rule->level == 1)
      text.fail(begin, "a rule of level 1 holds everywhere: 'range' needs "
                       "level: 2");
}

/// Checks what the parts say of each other.
void RuleReader::check() {
  llvm::StringSet<> roots;
  for (unsigned pattern : rule->patterns) {
    checkPattern(pattern);
    const std::string &root = rule->nodes[rule->values[pattern].node].opType;
    if (roots.insert(root).second)
      rule->roots += (rule->roots.empty() ? "" : " ") + root;
  }
  checkUses();
  checkLevel();
}

std::unique_ptr<RewriteRule> RuleReader::read(const FunctionText &given) {
  function = &given;
  const onnx::FunctionProto &proto = given.proto;
  rule = std::make_unique<RewriteRule>();
  rule->name = proto.name();
  rule->overload = proto.overload();
  rule->file = text.file.str();
  rule->text = text.text.slice(given.begin, given.end).str();
  std::tie(rule->line, rule->column) = text.position(given.begin);
  rule->firstOpset = rule->lastOpset = latestOpset("");
  for (const auto &import : proto.opset_import())
    if (canonicalDomain(import.domain()).empty())
      rule->firstOpset = import.version();
  if (rule->firstOpset < 1 || rule->firstOpset > latestOpset(""))
    text.fail(given.begin, "opset " + llvm::Twine(rule->firstOpset) +
                               " is not known, expected 1 to " +
                               llvm::Twine(latestOpset("")));
  if (rule->name.empty() || !llvm::all_of(rule->name, [](char c) {
        return llvm::isAlnum(c) || c == '_' || c == '-';
      }))
    text.fail(given.begin, "the rule is called '" + printableName(rule->name) +
                               "', expected a name of letters, digits, '_' "
                               "and '-'");
  constexpr int mostNodes = 200;
  if (proto.node_size() > mostNodes)
    text.fail(given.begin, "the rule has " + llvm::Twine(proto.node_size()) +
                               " nodes, expected at most " +
                               llvm::Twine(mostNodes));
  for (const std::string &name : proto.input())
    addValue(name, -1, 0, given.begin);
  rule->numParameters = rule->values.size();
  readAttributes(proto);
  for (const onnx::NodeProto &node : proto.node())
    if (!text.hasFailed())
      readNode(node, placeOf(node.output_size() ? node.output(0) : ""));
  for (auto step : {&RuleReader::readTypes, &RuleReader::readSides,
                    &RuleReader::readHeader})
    if (!text.hasFailed())
      (this->*step)(proto);
  if (!text.hasFailed())
    check();
  for (unsigned pattern : llvm::reverse(rule->patterns))
    if (!text.hasFailed())
      if (llvm::Error error =
              inferTypeClasses(*rule, pattern, rule->firstOpset))
        text.fail(given.begin, llvm::toString(std::move(error)));
  if (!text.hasFailed())
    findOpsets(*rule, /*findsFirst=*/proto.opset_import_size() == 0);
  return std::move(rule);
}

std::unique_ptr<RewriteRule> onnxfold::readRule(const FunctionText &function,
                                                RuleText &text,
                                                mlir::MLIRContext &context) {
  return RuleReader(text, context).read(function);
}
