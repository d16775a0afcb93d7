//===- NodeWriter.cpp - An operator as a node of the file -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/NodeWriter.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/wire/internal/FieldNumbers.h"
#include "onnxfold/onnx/io/write/internal/DataUse.h"
#include "onnxfold/onnx/ir/Annotations.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace onnxfold;
using namespace mlir;

/// Fields of a graph that a copy does not have: they speak of values, which
/// have other names now. In a graph of a custom operator they have the same.
static bool isOfValues(uint32_t field, bool isCustom) {
  static constexpr uint32_t all[] = {
      graphNode,      graphInitializer, graphInput, graphOutput,
      graphValueInfo, graphAnnotation,  graphSparse};
  bool isInterface = field == graphInput || field == graphOutput;
  return llvm::is_contained(all, field) && !(isCustom && isInterface);
}

llvm::Expected<const MessageSpan *>
onnxfold::findNode(WireReader &reader, const ModelIndex &index,
                   const std::deque<MessageSpan> &nodes,
                   ArrayRef<BodyStep> path, int64_t node) {
  const std::deque<MessageSpan> *graph = &nodes;
  NodeFields fields;
  for (BodyStep step : path) {
    if (llvm::Error error =
            readNode(reader, index, (*graph)[step.node], fields))
      return error;
    SmallVector<const GraphIndex *> inner;
    for (const AttributeFields &attribute : fields.attributes)
      inner.append(attribute.graphs.begin(), attribute.graphs.end());
    graph = &inner[step.graph]->nodes;
  }
  return &(*graph)[node];
}

NodeWriter::NodeWriter(const ImportedModel &model, WireReader &reader,
                       const ExportOptions &options, DataUse &dataUse)
    : index(*model.index), reader(reader), options(options), dataUse(dataUse),
      stripper(reader, this->options.cleaning.strip) {
  // The importer makes the main graph first, then functions in their order.
  auto made = model.module.get().getOps<func::FuncOp>().begin();
  for (const FunctionIndex &function : index.functions)
    functions[*++made] = &function;
}

const std::deque<MessageSpan> &NodeWriter::nodesOf(Operation *function) const {
  const FunctionIndex *found = functionOf(function);
  return found ? found->nodes : index.mainGraph().nodes;
}

/// The function of a copy of the module may be that of the original.
const FunctionIndex *NodeWriter::functionOf(Operation *function) const {
  if (const FunctionIndex *found = functions.lookup(function))
    return found;
  StringRef symbol = SymbolTable::getSymbolName(function).getValue();
  for (const auto &[other, found] : functions)
    if (SymbolTable::getSymbolName(other).getValue() == symbol)
      return found;
  return nullptr;
}

llvm::Error NodeWriter::addNames(Operator op, onnx::NodeProto &node) {
  for (unsigned i = 0; i < op.numInputs(); ++i) {
    Value input = op.input(i);
    StringRef name = input ? valueName(input) : StringRef();
    if (input && name.empty())
      return wrong().says(": input #" + llvm::Twine(i) + " has no name");
    node.add_input(name.str());
  }
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    node.add_output(op.outputName(i).str());
  if (!op.nodeName().empty() && !stripper.stripped().names)
    node.set_name(op.nodeName().str());
  return llvm::Error::success();
}

/// Reads the texts that are not stripped.
llvm::Expected<NodeTexts> NodeWriter::readTexts(const MessageSpan &node) {
  llvm::Expected<NodeTexts> texts = readNodeTexts(reader, node);
  if (texts)
    stripper.strip(*texts);
  return texts;
}

llvm::Expected<NodeTexts> NodeWriter::textsOf(Operation *op,
                                              const MessageSpan *own) {
  NodeTexts result;
  ArrayRef<NodePlace> parts =
      options.partsOf ? options.partsOf(op) : ArrayRef<NodePlace>();
  bool isFirst = !own;
  if (own) {
    llvm::Expected<NodeTexts> texts = readTexts(*own);
    if (!texts)
      return texts.takeError();
    result = std::move(*texts);
  }
  std::string lost;
  for (const NodePlace &place : parts) {
    auto span = findNode(reader, index, nodesOf(place.function), place.path,
                         place.node);
    if (!span)
      return span.takeError();
    llvm::Expected<NodeTexts> texts = readTexts(**span);
    if (!texts)
      return texts.takeError();
    if (std::exchange(isFirst, false))
      result = std::move(*texts);
    else if (std::string field = result.keepCommon(*texts); lost.empty())
      lost = std::move(field);
  }
  if (!lost.empty() && options.noteLostText)
    options.noteLostText(op, lost);
  return result;
}

//===----------------------------------------------------------------------===//
// What was made anew
//===----------------------------------------------------------------------===//

llvm::Error NodeWriter::writeNew(Operator op, MessageBytes &bytes) {
  onnx::NodeProto node;
  if (llvm::Error error = addNames(op, node))
    return error;
  node.set_op_type(op.opType().str());
  if (!op.domain().empty())
    node.set_domain(op.domain().str());
  if (!op.overload().empty())
    node.set_overload(op.overload().str());
  for (NamedAttribute attribute : op->getAttrs())
    if (!toAttributeProto(attribute, schemaKind(op, attribute.getName()),
                          *node.add_attribute(),
                          std::numeric_limits<int32_t>::max()))
      return wrong()
          .attribute(attribute.getName().strref())
          .has("a kind that ONNX does not have");
  bytes.add(node.SerializeAsString());
  llvm::Expected<NodeTexts> texts = textsOf(op.getOperation(), nullptr);
  if (!texts)
    return texts.takeError();
  bytes.add(texts->fields());
  for (const std::string &message : encodeDeviceConfigurations(op))
    bytes.addText(nodeDevices, message);
  for (unsigned i = 0; i < op.numGraphs(); ++i) {
    StringRef name = op.graphName(i);
    if (name.contains('['))
      return wrong().has("a list of bodies");
    MessageBytes graph, attribute;
    if (llvm::Error error = writeNodes(op->getRegion(i), false, graph))
      return error;
    if (llvm::Error error = writeValues(op->getRegion(i), graph))
      return error;
    graph.addText(graphName, name);
    onnx::AttributeProto head;
    head.set_name(name.str());
    head.set_type(onnx::AttributeProto::GRAPH);
    attribute.add(head.SerializeAsString());
    attribute.addMessage(attributeGraph, std::move(graph));
    bytes.addMessage(nodeAttribute, std::move(attribute));
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

/// The attribute of a node that has the name; null if there is none.
static const MessageSpan *findAttribute(const NodeFields &node,
                                        StringRef name) {
  const AttributeFields *found = node.attribute(name);
  return found ? found->span : nullptr;
}

/// One that a call gives, or a function by default, under the name that it has
/// in the copy.
llvm::Error NodeWriter::writeParameter(const NodeSource &source, StringRef name,
                                       MessageBytes &node) {
  const MessageSpan *found = nullptr;
  NodeFields call;
  for (const auto &[own, given] : source.parameters) {
    if (own != name)
      continue;
    const NodePlace &place = given.place;
    if (place.node < 0) {
      for (const MessageSpan &span :
           functionOf(place.function)->defaultAttributes) {
        AttributeFields attribute;
        if (llvm::Error error =
                readAttribute(reader, index, span, call.arena, attribute))
          return error;
        if (attribute.name == given.name)
          found = &span;
      }
      continue;
    }
    auto span = findNode(reader, index, nodesOf(place.function), place.path,
                         place.node);
    if (!span)
      return span.takeError();
    if (llvm::Error error = readNode(reader, index, **span, call))
      return error;
    found = findAttribute(call, given.name);
  }
  if (!found)
    return wrong().attribute(name).says("of a function").has("no value");
  MessageBytes attribute;
  attribute.addText(attributeName, name);
  WireCursor cursor(reader, found->contents(), {"attribute"});
  WireField field;
  while (cursor.next(field))
    if (!field.isMessage(attributeName))
      stripper.copy(wire::Attribute, field, attribute);
  node.addMessage(nodeAttribute, std::move(attribute));
  return llvm::Error::success();
}

/// Initializers that are no constants: values of inputs, and those without a
/// name.
void NodeWriter::keepDefaults(const GraphIndex &source, MessageBytes &graph) {
  llvm::StringSet<> inputs;
  for (const NamedSpan &input : source.inputs)
    inputs.insert(input.name);
  for (const TensorIndex &tensor : source.initializers)
    if (tensor.name.empty() || inputs.contains(tensor.name))
      stripper.copyMessage(wire::Tensor, graphInitializer, tensor.span, graph);
}

/// Its graphs are the bodies of the operation now.
llvm::Error NodeWriter::writeGraphs(Operator op,
                                    const AttributeFields &attribute,
                                    unsigned &nextGraph, MessageBytes &node) {
  MessageBytes bytes;
  const GraphIndex *const *next = attribute.graphs.begin();
  WireCursor cursor(reader, attribute.span->contents(), {"attribute"});
  WireField field;
  while (cursor.next(field)) {
    if (!field.isMessage(attributeGraph) && !field.isMessage(attributeGraphs)) {
      stripper.copy(wire::Attribute, field, bytes);
      continue;
    }
    if (next == attribute.graphs.end())
      continue; // a part of the one before
    MessageBytes graph;
    Region &body = op->getRegion(nextGraph++);
    bool isCustom = op.isCustom();
    if (llvm::Error error = writeNodes(body, isCustom, graph))
      return error;
    for (const MessageSpan *part : (*next)->parts) {
      WireCursor old(reader, part->contents(), {"graph"});
      WireField inner;
      while (old.next(inner))
        if (inner.type != WireType::Length ||
            !isOfValues(inner.number, isCustom))
          stripper.copy(wire::Graph, inner, graph);
    }
    if (isCustom)
      keepDefaults(**next, graph);
    else if (llvm::Error error = writeValues(body, graph))
      return error;
    ++next;
    bytes.addMessage(field.number, std::move(graph));
  }
  node.addMessage(nodeAttribute, std::move(bytes));
  return llvm::Error::success();
}

llvm::Error NodeWriter::writeAttribute(Operator op, const NodeSource &source,
                                       const MessageSpan &span,
                                       unsigned &nextGraph,
                                       MessageBytes &node) {
  llvm::BumpPtrAllocator arena;
  AttributeFields attribute;
  if (llvm::Error error = readAttribute(reader, index, span, arena, attribute))
    return error;
  if (!attribute.graphs.empty())
    return writeGraphs(op, attribute, nextGraph, node);
  if (!attribute.refAttrName.empty()) {
    Attribute value = op.attribute(attribute.name);
    if (!value)
      return llvm::Error::success(); // the call does not give it
    bool isOther = llvm::any_of(source.parameters, [&](const auto &own) {
      return own.first == attribute.name;
    });
    if (isOther || !isa<OnnxRefAttr>(value))
      return writeParameter(source, attribute.name, node);
  }
  for (const TensorIndex &tensor : attribute.tensors)
    if (tensor.external)
      noteUse(dataUse, tensor);
  stripper.copyMessage(wire::Attribute, nodeAttribute, span, node);
  return llvm::Error::success();
}

llvm::Error NodeWriter::writeCopy(Operator op, const NodeSource &source,
                                  MessageBytes &bytes) {
  const NodePlace &place = source.place;
  auto span =
      findNode(reader, index, nodesOf(place.function), place.path, place.node);
  if (!span)
    return span.takeError();
  onnx::NodeProto names;
  if (llvm::Error error = addNames(op, names))
    return error;
  bytes.add(names.SerializeAsString());
  for (const std::string &message : encodeDeviceConfigurations(op))
    bytes.addText(nodeDevices, message);
  bool hasParts =
      options.partsOf && !options.partsOf(op.getOperation()).empty();
  if (hasParts) {
    llvm::Expected<NodeTexts> texts = textsOf(op.getOperation(), *span);
    if (!texts)
      return texts.takeError();
    bytes.add(texts->fields());
  }
  unsigned nextGraph = 0;
  WireCursor cursor(reader, (*span)->contents(), {"node"});
  WireField field;
  while (cursor.next(field)) {
    bool isText = field.isMessage(nodeDoc) || field.isMessage(nodeMetadata);
    if (field.isMessage(nodeInput) || field.isMessage(nodeOutput) ||
        field.isMessage(nodeName) || field.isMessage(nodeDevices) ||
        (hasParts && isText))
      continue;
    if (!field.isMessage(nodeAttribute))
      stripper.copy(wire::Node, field, bytes);
    else if (llvm::Error error = writeAttribute(op, source, field.span(*span),
                                                nextGraph, bytes))
      return error;
  }
  return reader.takeError();
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

llvm::Error NodeWriter::addConstant(OnnxConstantOp constant, bool asInitializer,
                                    MessageBytes &graph) {
  std::string name = constant.getOutput().get().str();
  onnx::TensorProto tensor;
  if (name.empty() || !toTensorProto(constant.getValue(), tensor,
                                     std::numeric_limits<int32_t>::max()))
    return wrong().says(": a constant has no value or no name");
  if (asInitializer) {
    tensor.set_name(name);
    graph.addText(graphInitializer, tensor.SerializeAsString());
    return llvm::Error::success();
  }
  onnx::NodeProto node;
  node.set_op_type("Constant");
  node.add_output(name);
  onnx::AttributeProto &attribute = *node.add_attribute();
  attribute.set_name("value");
  attribute.set_type(onnx::AttributeProto::TENSOR);
  *attribute.mutable_t() = std::move(tensor);
  graph.addText(graphNode, node.SerializeAsString());
  return llvm::Error::success();
}

/// Types are optional in bodies.
llvm::Error NodeWriter::addValue(Value value, uint32_t field,
                                 MessageBytes &graph) {
  onnx::ValueInfoProto info;
  StringRef name = valueName(value);
  if (name.empty())
    return wrong().says(": a value of a body has no name");
  info.set_name(name.str());
  if (onnx::TypeProto type; toTypeProto(value.getType(), type))
    *info.mutable_type() = std::move(type);
  if (field == graphOutput && options.editType)
    options.editType(value, TypePlace::BodyOutput, info);
  graph.addText(field, info.SerializeAsString());
  return llvm::Error::success();
}

/// Adds the types of what an operator of a body gives.
void NodeWriter::addTypes(Operator op, MessageBytes &graph) {
  if (!options.editType || !options.writesNewTypes)
    return;
  for (Value result : op->getResults()) {
    if (llvm::is_contained(op->getBlock()->back().getOperands(), result) ||
        valueName(result).empty())
      continue;
    onnx::ValueInfoProto info;
    info.set_name(valueName(result).str());
    if (options.editType(result, TypePlace::New, info) == TypeEdit::Write)
      graph.addText(graphValueInfo, info.SerializeAsString());
  }
}

/// Annotations of the results of an operator of a body.
void NodeWriter::addAnnotations(Operator op, MessageBytes &graph) {
  for (Value result : op->getResults())
    if (StringRef message = quantizationOf(result); !message.empty())
      graph.addText(graphAnnotation,
                    withTensorName(message, valueName(result)));
}

/// Initializers would be inputs of the body before IR version 4.
llvm::Error NodeWriter::writeNodes(Region &body, bool isCustom,
                                   MessageBytes &graph) {
  bool asInitializers =
      index.irVersion.value_or(0) >= 4 &&
      options.cleaning.constants != ConstantForm::Nodes &&
      (isCustom || options.cleaning.constants == ConstantForm::Initializers);
  for (Operation &op : body.front()) {
    Operator node = Operator::from(&op);
    if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
      if (llvm::Error error = addConstant(constant, asInitializers, graph))
        return error;
    } else if (node) { // what is absent has no name
      MessageBytes bytes;
      if (llvm::Error error = write(node, bytes))
        return error;
      graph.addMessage(graphNode, std::move(bytes));
      addTypes(node, graph);
      addAnnotations(node, graph);
    }
  }
  return llvm::Error::success();
}

llvm::Error NodeWriter::writeValues(Region &body, MessageBytes &graph) {
  for (Value argument : body.getArguments())
    if (llvm::Error error = addValue(argument, graphInput, graph))
      return error;
  for (Value output : body.front().back().getOperands())
    if (llvm::Error error = addValue(output, graphOutput, graph))
      return error;
  return llvm::Error::success();
}

llvm::Error NodeWriter::write(Operator op, MessageBytes &node) {
  const NodeSource *source =
      options.sourceOf ? options.sourceOf(op.getOperation()) : nullptr;
  return source ? writeCopy(op, *source, node) : writeNew(op, node);
}

llvm::Expected<std::vector<Content>>
NodeWriter::encode(Operator op, uint32_t field, StringRef texts) {
  subject = ModelFault()
                .file(index.file()->name())
                .says("new")
                .node(nodeLabel(op), op.opType());
  MessageBytes node, whole;
  if (llvm::Error error = write(op, node))
    return error;
  node.add(texts.str());
  whole.addMessage(field, std::move(node));
  return whole.take();
}
