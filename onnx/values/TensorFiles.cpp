//===- TensorFiles.cpp - Values in files ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/values/TensorFiles.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/elements/npy/WholeFile.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnxfold/onnx/io/read/TensorFile.h"
#include "onnx/onnx-data.pb.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include <complex>
#include <cstring>

using namespace onnxfold;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static llvm::Expected<FoldedValue> tensorsOf(const onnx::SequenceProto &list,
                                             StringRef file) {
  std::vector<Elements> elements;
  for (const onnx::TensorProto &tensor : list.tensor_values()) {
    auto element = parseTensor(tensor.SerializeAsString(), file);
    if (!element)
      return element.takeError();
    elements.push_back(element->value);
  }
  return FoldedValue(makeSequence(elements));
}

static llvm::Expected<FoldedValue> tensorOf(StringRef bytes, StringRef file) {
  auto tensor = parseTensor(bytes, file);
  if (!tensor)
    return tensor.takeError();
  return FoldedValue(tensor->value);
}

/// ONNX's test data had bfloat16 as uint16 of the same bits before 1.19.
static Elements fromBits(const Elements &value, DataType expected) {
  if (value.type() != DataType::UInt16 || expected != DataType::BFloat16)
    return value;
  return ops::mapBlocks(value, expected,
                        [](const void *in, void *out, size_t count) {
                          std::memcpy(out, in, count * sizeof(uint16_t));
                        });
}

/// The content of an OptionalProto.
static llvm::Expected<FoldedValue> contentOf(StringRef file,
                                             const ValueSignature &type) {
  auto buffer = readWholeFile(file);
  if (!buffer)
    return buffer.takeError();
  onnx::OptionalProto optional;
  if (!optional.ParseFromArray((*buffer)->getBufferStart(),
                               (*buffer)->getBufferSize()))
    return makeRunError(file + ": it is no " +
                        StringRef(optional.GetTypeName()));
  if (type.isSequence && optional.has_sequence_value())
    return tensorsOf(optional.sequence_value(), file);
  if (!type.isSequence && optional.has_tensor_value())
    return tensorOf(optional.tensor_value().SerializeAsString(), file);
  if (optional.elem_type() == onnx::OptionalProto::UNDEFINED)
    return FoldedValue::nothing();
  return makeRunError(file + ": it has an optional of elem_type " +
                      llvm::Twine(optional.elem_type()) + ", expected " +
                      type.text());
}

static llvm::Expected<FoldedValue> valueInArchive(StringRef file,
                                                  const ValueSignature &type) {
  auto archive = NpzFile::open(file);
  if (!archive)
    return archive.takeError();
  if (!type.isSequence) {
    auto elements = archive->read(type.name, type.type);
    if (!elements)
      return elements.takeError();
    return FoldedValue(*elements);
  }
  std::vector<Elements> list;
  for (;;) {
    std::string name = type.name + "." + std::to_string(list.size());
    if (!archive->has(name))
      return FoldedValue(makeSequence(list));
    auto elements = archive->read(name, type.type);
    if (!elements)
      return elements.takeError();
    list.push_back(*elements);
  }
}

llvm::Expected<FoldedValue> onnxfold::readValue(StringRef file,
                                                const ValueSignature &type) {
  if (file.ends_with(".npy")) {
    auto elements = readNpy(file, type.type);
    if (!elements)
      return elements.takeError();
    return FoldedValue(*elements);
  }
  if (file.ends_with(".npz"))
    return valueInArchive(file, type);
  if (type.isOptional)
    return contentOf(file, type);
  if (type.isSequence) {
    auto list = readSequenceFile(file);
    if (!list)
      return list.takeError();
    return FoldedValue(Sequence(std::make_shared<const TensorList>(*list)));
  }
  auto tensor = readTensorFile(file);
  if (!tensor)
    return tensor.takeError();
  return FoldedValue(fromBits(tensor->value, type.type));
}

llvm::Expected<std::vector<FoldedValue>>
onnxfold::readTestData(StringRef folder, StringRef prefix,
                       llvm::ArrayRef<ValueSignature> types) {
  std::vector<FoldedValue> values;
  for (auto [i, type] : llvm::enumerate(types)) {
    llvm::SmallString<128> file(folder);
    llvm::sys::path::append(file, prefix + "_" + llvm::Twine(i) + ".pb");
    auto value = readValue(file, type);
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  return values;
}

static llvm::Error fill(onnx::TensorProto &proto, const Elements &elements,
                        const ValueSignature &type) {
  proto.set_data_type(type.onnxType);
  for (int64_t size : elements.shape())
    proto.add_dims(size);
  if (elements.type() == DataType::String) {
    for (StringRef text : elements.values<StringRef>())
      proto.add_string_data(text.str());
    return llvm::Error::success();
  }
  struct Sink : PayloadSink {
    std::string bytes;
    llvm::Error write(uint64_t offset, StringRef part) override {
      bytes.replace(offset, part.size(), part.data(), part.size());
      return llvm::Error::success();
    }
  } sink;
  Payload payload = payloadOf(elements);
  sink.bytes.resize(payload.size);
  if (llvm::Error error = payload.write(sink))
    return error;
  proto.set_raw_data(sink.bytes);
  return llvm::Error::success();
}

llvm::Error onnxfold::writeMessage(StringRef file, const FoldedValue &value,
                                   const ValueSignature &type) {
  onnx::SequenceProto list;
  onnx::TensorProto tensor;
  if (value.sequence) {
    list.set_elem_type(onnx::SequenceProto::TENSOR);
    for (const Elements &element : value.sequence->tensors())
      if (llvm::Error error = fill(*list.add_tensor_values(), element, type))
        return error;
  } else if (value.tensor) {
    tensor.set_name(type.name);
    if (llvm::Error error = fill(tensor, value.tensor, type))
      return error;
  }
  std::string bytes =
      value.sequence ? list.SerializeAsString() : tensor.SerializeAsString();
  if (type.isOptional) {
    onnx::OptionalProto optional;
    optional.set_name(type.name);
    optional.set_elem_type(value.sequence ? onnx::OptionalProto::SEQUENCE
                           : value.tensor ? onnx::OptionalProto::TENSOR
                                          : onnx::OptionalProto::UNDEFINED);
    if (value.sequence)
      *optional.mutable_sequence_value() = std::move(list);
    else if (value.tensor)
      *optional.mutable_tensor_value() = std::move(tensor);
    bytes = optional.SerializeAsString();
  }
  return llvm::writeToOutput(file, [&](llvm::raw_ostream &out) {
    out << bytes;
    return llvm::Error::success();
  });
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// (1,-2), as the text of the IR has it.
template <class T>
static void printComplex(llvm::raw_ostream &os, std::complex<T> value,
                         const char *format) {
  os << "(" << llvm::format(format, double(value.real())) << ","
     << llvm::format(format, double(value.imag())) << ")";
}

static void printElement(llvm::raw_ostream &os, const Elements &elements,
                         int64_t index) {
  if (elements.type() == DataType::String) {
    os << '"' << printableText(elements.value<StringRef>(index)) << '"';
    return;
  }
  if (elements.type() == DataType::Complex64)
    return printComplex(os, elements.value<std::complex<float>>(index), "%.9g");
  if (elements.type() == DataType::Complex128)
    return printComplex(os, elements.value<std::complex<double>>(index),
                        "%.17g");
  WideNum number = elements.number(index);
  if (elements.type() == DataType::Bool)
    os << (number.asInt64 ? "true" : "false");
  else if (number.kind == WideKind::Double)
    os << llvm::format(elements.type() == DataType::Float64 ? "%.17g" : "%.9g",
                       number.asDouble);
  else if (number.kind == WideKind::Int64)
    os << number.asInt64;
  else
    os << number.asUInt64;
}

static void printNested(llvm::raw_ostream &os, const Elements &elements,
                        int64_t axis, int64_t &index) {
  if (axis == elements.rank()) {
    printElement(os, elements, index++);
    return;
  }
  os << "[";
  for (int64_t i = 0; i < elements.dim(axis); ++i) {
    os << (i ? ", " : "");
    printNested(os, elements, axis + 1, index);
  }
  os << "]";
}

/// Elements, or, where there are none, the brackets of the sizes before the 0:
/// of f32[2,0] two.
static bool isLong(ShapeRef shape, int64_t limit) {
  std::optional<int64_t> count = checkedNumElements(
      shape.take_while([](int64_t size) { return size != 0; }));
  return !count || *count > limit;
}

static void printTensor(llvm::raw_ostream &os, const Elements &elements,
                        int64_t limit) {
  os << onnxfold::name(elements.type()) << toString(elements.shape());
  if (isLong(elements.shape(), limit))
    return;
  os << " ";
  int64_t index = 0;
  printNested(os, elements.materialize(), 0, index);
}

std::string onnxfold::printedValue(const FoldedValue &value,
                                   const ValueSignature &type, int64_t limit) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << printableName(type.name) << ": ";
  if (value.tensor) {
    printTensor(os, value.tensor, limit);
  } else if (value.sequence) {
    os << "sequence of " << value.sequence->size();
    for (auto [i, element] : llvm::enumerate(value.sequence->tensors())) {
      os << "\n  [" << i << "] ";
      printTensor(os, element, limit);
    }
  } else {
    os << "nothing";
  }
  return text;
}
