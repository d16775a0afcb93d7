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
  size_t placeOf(StringRef name) const { return text.placeOf(*function, name); }

  RuleText &text;
  mlir::MLIRContext &context;
  const FunctionText *function = nullptr;
  std::unique_ptr<RewriteRule> rule;
  llvm::StringMap<unsigned> values;
};

} // namespace

void RuleReader::addValue(StringRef name, int node, unsigned result,
                          size_t place) {
  if (name.empty() && node < 0)
    text.fail(place, "a parameter has no name");
  if (name == "_") // which is any size in a header
    text.fail(place, "a value is called '_', expected a name with a letter");
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
    if (name == "_")
      text.fail(function->begin,
                "an attribute is called '_', expected a name with a letter");
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

/// What is wrong with the name of an operator.
static std::string whyUnknown(StringRef opType, int64_t opset) {
  std::string result = ("'" + opType + "' is no operator of opset " +
                        llvm::Twine(opset) + " of ai.onnx")
                           .str();
  for (int64_t later = opset + 1; later <= latestOpset(""); ++later)
    if (lookupSchema("", opType, later))
      return result +
             ", expected opset_import: [\"\" : " + std::to_string(later) +
             "], from which on it is one";
  for (const SchemaEntry &known : allSchemas())
    if (known.domain.empty() && known.opType.equals_insensitive(opType))
      return result + ", expected '" + known.opType.str() + "'";
  return result;
}

void RuleReader::readSchema(const onnx::NodeProto &node, RuleNode &made,
                            size_t place) {
  const onnx::OpSchema *schema =
      lookupSchema("", node.op_type(), rule->firstOpset);
  if (!schema)
    return text.fail(place, whyUnknown(node.op_type(), rule->firstOpset));
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

void RuleReader::readSides(const onnx::FunctionProto &proto) {
  if (proto.output_size() < 2)
    return text.fail(function->begin,
                     "the rule has the results '" +
                         llvm::join(proto.output(), ", ") +
                         "', expected the pattern and the replacement: "
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
    checkRule(*rule, given, text);
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
