//===- NodeReader.cpp - The fields of one node, read on demand ------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/NodeReader.h"

#include "onnxfold/onnx/io/files/IoError.h"

#include "llvm/ADT/bit.h"

#include <cstring>

using namespace llvm;

namespace onnxfold {

namespace {

/// How one value field of AttributeProto is stored.
struct ValueField {
  uint32_t number;
  const char *name;
  WireType type; ///< of one value
  bool packable; ///< may also be a packed list
};

/// The field that each kind's value is in; index = AttributeKind.
constexpr ValueField valueFields[] = {
    {0, "", WireType::Varint, false},
    {2, "f", WireType::Fixed32, false},
    {3, "i", WireType::Varint, false},
    {4, "s", WireType::Length, false},
    {5, "t", WireType::Length, false},
    {6, "g", WireType::Length, false},
    {7, "floats", WireType::Fixed32, true},
    {8, "ints", WireType::Varint, true},
    {9, "strings", WireType::Length, false},
    {10, "tensors", WireType::Length, false},
    {11, "graphs", WireType::Length, false},
    {22, "sparse_tensor", WireType::Length, false},
    {23, "sparse_tensors", WireType::Length, false},
    {14, "tp", WireType::Length, false},
    {15, "type_protos", WireType::Length, false},
};
constexpr unsigned kindCount = std::size(valueFields);

/// The first version of the file format in which attributes must state a type.
constexpr int64_t attributesHaveTypes = 2;

/// The kind whose value this field is, or Undefined.
AttributeKind kindOf(const WireField &field) {
  for (unsigned kind = 1; kind < kindCount; ++kind) {
    const ValueField &value = valueFields[kind];
    if (value.number == field.number &&
        (value.type == field.type ||
         (value.packable && field.type == WireType::Length)))
      return AttributeKind(kind);
  }
  return AttributeKind::Undefined;
}

/// Whether the last of several values of an attribute of this kind wins.
bool isScalar(AttributeKind kind) {
  return kind == AttributeKind::Float || kind == AttributeKind::Int ||
         kind == AttributeKind::String;
}

/// Collects the value fields of one attribute, then decodes those of its kind.
class AttributeWalk {
public:
  AttributeWalk(WireReader &reader, const ModelIndex &model,
                BumpPtrAllocator &arena, AttributeFields &attribute)
      : reader(reader), model(model), arena(arena), attribute(attribute) {}

  void walk(const MessageSpan &span);

private:
  void chooseKind();
  void decode();
  void decodeList(ArrayRef<ByteRange> runs);
  void decodeTensors();
  void findGraphs();
  void setProblem(const Twine &found, const Twine &expected = "",
                  StringRef words = "has");

  WireReader &reader;
  const ModelIndex &model;
  BumpPtrAllocator &arena;
  AttributeFields &attribute;
  /// Occurrences of value fields in file order, by kind.
  struct Occurrence {
    AttributeKind kind;
    WireField field;
  };
  SmallVector<Occurrence, 4> values;
  /// Long lists of unpacked numbers are only counted as runs.
  FieldRuns runs[kindCount];
  uint32_t seen = 0; ///< bit per kind
};

} // namespace

void AttributeWalk::setProblem(const Twine &found, const Twine &expected,
                               StringRef words) {
  attribute.problem = store({words, found.str(), expected.str()}, arena);
}

void AttributeWalk::walk(const MessageSpan &span) {
  attribute = AttributeFields();
  attribute.span = &span;
  WireCursor cursor(reader, span.contents(), {"attribute"});
  WireField field;
  while (cursor.next(field)) {
    if (field.isMessage(1)) {
      attribute.name = reader.text(field.body(), arena);
    } else if (field.isMessage(21)) {
      attribute.refAttrName = reader.text(field.body(), arena);
    } else if (field.isVarint(20)) {
      // A closed enum: protobuf drops other values.
      if (field.value < kindCount)
        attribute.declaredKind = AttributeKind(field.value);
    } else if (AttributeKind kind = kindOf(field);
               kind != AttributeKind::Undefined) {
      seen |= 1u << unsigned(kind);
      if (kind == AttributeKind::Floats || kind == AttributeKind::Ints ||
          kind == AttributeKind::Strings)
        runs[unsigned(kind)].add(field);
      else if (isScalar(kind) && !values.empty() && values.back().kind == kind)
        values.back().field = field;
      else
        values.push_back({kind, field});
    }
  }
  if (reader.failed())
    return;
  attribute.holdsGraphs = seen & (1u << unsigned(AttributeKind::Graph) |
                                  1u << unsigned(AttributeKind::Graphs));
  chooseKind();
  decode();
}

void AttributeWalk::chooseKind() {
  attribute.kind = attribute.declaredKind;
  unsigned count = llvm::popcount(seen);
  if (!attribute.refAttrName.empty()) {
    if (count != 0)
      setProblem("'" + printableName(attribute.refAttrName) +
                     "' and has a value",
                 "one of them", "refers to");
    return;
  }
  if (count == 0) {
    // Nothing set: an empty list, or a scalar that was never written.
    if (attribute.kind == AttributeKind::Undefined)
      setProblem("no value");
    // An attribute that is a message must have one.
    if (attribute.kind == AttributeKind::Tensor ||
        attribute.kind == AttributeKind::Graph ||
        attribute.kind == AttributeKind::SparseTensor)
      setProblem("no value in '" +
                     Twine(valueFields[unsigned(attribute.kind)].name) + "'",
                 "one as its type says");
    return;
  }
  unsigned first = llvm::countr_zero(seen);
  if (count > 1) {
    unsigned second = llvm::countr_zero(seen & (seen - 1));
    return setProblem("values in '" + Twine(valueFields[first].name) +
                          "' and '" + valueFields[second].name + "'",
                      "one of them");
  }
  if (attribute.kind == AttributeKind::Undefined) {
    attribute.kind = AttributeKind(first);
    if (model.irVersion.value_or(0) >= attributesHaveTypes)
      setProblem("no type", "one in 'type'");
  }
  if (unsigned(attribute.kind) != first)
    setProblem("a value in '" + Twine(valueFields[first].name) + "'",
               "'" + Twine(valueFields[unsigned(attribute.kind)].name) +
                   "' as its type says");
}

void AttributeWalk::decodeList(ArrayRef<ByteRange> list) {
  const ValueField &value = valueFields[unsigned(attribute.kind)];
  attribute.ranges = copyList(list, arena);
  uint64_t size = 0;
  for (ByteRange range : list)
    size += range.size();
  attribute.decoded = size <= maxDecodedSize;
  if (!attribute.decoded)
    return;
  if (attribute.kind == AttributeKind::Ints) {
    SmallVector<int64_t, 8> ints;
    readVarints(reader, list, value.number,
                [&](uint64_t number) { ints.push_back(int64_t(number)); });
    attribute.ints = copyList(ArrayRef<int64_t>(ints), arena);
  } else if (attribute.kind == AttributeKind::Floats) {
    SmallVector<float, 8> floats;
    readFixed(reader, list, value.number, sizeof(float), [&](StringRef block) {
      size_t old = floats.size();
      floats.resize(old + block.size() / sizeof(float));
      std::memcpy(floats.data() + old, block.data(), block.size());
    });
    attribute.floats = copyList(ArrayRef<float>(floats), arena);
  } else {
    SmallVector<StringRef, 8> strings;
    readTexts(reader, list, arena,
              [&](StringRef text) { strings.push_back(text); });
    attribute.strings = copyList(ArrayRef<StringRef>(strings), arena);
  }
}

void AttributeWalk::decodeTensors() {
  SmallVector<TensorIndex, 1> tensors;
  SmallVector<MessageSpan, 1> parts;
  for (const Occurrence &value : values) {
    parts.push_back(value.field.span(attribute.span));
    if (attribute.kind == AttributeKind::Tensors) {
      tensors.push_back(readTensor(reader, parts, arena, {"tensor"}));
      parts.clear();
    }
  }
  if (!parts.empty())
    tensors.push_back(readTensor(reader, parts, arena, {"tensor"}));
  attribute.tensors = copyList(ArrayRef<TensorIndex>(tensors), arena);
}

void AttributeWalk::findGraphs() {
  SmallVector<const GraphIndex *, 2> graphs;
  for (const Occurrence &value : values) {
    // Further parts of a singular graph are merged into the first.
    if (attribute.kind == AttributeKind::Graph && !graphs.empty())
      break;
    const GraphIndex *graph = model.graphAt(value.field.bodyBegin);
    if (!graph)
      return reader.fail("graph at byte " + Twine(value.field.begin) +
                         " appeared after the file was indexed");
    graphs.push_back(graph);
  }
  attribute.graphs = copyList(ArrayRef<const GraphIndex *>(graphs), arena);
}

void AttributeWalk::decode() {
  if (attribute.problem || !attribute.refAttrName.empty())
    return;
  switch (attribute.kind) {
  case AttributeKind::Undefined:
    return;
  case AttributeKind::Float: {
    uint32_t bits = values.empty() ? 0 : values.back().field.value;
    attribute.f = llvm::bit_cast<float>(bits);
    return;
  }
  case AttributeKind::Int:
    attribute.i = values.empty() ? 0 : int64_t(values.back().field.value);
    return;
  case AttributeKind::String: {
    if (values.empty())
      return;
    ByteRange range = values.back().field.body();
    attribute.ranges = copyList(ArrayRef<ByteRange>(range), arena);
    attribute.decoded = range.size() <= maxDecodedSize;
    if (attribute.decoded)
      attribute.s = reader.text(range, arena);
    return;
  }
  case AttributeKind::Floats:
  case AttributeKind::Ints:
  case AttributeKind::Strings:
    return decodeList(runs[unsigned(attribute.kind)].get());
  case AttributeKind::Tensor:
  case AttributeKind::Tensors:
    return decodeTensors();
  case AttributeKind::Graph:
  case AttributeKind::Graphs:
    return findGraphs();
  default: {
    SmallVector<ByteRange, 1> contents;
    for (const Occurrence &value : values)
      contents.push_back(value.field.body());
    attribute.ranges = copyList(ArrayRef<ByteRange>(contents), arena);
    return;
  }
  }
}

void readTexts(WireReader &reader, ArrayRef<ByteRange> runs,
               BumpPtrAllocator &arena,
               llvm::function_ref<void(StringRef)> take) {
  for (ByteRange range : runs) {
    WireCursor cursor(reader, range, {"strings"});
    WireField field;
    while (cursor.next(field))
      take(reader.text(field.body(), arena));
  }
}

const AttributeFields *NodeFields::attribute(StringRef wanted) const {
  for (const AttributeFields &attribute : attributes)
    if (attribute.name == wanted)
      return &attribute;
  return nullptr;
}

void NodeFields::clear() {
  span = nullptr;
  inputs.clear();
  outputs.clear();
  name = opType = domain = overload = StringRef();
  attributes.clear();
  configurations.clear();
  arena.Reset();
}

std::vector<std::string> readMessages(WireReader &reader,
                                      ArrayRef<WireField> fields) {
  std::vector<std::string> messages;
  for (const WireField &field : fields) {
    std::string &bytes = messages.emplace_back(field.body().size(), '\0');
    reader.read(field.body(), bytes);
  }
  return messages;
}

Error readAttribute(WireReader &reader, const ModelIndex &model,
                    const MessageSpan &span, BumpPtrAllocator &arena,
                    AttributeFields &attribute) {
  AttributeWalk(reader, model, arena, attribute).walk(span);
  return reader.takeError();
}

Error readNode(WireReader &reader, const ModelIndex &model,
               const MessageSpan &span, NodeFields &node) {
  node.clear();
  node.span = &span;
  BumpPtrAllocator &arena = node.arena;
  WireCursor cursor(reader, span.contents(), {"node"});
  WireField field;
  while (cursor.next(field)) {
    if (field.type != WireType::Length)
      continue;
    switch (field.number) {
    case 1:
      node.inputs.push_back({reader.text(field.body(), arena), field.whole()});
      break;
    case 2:
      node.outputs.push_back({reader.text(field.body(), arena), field.whole()});
      break;
    case 3:
      node.name = reader.text(field.body(), arena);
      break;
    case 4:
      node.opType = reader.text(field.body(), arena);
      break;
    case 5: {
      auto *kept = new (arena) MessageSpan(field.span(&span));
      AttributeWalk(reader, model, arena, node.attributes.emplace_back())
          .walk(*kept);
      break;
    }
    case 7:
      node.domain = reader.text(field.body(), arena);
      break;
    case 8:
      node.overload = reader.text(field.body(), arena);
      break;
    case 10:
      node.configurations.push_back(field);
      break;
    }
  }
  return reader.takeError();
}

ModelFault atNode(const NodeFields &node) {
  StringRef name = node.name;
  for (const NameField &output : node.outputs)
    if (name.empty())
      name = output.name;
  return ModelFault().node(name, node.opType);
}

} // namespace onnxfold
