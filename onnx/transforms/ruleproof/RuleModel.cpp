//===- RuleModel.cpp - A counterexample as a model ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/ruleproof/internal/RuleModel.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/defs/printer.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;

std::string onnxfold::nameOfInput(const RewriteRule &rule, unsigned value,
                                  unsigned index) {
  std::string name = rule.values[value].name;
  return rule.values[value].isVariadic ? name + "_" + std::to_string(index)
                                       : name;
}

namespace {

class ModelMaker {
public:
  ModelMaker(const RewriteRule &rule, llvm::ArrayRef<Attribute> attributes,
             const RuleBindings &bindings, const Evaluation &known,
             int64_t opset)
      : rule(rule), attributes(attributes), bindings(bindings), known(known),
        opset(opset) {}

  bool addSide(unsigned value, llvm::StringRef name, const Elements &result);
  void finish(Counterexample &found);
  std::string bytes();

  /// Parameters that are initializers.
  std::function<bool(unsigned value)> isConstant = [](unsigned) {
    return false;
  };

private:
  bool addNode(const RuleNode &node);
  bool addConstant(const RuleNode &node);
  bool addInputs(const RuleNode &node, onnx::NodeProto &proto);
  bool addInput(unsigned value);
  bool addTensor(const Elements &value, llvm::StringRef name);

  const RewriteRule &rule;
  llvm::ArrayRef<Attribute> attributes;
  const RuleBindings &bindings;
  const Evaluation &known;
  int64_t opset;
  onnx::ModelProto model;
  llvm::DenseSet<unsigned> made; ///< values
};

} // namespace

static void setInfo(onnx::ValueInfoProto &info, llvm::StringRef name,
                    const Elements &value) {
  info.set_name(name.str());
  auto &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(int32_t(value.type()));
  type.mutable_shape();
  for (int64_t size : value.shape())
    type.mutable_shape()->add_dim()->set_dim_value(size);
}

static MLIRContext *contextOf(const RuleBindings &bindings) {
  for (const auto &values : bindings.values)
    if (!values.empty())
      return values.front().getContext();
  return nullptr;
}

bool ModelMaker::addTensor(const Elements &value, llvm::StringRef name) {
  MLIRContext *context = contextOf(bindings);
  if (!context || !value)
    return false;
  auto type = RankedTensorType::get(
      value.shape(), elementTypeOf(int32_t(value.type()), context));
  onnx::TensorProto &tensor = *model.mutable_graph()->add_initializer();
  if (!toTensorProto(toAttribute(value, type), tensor, size_t(1) << 24))
    return false;
  tensor.set_name(name.str());
  return true;
}

bool ModelMaker::addConstant(const RuleNode &node) {
  unsigned value = node.outputs[0];
  Elements elements =
      !bindings.values[value].empty()
          ? known.state(bindings.values[value].front()).known().tensor
      : node.kind == RuleNode::Tensor ? node.tensor
      : node.kind == RuleNode::Parameter
          ? elementsOfAttribute(attributes[node.attributes.front().parameter])
          : Elements();
  return addTensor(elements, rule.values[value].name);
}

bool ModelMaker::addInput(unsigned value) {
  if (!made.insert(value).second)
    return true;
  for (auto [j, bound] : llvm::enumerate(bindings.values[value])) {
    const Elements tensor = known.state(bound).known().tensor;
    std::string name = nameOfInput(rule, value, j);
    if (!isConstant(value))
      setInfo(*model.mutable_graph()->add_input(), name, tensor);
    else if (!addTensor(tensor, name))
      return false;
  }
  return true;
}

bool ModelMaker::addInputs(const RuleNode &node, onnx::NodeProto &proto) {
  for (int input : node.inputs) {
    if (input < 0) {
      proto.add_input("");
      continue;
    }
    if (rule.values[input].node >= 0) {
      if (!addNode(rule.nodes[rule.values[input].node]))
        return false;
      proto.add_input(rule.values[input].name);
      continue;
    }
    if (!addInput(input))
      return false;
    if (bindings.values[input].empty())
      proto.add_input("");
    for (size_t j = 0; j < bindings.values[input].size(); ++j)
      proto.add_input(nameOfInput(rule, input, j));
  }
  return true;
}

/// A node after those that it reads.
bool ModelMaker::addNode(const RuleNode &node) {
  if (!made.insert(node.outputs[0]).second)
    return true;
  if (node.kind != RuleNode::Operator)
    return addConstant(node);
  onnx::NodeProto proto;
  proto.set_op_type(node.opType);
  if (!addInputs(node, proto))
    return false;
  for (unsigned output : node.outputs)
    proto.add_output(rule.values[output].name);
  const onnx::OpSchema *schema = lookupSchema("", node.opType, opset);
  for (const RuleAttribute &attribute : node.attributes) {
    Attribute value =
        attribute.value ? attribute.value : attributes[attribute.parameter];
    if (!value || !schema)
      continue;
    auto formal = schema->attributes().find(attribute.name);
    NamedAttribute named(StringAttr::get(value.getContext(), attribute.name),
                         value);
    if (formal == schema->attributes().end() ||
        !toAttributeProto(named, formal->second.type, *proto.add_attribute()))
      return false;
  }
  *model.mutable_graph()->add_node() = std::move(proto);
  return true;
}

bool ModelMaker::addSide(unsigned value, llvm::StringRef name,
                         const Elements &result) {
  const RuleValue &about = rule.values[value];
  if (about.node < 0 ? !addInput(value) : !addNode(rule.nodes[about.node]))
    return false;
  onnx::NodeProto &last = *model.mutable_graph()->add_node();
  last.set_op_type("Identity");
  last.add_input(about.name);
  last.add_output(name.str());
  onnx::ValueInfoProto &info = *model.mutable_graph()->add_output();
  if (result)
    setInfo(info, name, result);
  else
    info.set_name(name.str());
  return true;
}

std::string ModelMaker::bytes() {
  model.set_ir_version(10);
  auto &import = *model.add_opset_import();
  import.set_domain("");
  import.set_version(opset);
  model.mutable_graph()->set_name("counterexample");
  return model.SerializeAsString();
}

void ModelMaker::finish(Counterexample &found) {
  found.model = bytes();
  found.modelText = onnx::ProtoToString(model);
}

std::string onnxfold::sampleOf(const RewriteRule &rule, unsigned pattern,
                               const RuleBindings &bindings,
                               const Evaluation &known, int64_t opset,
                               bool hasOneInput) {
  ModelMaker maker(rule, bindings.attributes, bindings, known, opset);
  maker.isConstant = [&](unsigned value) {
    const auto &bound = bindings.values[value];
    return hasOneInput
               ? value != 0
               : !bound.empty() && !isFloat(known.state(bound.front()).type);
  };
  mlir::Value result = bindings.valueOf(pattern);
  return maker.addSide(pattern, "side_before",
                       known.state(result).known().tensor)
             ? maker.bytes()
             : "";
}

void onnxfold::addModel(const RewriteRule &rule, unsigned pattern,
                        llvm::ArrayRef<Attribute> attributes,
                        const RuleBindings &bindings, const Evaluation &known,
                        Counterexample &found) {
  ModelMaker maker(rule, attributes, bindings, known, found.opset);
  if (maker.addSide(pattern, "side_before", found.before) &&
      maker.addSide(rule.replacement, "side_after", found.after))
    maker.finish(found);
}
