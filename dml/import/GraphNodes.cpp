//===- GraphNodes.cpp - Nodes of an ONNX graph that grows -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/GraphNodes.h"

using namespace onnxfold::dml;
using llvm::ArrayRef;
using llvm::StringRef;

StoredNode &NodeMemory::add(StringRef op, ArrayRef<std::string> inputs,
                            size_t outputs, size_t attributes) {
  auto &made = *new (memory.Allocate<StoredNode>()) StoredNode;
  made.op = save(op);
  made.inputs = list<StringRef>(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i)
    made.inputs[i] = save(inputs[i]);
  made.outputs = list<StringRef>(outputs);
  made.attributes = list<StoredAttribute>(attributes);
  return made;
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

namespace {

/// Fields in the order of their numbers, as protobuf writes them.
class WireFields {
public:
  void addNumber(uint32_t field, uint64_t value) {
    addVarint(field << 3);
    addVarint(value);
  }
  void addText(uint32_t field, StringRef text) {
    addVarint(field << 3 | 2);
    addVarint(text.size());
    bytes.append(text.begin(), text.end());
  }
  void addFields(StringRef fields) {
    bytes.append(fields.begin(), fields.end());
  }
  StringRef text() const { return {bytes.data(), bytes.size()}; }
  void clear() { bytes.clear(); }

private:
  void addVarint(uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes.push_back(char(value | 0x80));
    bytes.push_back(char(value));
  }

  llvm::SmallVector<char, 256> bytes;
};

} // namespace

static std::string bytesOf(const GraphBody &body) {
  using Graph = onnx::GraphProto;
  WireFields fields;
  fields.addFields(nodeFields(body.nodes));
  fields.addText(Graph::kNameFieldNumber, body.name);
  for (const onnx::ValueInfoProto &one : body.inputs)
    fields.addText(Graph::kInputFieldNumber, one.SerializeAsString());
  for (const onnx::ValueInfoProto &one : body.outputs)
    fields.addText(Graph::kOutputFieldNumber, one.SerializeAsString());
  return fields.text().str();
}

static void addAttribute(WireFields &node, const StoredAttribute &attribute) {
  using Attribute = onnx::AttributeProto;
  WireFields fields;
  fields.addText(Attribute::kNameFieldNumber, attribute.name);
  switch (attribute.type) {
  case Attribute::GRAPH:
    fields.addText(Attribute::kGFieldNumber, bytesOf(*attribute.body));
    break;
  case Attribute::STRING:
    fields.addText(Attribute::kSFieldNumber, attribute.text);
    break;
  case Attribute::INTS:
    for (int64_t value : attribute.ints)
      fields.addNumber(Attribute::kIntsFieldNumber, value);
    break;
  default:
    fields.addNumber(Attribute::kIFieldNumber, attribute.ints.front());
  }
  fields.addNumber(Attribute::kTypeFieldNumber, attribute.type);
  node.addText(onnx::NodeProto::kAttributeFieldNumber, fields.text());
}

std::string onnxfold::dml::nodeFields(ArrayRef<StoredNode *> nodes) {
  using Node = onnx::NodeProto;
  WireFields all, fields;
  for (const StoredNode *node : nodes) {
    fields.clear();
    for (StringRef input : node->inputs)
      fields.addText(Node::kInputFieldNumber, input);
    for (StringRef output : node->outputs)
      fields.addText(Node::kOutputFieldNumber, output);
    if (!node->name.empty())
      fields.addText(Node::kNameFieldNumber, node->name);
    fields.addText(Node::kOpTypeFieldNumber, node->op);
    for (const StoredAttribute &attribute : node->attributes)
      addAttribute(fields, attribute);
    all.addText(onnx::GraphProto::kNodeFieldNumber, fields.text());
  }
  return all.text().str();
}
