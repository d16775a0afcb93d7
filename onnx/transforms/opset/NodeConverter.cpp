//===- NodeConverter.cpp - One node in a later opset ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/opset/internal/NodeConverter.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/transforms/opset/internal/ConversionRules.h"
#include "mlir/IR/Matchers.h"
#include "onnx/version_converter/convert.h"
#include "llvm/ADT/STLExtras.h"

using namespace onnxfold;
using namespace mlir;
using onnx::AttributeProto;
using onnx::ModelProto;
using onnx::NodeProto;

/// The library's converter, which knows all versions of operators without its
/// registry of schemas (empty here).
struct NodeConverter::Library final
    : onnx::version_conversion::DefaultVersionConverter {
  Library() {
    for (const SchemaEntry &entry : allSchemas())
      if (entry.domain.empty())
        all_schemas[entry.opType.str()][""][entry.since] = nullptr;
    replaceAdapters(*this);
  }
};

NodeConverter::NodeConverter() = default;
NodeConverter::~NodeConverter() = default;

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

/// False if an attribute has a kind that cannot be said. Parameters of a
/// function have the value `sample`.
static bool describe(Operator op, int64_t opset, ModelProto &model,
                     int64_t sample = 0) {
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

/// Tensors are compared by their names only: no adapter changes one.
static bool areEqual(const AttributeProto &a, const AttributeProto &b) {
  return a.name() == b.name() && a.type() == b.type() &&
         (a.has_t() || a.SerializeAsString() == b.SerializeAsString());
}

/// Without those at the end that are left out.
static std::vector<StringRef> givenInputs(const NodeProto &node) {
  std::vector<StringRef> names(node.input().begin(), node.input().end());
  while (!names.empty() && names.back().empty())
    names.pop_back();
  return names;
}

static bool isSameNode(const NodeProto &before, const onnx::GraphProto &after) {
  if (after.node_size() != 1 || after.node(0).op_type() != before.op_type())
    return false;
  const NodeProto &node = after.node(0);
  if (givenInputs(before) != givenInputs(node) ||
      before.output_size() != node.output_size() ||
      before.attribute_size() != node.attribute_size())
    return false;
  return llvm::all_of(before.attribute(), [&](const AttributeProto &one) {
    return llvm::any_of(node.attribute(), [&](const AttributeProto &other) {
      return areEqual(one, other);
    });
  });
}

/// What the graph computes, as a function of the node's inputs.
static onnx::FunctionProto functionOf(const onnx::GraphProto &graph,
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

llvm::Expected<ConvertedNode> NodeConverter::convert(Operator op, int64_t from,
                                                     int64_t to) {
  // Bodies are converted node by node; these take more types than before.
  if (op.numGraphs() != 0) {
    if (op.opType() != "Scan" || op.since() >= 9)
      return ConvertedNode{/*isSame=*/true};
    return llvm::createStringError(
        "of opset 8 has another meaning from opset 9 on");
  }
  if (op.hasReferences())
    return convertReferences(op, from, to);
  ModelProto model;
  if (!describe(op, from, model))
    return llvm::createStringError(
        "an attribute has a kind that ONNX does not have");
  NodeProto node = model.graph().node(0);
  llvm::Expected<ModelProto> converted = convertModel(model, from, to);
  if (!converted)
    return converted.takeError();
  ConvertedNode result;
  result.isSame = isSameNode(node, converted->graph());
  if (result.isSame)
    return result;
  if (converted->graph().output_size() != model.graph().output_size())
    return llvm::createStringError("the converter changed its outputs");
  SmallVector<std::optional<unsigned>> arguments;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    arguments.push_back(op.hasInput(i) ? std::optional(i) : std::nullopt);
  result.body = SchemaBody::import(op, functionOf(converted->graph(), node), to,
                                   arguments, op.numOutputs());
  if (!result.body.end)
    return llvm::createStringError(
        "what the converter makes of it cannot be read");
  return result;
}

llvm::Expected<ModelProto>
NodeConverter::convertModel(ModelProto &model, int64_t from, int64_t to) {
  if (llvm::Error error = prepare(*model.mutable_graph(), from, to))
    return error;
  try {
    if (!library)
      library = std::make_unique<Library>();
    return library->convert_version(model, onnx::OpSetID(from),
                                    onnx::OpSetID(to));
  } catch (const std::exception &exception) {
    return llvm::createStringError(
        StringRef(exception.what()).split('\n').first.rtrim());
  }
}

/// A node with parameters of its function means the same if no sample of them
/// makes another node of it.
llvm::Expected<ConvertedNode>
NodeConverter::convertReferences(Operator op, int64_t from, int64_t to) {
  for (int64_t sample : {0, 1, -1, 2}) {
    ModelProto model;
    bool isSame = describe(op, from, model, sample);
    NodeProto node = model.graph().node(0);
    if (isSame) {
      llvm::Expected<ModelProto> converted = convertModel(model, from, to);
      isSame = converted && isSameNode(node, converted->graph());
      if (!converted)
        llvm::consumeError(converted.takeError());
    }
    if (!isSame)
      return llvm::createStringError(
          "an attribute is a parameter of the function, and what opset " +
          llvm::Twine(to) + " has for the node depends on it");
  }
  return ConvertedNode{/*isSame=*/true};
}

void onnxfold::setSince(Operator op, int64_t since) {
  NamedAttrList fields(cast<DictionaryAttr>(op->getPropertiesAsAttribute()));
  fields.set("since",
             IntegerAttr::get(IntegerType::get(op->getContext(), 64), since));
  (void)op->setPropertiesFromAttribute(fields.getDictionary(op->getContext()),
                                       nullptr);
}

void onnxfold::nameResult(OpResult result, StringRef name) {
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    constant.setOutput(name);
    return;
  }
  Operator node = Operator::from(op);
  if (!node)
    return;
  SmallVector<std::string> names;
  for (unsigned i = 0; i < node.numOutputs(); ++i)
    names.push_back(node.outputName(i).str());
  names[result.getResultNumber()] = name.str();
  node.setOutputNames(llvm::to_vector(llvm::map_range(
      names, [](const std::string &one) { return StringRef(one); })));
}
