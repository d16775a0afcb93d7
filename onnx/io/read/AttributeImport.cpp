//===- AttributeImport.cpp - Attributes of nodes as MLIR's ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/AttributeImport.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;

/// Lists above this size are tensors: attribute arrays never die.
static constexpr size_t mostListBytes = 1024;

/// Field numbers of SparseTensorProto.
static constexpr uint32_t sparseValues = 1, sparseIndices = 2, sparseDims = 3;

ElementsAttr onnxfold::tensorAttribute(const Elements &elements,
                                       MLIRContext *context) {
  return toAttribute(
      elements,
      RankedTensorType::get(elements.shape(),
                            elementTypeOf(int32_t(elements.type()), context)));
}

/// The bytes of the whole attribute; a reference to them if they are many.
static Attribute rawAttribute(const AttributeSource &source,
                              const AttributeFields &attribute) {
  ByteRange range = attribute.span->contents();
  std::string bytes;
  if (range.size() <= maxDecodedSize) {
    bytes.resize(range.size());
    source.reader.read(range, bytes);
  } else {
    bytes = (source.reader.file().name() + "@" + Twine(range.begin) + ":" +
             Twine(range.end))
                .str();
  }
  return OnnxRawAttr::get(source.context, int32_t(attribute.kind), bytes);
}

/// Lists that were too long to be decoded with the node.
static Elements readLongInts(const AttributeSource &source,
                             const AttributeFields &attribute) {
  std::vector<int64_t> values;
  readVarints(source.reader, attribute.ranges, /*number=*/8,
              [&](uint64_t v) { values.push_back(int64_t(v)); });
  return Elements::fromValues<int64_t>({int64_t(values.size())},
                                       ArrayRef<int64_t>(values));
}

static Elements readLongFloats(const AttributeSource &source,
                               const AttributeFields &attribute) {
  std::string bytes;
  readFixed(source.reader, attribute.ranges, /*number=*/7, 4,
            [&](StringRef block) { bytes += block; });
  int64_t count = bytes.size() / 4;
  return Elements::build<float>({count}, [&](MutableArrayRef<float> out) {
    std::memcpy(out.data(), bytes.data(), count * 4);
  });
}

static Elements readLongStrings(const AttributeSource &source,
                                const AttributeFields &attribute) {
  llvm::BumpPtrAllocator arena;
  SmallVector<StringRef, 0> strings;
  readTexts(source.reader, attribute.ranges, arena,
            [&](StringRef text) { strings.push_back(text); });
  return Elements::fromStrings({int64_t(strings.size())}, strings);
}

template <class T> static Elements listElements(ArrayRef<T> values) {
  return Elements::fromValues<T>({int64_t(values.size())}, values);
}

static ModelFault describe(const AttributeSource &source,
                           const AttributeFields &attribute) {
  return source.subject.fault().attribute(attribute.name);
}

static llvm::Expected<Elements>
loadAttribute(const AttributeSource &source, const AttributeFields &attribute) {
  auto subject = [&] { return describe(source, attribute); };
  return loadTensor(source.reader, attribute.tensors[0], source.external,
                    Subject(subject));
}

static llvm::Expected<Attribute>
importTensor(const AttributeSource &source, const AttributeFields &attribute) {
  if (attribute.tensors[0].tolerable)
    return rawAttribute(source, attribute);
  llvm::Expected<Elements> elements = loadAttribute(source, attribute);
  if (!elements)
    return elements.takeError();
  return tensorAttribute(*elements, source.context);
}

static llvm::Expected<Attribute> importType(const AttributeSource &source,
                                            const AttributeFields &attribute) {
  std::string bytes;
  for (ByteRange range : attribute.ranges) {
    size_t at = bytes.size();
    bytes.resize(at + range.size());
    source.reader.read(range, MutableArrayRef<char>(bytes).drop_front(at));
  }
  onnx::TypeProto proto;
  if (!proto.ParseFromString(bytes))
    return rawAttribute(source, attribute);
  return TypeAttr::get(fromTypeProto(proto, source.context));
}

llvm::Expected<Attribute>
onnxfold::importAttribute(const AttributeSource &source,
                          const AttributeFields &attribute) {
  Builder builder(source.context);
  if (!attribute.refAttrName.empty())
    return OnnxRefAttr::get(source.context, attribute.refAttrName,
                            int32_t(attribute.kind));
  if (attribute.problem)
    return rawAttribute(source, attribute);
  switch (attribute.kind) {
  case AttributeKind::Float:
    return builder.getF32FloatAttr(attribute.f);
  case AttributeKind::Int:
    return builder.getI64IntegerAttr(attribute.i);
  case AttributeKind::String:
    if (attribute.decoded)
      return builder.getStringAttr(attribute.s);
    return rawAttribute(source, attribute);
  case AttributeKind::Floats:
    if (!attribute.decoded)
      return tensorAttribute(readLongFloats(source, attribute), source.context);
    if (attribute.floats.size() * sizeof(float) > mostListBytes)
      return tensorAttribute(listElements(attribute.floats), source.context);
    return builder.getDenseF32ArrayAttr(attribute.floats);
  case AttributeKind::Ints:
    if (!attribute.decoded)
      return tensorAttribute(readLongInts(source, attribute), source.context);
    if (attribute.ints.size() * sizeof(int64_t) > mostListBytes)
      return tensorAttribute(listElements(attribute.ints), source.context);
    return builder.getDenseI64ArrayAttr(attribute.ints);
  case AttributeKind::Strings:
    if (attribute.decoded)
      return builder.getStrArrayAttr(attribute.strings);
    return tensorAttribute(readLongStrings(source, attribute), source.context);
  case AttributeKind::Tensor:
    return importTensor(source, attribute);
  case AttributeKind::TypeProto:
    return importType(source, attribute);
  default:
    return rawAttribute(source, attribute);
  }
}

/// sparse_value: a SparseTensorProto, read by its fields.
static llvm::Expected<Elements> importSparse(const AttributeSource &source,
                                             const AttributeFields &attribute) {
  llvm::BumpPtrAllocator arena;
  SmallVector<MessageSpan, 1> values, indices;
  FieldRuns dims;
  for (ByteRange range : attribute.ranges) {
    WireCursor cursor(source.reader, range, {"sparse tensor"});
    WireField field;
    while (cursor.next(field)) {
      if (field.isMessage(sparseValues))
        values.push_back(field.span(attribute.span));
      else if (field.isMessage(sparseIndices))
        indices.push_back(field.span(attribute.span));
      else if (field.number == sparseDims)
        dims.add(field);
    }
  }
  Shape shape;
  readVarints(source.reader, dims.get(), sparseDims,
              [&](uint64_t v) { shape.push_back(int64_t(v)); });
  ModelFault subject = describe(source, attribute);
  auto load = [&](ArrayRef<MessageSpan> parts) {
    return loadTensor(source.reader,
                      readTensor(source.reader, parts, arena, {"tensor"}),
                      source.external, subject);
  };
  llvm::Expected<Elements> valueElements = load(values);
  if (!valueElements)
    return valueElements.takeError();
  llvm::Expected<Elements> indexElements = load(indices);
  if (!indexElements)
    return indexElements.takeError();
  auto place = [&] {
    return ModelFault().file(source.reader.file().name()).append(subject);
  };
  return densify(*valueElements, *indexElements, shape, Subject(place));
}

llvm::Expected<Elements> onnxfold::importConstant(const AttributeSource &source,
                                                  const NodeFields &node) {
  for (const AttributeFields &attribute : node.attributes) {
    if (!attribute.refAttrName.empty() || attribute.problem)
      continue;
    StringRef name = attribute.name;
    AttributeKind kind = attribute.kind;
    if (name == "value" && kind == AttributeKind::Tensor)
      return loadAttribute(source, attribute);
    if (name == "sparse_value" && kind == AttributeKind::SparseTensor)
      return importSparse(source, attribute);
    if (name == "value_int" && kind == AttributeKind::Int)
      return Elements::fromValues<int64_t>({}, {attribute.i});
    if (name == "value_float" && kind == AttributeKind::Float)
      return Elements::fromValues<float>({}, {attribute.f});
    if (name == "value_string" && kind == AttributeKind::String &&
        attribute.decoded)
      return Elements::fromStrings({}, {attribute.s});
    if (name == "value_ints" && kind == AttributeKind::Ints)
      return attribute.decoded ? listElements(attribute.ints)
                               : readLongInts(source, attribute);
    if (name == "value_floats" && kind == AttributeKind::Floats)
      return attribute.decoded ? listElements(attribute.floats)
                               : readLongFloats(source, attribute);
    if (name == "value_strings" && kind == AttributeKind::Strings &&
        attribute.decoded)
      return Elements::fromStrings({int64_t(attribute.strings.size())},
                                   attribute.strings);
  }
  return Elements();
}
