//===- TensorFile.cpp - Values in files of their own ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/TensorFile.h"
#include "onnxfold/onnx/io/files/IoError.h"
#include "onnxfold/onnx/io/read/TensorElements.h"
#include "onnx/onnx-data.pb.h"

using namespace onnxfold;
using llvm::StringRef;

llvm::Expected<NamedTensor> onnxfold::parseTensor(StringRef bytes,
                                                  StringRef file) {
  auto input = InputFile::ofBytes(bytes, file);
  if (!input)
    return input.takeError();
  WireReader reader(*input);
  llvm::BumpPtrAllocator arena;
  MessageSpan span;
  span.end = bytes.size();
  TensorIndex tensor = readTensor(reader, span, arena, {"tensor"});
  if (llvm::Error error = reader.takeError())
    return error;
  ExternalData external(folderOfModel(file));
  llvm::Expected<Elements> value =
      loadTensor(reader, tensor, external, "tensor");
  if (!value)
    return value.takeError();
  return NamedTensor{tensor.name.str(), value->materialize()};
}

static llvm::Expected<std::string> bytesOfFile(StringRef file) {
  llvm::Expected<InputFileRef> opened = InputFile::open(file);
  if (!opened)
    return opened.takeError();
  std::string bytes((*opened)->size(), '\0');
  if (llvm::Error error = (*opened)->read(0, {bytes.data(), bytes.size()}))
    return error;
  return bytes;
}

llvm::Expected<NamedTensor> onnxfold::readTensorFile(StringRef file) {
  auto bytes = bytesOfFile(file);
  if (!bytes)
    return bytes.takeError();
  return parseTensor(*bytes, file);
}

llvm::Expected<std::vector<Elements>>
onnxfold::readSequenceFile(StringRef file) {
  auto bytes = bytesOfFile(file);
  if (!bytes)
    return bytes.takeError();
  onnx::SequenceProto list;
  if (!list.ParseFromString(*bytes))
    return ModelFault().file(file).says("it is no " +
                                        StringRef(list.GetTypeName()));
  std::vector<Elements> elements;
  for (const onnx::TensorProto &tensor : list.tensor_values()) {
    llvm::Expected<NamedTensor> element =
        parseTensor(tensor.SerializeAsString(), file);
    if (!element)
      return element.takeError();
    elements.push_back(element->value);
  }
  return elements;
}
