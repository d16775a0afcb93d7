//===- Attributes.cpp - AttributeProto and attributes ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Attributes.h"

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Builders.h"
#include "onnx/defs/schema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace onnxfold;
using onnx::AttributeProto;
using onnx::TensorProto;

//===----------------------------------------------------------------------===//
// From AttributeProto
//===----------------------------------------------------------------------===//

/// Lists above this size are held as tensors, because attribute dictionaries
/// live as long as the context.
static constexpr int maxListBytes = 1024;

/// The kind of an attribute whose type field is not set (IR version 1).
static AttributeProto::AttributeType kindOf(const AttributeProto &proto) {
  if (proto.has_type() && proto.type() != AttributeProto::UNDEFINED)
    return proto.type();
  if (proto.has_f())
    return AttributeProto::FLOAT;
  if (proto.has_i())
    return AttributeProto::INT;
  if (proto.has_s())
    return AttributeProto::STRING;
  if (proto.has_t())
    return AttributeProto::TENSOR;
  if (proto.has_tp())
    return AttributeProto::TYPE_PROTO;
  if (proto.has_sparse_tensor())
    return AttributeProto::SPARSE_TENSOR;
  if (proto.ints_size())
    return AttributeProto::INTS;
  if (proto.floats_size())
    return AttributeProto::FLOATS;
  if (proto.strings_size())
    return AttributeProto::STRINGS;
  return AttributeProto::UNDEFINED;
}

static llvm::Error attributeError(const AttributeProto &proto,
                                  const llvm::Twine &text) {
  return llvm::createStringError("attribute '" + proto.name() + "' " + text);
}

static llvm::Expected<Attribute> fromInts(const AttributeProto &proto,
                                          MLIRContext *context,
                                          MakeTensor makeTensor) {
  ArrayRef<int64_t> values(proto.ints().data(), proto.ints_size());
  if (proto.ints_size() * int(sizeof(int64_t)) <= maxListBytes)
    return DenseI64ArrayAttr::get(context, values);
  TensorProto tensor;
  tensor.set_data_type(TensorProto::INT64);
  tensor.add_dims(values.size());
  *tensor.mutable_int64_data() = proto.ints();
  return makeTensor(tensor);
}

static llvm::Expected<Attribute> fromFloats(const AttributeProto &proto,
                                            MLIRContext *context,
                                            MakeTensor makeTensor) {
  ArrayRef<float> values(proto.floats().data(), proto.floats_size());
  if (proto.floats_size() * int(sizeof(float)) <= maxListBytes)
    return DenseF32ArrayAttr::get(context, values);
  TensorProto tensor;
  tensor.set_data_type(TensorProto::FLOAT);
  tensor.add_dims(values.size());
  *tensor.mutable_float_data() = proto.floats();
  return makeTensor(tensor);
}

llvm::Expected<Attribute>
onnxfold::fromAttributeProto(const AttributeProto &proto, MLIRContext *context,
                             MakeTensor makeTensor) {
  Builder builder(context);
  AttributeProto::AttributeType kind = kindOf(proto);
  if (!proto.ref_attr_name().empty())
    return OnnxRefAttr::get(context, proto.ref_attr_name(), kind);
  switch (kind) {
  case AttributeProto::INT:
    return builder.getI64IntegerAttr(proto.i());
  case AttributeProto::FLOAT:
    return builder.getF32FloatAttr(proto.f());
  case AttributeProto::STRING:
    return builder.getStringAttr(proto.s());
  case AttributeProto::TENSOR:
    return makeTensor(proto.t());
  case AttributeProto::TYPE_PROTO:
    return TypeAttr::get(fromTypeProto(proto.tp(), context));
  case AttributeProto::INTS:
    return fromInts(proto, context, makeTensor);
  case AttributeProto::FLOATS:
    return fromFloats(proto, context, makeTensor);
  case AttributeProto::STRINGS:
    return builder.getStrArrayAttr(
        SmallVector<StringRef>(proto.strings().begin(), proto.strings().end()));
  case AttributeProto::GRAPH:
  case AttributeProto::GRAPHS:
    return attributeError(proto, "is a graph, expected a value");
  case AttributeProto::UNDEFINED:
    return attributeError(proto, "has no type and no value");
  default:
    return OnnxRawAttr::get(context, kind, proto.SerializeAsString());
  }
}

//===----------------------------------------------------------------------===//
// To TensorProto
//===----------------------------------------------------------------------===//

/// Appends `bits` (1 to 64 of them) of each value as ONNX stores them: little
/// endian; values narrower than a byte without gaps, from the least significant
/// bits up.
namespace {
class RawData {
public:
  RawData(std::string &bytes, unsigned bits) : bytes(bytes), bits(bits) {}

  void append(uint64_t value) {
    for (unsigned done = 0; done < bits;) {
      if (filled == 0)
        bytes.push_back(0);
      unsigned count = std::min(bits - done, 8 - filled);
      uint64_t part = (value >> done) & ((uint64_t(1) << count) - 1);
      bytes.back() |= char(part << filled);
      filled = (filled + count) % 8;
      done += count;
    }
  }

private:
  std::string &bytes;
  unsigned bits;
  unsigned filled = 0; ///< bits of the last byte that are in use
};
} // namespace

/// Bits of one number in raw_data; a bool has a byte.
static unsigned storageBits(Type elementType) {
  unsigned bits = elementType.getIntOrFloatBitWidth();
  return bits == 1 ? 8 : bits;
}

static bool appendNumbers(ElementsAttr value, std::string &bytes) {
  Type elementType = value.getElementType();
  if (auto complex = dyn_cast<ComplexType>(elementType)) {
    auto values = value.tryGetValues<std::complex<APFloat>>();
    if (!values)
      return false;
    RawData data(bytes, storageBits(complex.getElementType()));
    for (const std::complex<APFloat> &number : *values) {
      data.append(number.real().bitcastToAPInt().getZExtValue());
      data.append(number.imag().bitcastToAPInt().getZExtValue());
    }
    return true;
  }
  RawData data(bytes, storageBits(elementType));
  if (isa<FloatType>(elementType)) {
    auto values = value.tryGetValues<APFloat>();
    if (!values)
      return false;
    for (const APFloat &number : *values)
      data.append(number.bitcastToAPInt().getZExtValue());
    return true;
  }
  auto values = value.tryGetValues<APInt>();
  if (!values)
    return false;
  for (const APInt &number : *values)
    data.append(number.getZExtValue());
  return true;
}

static bool appendStrings(ElementsAttr value, TensorProto &proto) {
  auto values = value.tryGetValues<StringRef>();
  if (!values)
    return false;
  for (StringRef string : *values)
    proto.add_string_data(string.str());
  return true;
}

bool onnxfold::toTensorProto(ElementsAttr value, TensorProto &proto,
                             size_t maxBytes) {
  proto.Clear();
  Type elementType = value.getElementType();
  int32_t number = onnxElementType(elementType);
  if (!number)
    return false;
  proto.set_data_type(number);
  for (int64_t size : value.getShapedType().getShape())
    proto.add_dims(size);
  size_t count = value.getNumElements();
  // A string counts as 8 bytes here: the limit keeps large lists out.
  size_t elementBytes = number == TensorProto::STRING       ? 8
                        : number == TensorProto::COMPLEX128 ? 16
                        : number == TensorProto::COMPLEX64
                            ? 8
                            : (storageBits(elementType) + 7) / 8;
  if (count > maxBytes / elementBytes)
    return true;
  if (number == TensorProto::STRING)
    return appendStrings(value, proto);
  return appendNumbers(value, *proto.mutable_raw_data());
}

//===----------------------------------------------------------------------===//
// To AttributeProto
//===----------------------------------------------------------------------===//

/// INTS, FLOATS and STRINGS that are held as a tensor.
static bool fillList(ElementsAttr value, AttributeProto &proto) {
  if (proto.type() == AttributeProto::STRINGS) {
    auto values = value.tryGetValues<StringRef>();
    if (!values)
      return false;
    for (StringRef text : *values)
      proto.add_strings(text.str());
    return true;
  }
  if (proto.type() == AttributeProto::INTS) {
    auto values = value.tryGetValues<int64_t>();
    if (!values)
      return false;
    proto.mutable_ints()->Add(values->begin(), values->end());
    return true;
  }
  auto values = value.tryGetValues<float>();
  if (!values)
    return false;
  proto.mutable_floats()->Add(values->begin(), values->end());
  return true;
}

static bool fillElements(ElementsAttr value, int32_t kind,
                         AttributeProto &proto, size_t maxBytes) {
  if (kind == AttributeProto::INTS || kind == AttributeProto::FLOATS ||
      kind == AttributeProto::STRINGS) {
    // A splat costs nothing where it is written, and its list may not fit memory.
    constexpr int64_t mostOfSplat = int64_t(1) << 24;
    if (value.isSplat() && value.getNumElements() > mostOfSplat)
      return false;
    proto.set_type(AttributeProto::AttributeType(kind));
    return fillList(value, proto);
  }
  proto.set_type(AttributeProto::TENSOR);
  return toTensorProto(value, *proto.mutable_t(), maxBytes);
}

static bool fillStrings(ArrayAttr value, AttributeProto &proto) {
  proto.set_type(AttributeProto::STRINGS);
  for (Attribute element : value) {
    auto string = dyn_cast<StringAttr>(element);
    if (!string)
      return false;
    proto.add_strings(string.str());
  }
  return true;
}

int32_t onnxfold::schemaKind(Operator op, StringRef attribute) {
  const onnx::OpSchema *schema = op.schema();
  if (!schema)
    return AttributeProto::UNDEFINED;
  auto known = schema->attributes().find(attribute.str());
  return known == schema->attributes().end() ? AttributeProto::UNDEFINED
                                             : known->second.type;
}

bool onnxfold::toAttributeProto(NamedAttribute attribute, int32_t kind,
                                AttributeProto &proto, size_t maxTensorBytes) {
  proto.Clear();
  Attribute value = attribute.getValue();
  if (auto raw = dyn_cast<OnnxRawAttr>(value)) {
    bool parses =
        proto.ParseFromArray(raw.getBytes().data(), raw.getBytes().size());
    proto.set_name(attribute.getName().str()); // a call may give it as another
    return parses;
  }
  proto.set_name(attribute.getName().str());
  if (auto reference = dyn_cast<OnnxRefAttr>(value)) {
    proto.set_ref_attr_name(reference.getName().str());
    if (AttributeProto::AttributeType_IsValid(reference.getKind()))
      proto.set_type(AttributeProto::AttributeType(reference.getKind()));
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    if (!integer.getType().isSignlessInteger(64))
      return false;
    proto.set_type(AttributeProto::INT);
    proto.set_i(integer.getInt());
  } else if (auto number = dyn_cast<FloatAttr>(value)) {
    if (!number.getType().isF32())
      return false;
    proto.set_type(AttributeProto::FLOAT);
    proto.set_f(number.getValue().convertToFloat());
  } else if (auto string = dyn_cast<StringAttr>(value)) {
    proto.set_type(AttributeProto::STRING);
    proto.set_s(string.str());
  } else if (auto ints = dyn_cast<DenseI64ArrayAttr>(value)) {
    proto.set_type(AttributeProto::INTS);
    ArrayRef<int64_t> values = ints.asArrayRef();
    proto.mutable_ints()->Add(values.begin(), values.end());
  } else if (auto floats = dyn_cast<DenseF32ArrayAttr>(value)) {
    proto.set_type(AttributeProto::FLOATS);
    ArrayRef<float> values = floats.asArrayRef();
    proto.mutable_floats()->Add(values.begin(), values.end());
  } else if (auto type = dyn_cast<TypeAttr>(value)) {
    proto.set_type(AttributeProto::TYPE_PROTO);
    return toTypeProto(type.getValue(), *proto.mutable_tp());
  } else if (auto elements = dyn_cast<ElementsAttr>(value)) {
    return fillElements(elements, kind, proto, maxTensorBytes);
  } else if (auto strings = dyn_cast<ArrayAttr>(value)) {
    return fillStrings(strings, proto);
  } else {
    return false;
  }
  return true;
}
