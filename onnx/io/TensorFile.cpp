//===- TensorFile.cpp - Values in files of their own ----------------------===//

#include "onnxfold/onnx/io/TensorFile.h"
#include "onnxfold/onnx/io/IoError.h"
#include "onnxfold/onnx/io/TensorElements.h"
#include "onnx/onnx-data.pb.h"
#include "llvm/Support/MemoryBuffer.h"

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

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
bytesOfFile(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeSystemError(file, "cannot be read", buffer.getError().value());
  return std::move(*buffer);
}

llvm::Expected<NamedTensor> onnxfold::readTensorFile(StringRef file) {
  auto bytes = bytesOfFile(file);
  if (!bytes)
    return bytes.takeError();
  return parseTensor((*bytes)->getBuffer(), file);
}

llvm::Expected<std::vector<Elements>>
onnxfold::readSequenceFile(StringRef file) {
  auto bytes = bytesOfFile(file);
  if (!bytes)
    return bytes.takeError();
  onnx::SequenceProto list;
  if (!list.ParseFromArray((*bytes)->getBufferStart(),
                           (*bytes)->getBufferSize()))
    return makeError(file + ": it is no " + StringRef(list.GetTypeName()));
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
