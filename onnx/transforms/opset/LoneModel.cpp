//===- LoneModel.cpp - A node in a model of its own -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/opset/internal/LoneModel.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;
using onnx::AttributeProto;
using onnx::ModelProto;
using onnx::NodeProto;

static std::string inputName(unsigned index) {
  return "i" + std::to_string(index);
}
static std::string outputNameOf(unsigned index) {
  return "o" + std::to_string(index);
}

static void addInfo(onnx::ValueInfoProto &info, std::string name, Type type) {
  info.set_name(std::move(name));
  if (!toTypeProto(type, *info.mutable_type()))
    info.mutable_type()->mutable_tensor_type();
}

/// Adapters look at shapes and at small values.
static void addInput(onnx::GraphProto &graph, unsigned index, Value value) {
  ElementsAttr constant;
  onnx::TensorProto tensor;
  if (matchPattern(value, m_Constant(&constant)) &&
      constant.getNumElements() <= 1024 &&
      toTensorProto(constant, tensor, size_t(1) << 16)) {
    tensor.set_name(inputName(index));
    *graph.add_initializer() = std::move(tensor);
  }
  addInfo(*graph.add_input(), inputName(index), value.getType());
}

/// A value for a parameter of the function; false for kinds of which numbers
/// are no samples.
static bool setSample(AttributeProto &proto, StringRef name,
                      OnnxRefAttr reference, int64_t sample) {
  auto kind = AttributeProto::AttributeType(reference.getKind());
  proto.set_name(name.str());
  proto.set_type(kind);
  if (kind == AttributeProto::INT)
    proto.set_i(sample);
  else if (kind == AttributeProto::FLOAT)
    proto.set_f(static_cast<float>(sample));
  else if (kind == AttributeProto::INTS)
    proto.add_ints(sample);
  else if (kind == AttributeProto::FLOATS)
    proto.add_floats(static_cast<float>(sample));
  else
    return false;
  return true;
}

bool onnxfold::describe(Operator op, int64_t opset, ModelProto &model,
                        int64_t sample) {
  model.set_ir_version(10);
  model.add_opset_import()->set_version(opset);
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("node");
  NodeProto &node = *graph.add_node();
  node.set_op_type(op.opType().str());
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    node.add_input(op.hasInput(i) ? inputName(i) : "");
    if (op.hasInput(i))
      addInput(graph, i, op.input(i));
  }
  for (unsigned i = 0; i < op.numOutputs(); ++i) {
    Type type = op->getResult(i).getType();
    bool isGiven = !isa<NoneType>(type);
    node.add_output(isGiven ? outputNameOf(i) : "");
    if (isGiven)
      addInfo(*graph.add_output(), outputNameOf(i), type);
  }
  for (NamedAttribute attribute : op->getDiscardableAttrs()) {
    AttributeProto &proto = *node.add_attribute();
    auto reference = dyn_cast<OnnxRefAttr>(attribute.getValue());
    if (reference
            ? !setSample(proto, attribute.getName(), reference, sample)
            : !toAttributeProto(attribute, schemaKind(op, attribute.getName()),
                                proto, size_t(1) << 16))
      return false;
  }
  return true;
}

static bool areEqual(const AttributeProto &a, const AttributeProto &b) {
  return a.name() == b.name() && a.type() == b.type() &&
         (a.has_t() || a.SerializeAsString() == b.SerializeAsString());
}

bool onnxfold::haveSameAttributes(const NodeProto &a, const NodeProto &b) {
  return a.attribute_size() == b.attribute_size() &&
         llvm::all_of(a.attribute(), [&](const AttributeProto &one) {
           return llvm::any_of(b.attribute(), [&](const AttributeProto &other) {
             return areEqual(one, other);
           });
         });
}

/// Without those at the end that are left out.
static std::vector<StringRef> givenInputs(const NodeProto &node) {
  std::vector<StringRef> names(node.input().begin(), node.input().end());
  while (!names.empty() && names.back().empty())
    names.pop_back();
  return names;
}

bool onnxfold::isSameNode(const NodeProto &before,
                          const onnx::GraphProto &after) {
  if (after.node_size() != 1 || after.node(0).op_type() != before.op_type())
    return false;
  const NodeProto &node = after.node(0);
  return givenInputs(before) == givenInputs(node) &&
         before.output_size() == node.output_size() &&
         haveSameAttributes(before, node);
}

onnx::FunctionProto onnxfold::functionOf(const onnx::GraphProto &graph,
                                         const NodeProto &node) {
  onnx::FunctionProto function;
  function.set_name("converted");
  for (const std::string &name : node.input())
    function.add_input(name);
  for (const onnx::TensorProto &tensor : graph.initializer()) {
    if (llvm::is_contained(node.input(), tensor.name()))
      continue;
    NodeProto &constant = *function.add_node();
    constant.set_op_type("Constant");
    constant.add_output(tensor.name());
    AttributeProto &value = *constant.add_attribute();
    value.set_name("value");
    value.set_type(AttributeProto::TENSOR);
    *value.mutable_t() = tensor;
  }
  for (const NodeProto &one : graph.node())
    *function.add_node() = one;
  // Outputs without a name are none of the graph.
  int next = 0;
  for (const std::string &name : node.output())
    function.add_output(name.empty() ? "" : graph.output(next++).name());
  return function;
}
