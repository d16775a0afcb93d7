//===- OriginalModel.cpp - The model that is reduced ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/OriginalModel.h"
#include "onnxfold/onnx/driver/reduce/internal/ProtoGraph.h"
#include "onnxfold/onnx/io/files/OutputFile.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/io/read/ForeignFormat.h"
#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "onnxfold/onnx/io/wire/EditScript.h"
#include "llvm/Support/Path.h"

using namespace onnxfold;
using onnx::TensorProto;

/// A model of this size is copied as it is: no candidate needs its file.
static constexpr uint64_t mostCopied = 4 << 20;
/// Tensors of larger models that stay in the message.
static constexpr uint64_t mostInline = 4 << 10;

bool onnxfold::refersToFiles(const onnx::ModelProto &model) {
  bool refers = false;
  walkTensors(const_cast<onnx::ModelProto &>(model), [&](TensorProto &tensor) {
    refers |= tensor.data_location() == TensorProto::EXTERNAL;
  });
  return refers;
}

static void addEntry(TensorProto &tensor, const char *key, std::string value) {
  auto &entry = *tensor.add_external_data();
  entry.set_key(key);
  entry.set_value(std::move(value));
}

/// The initializer as a field of its graph, with a reference to its own bytes.
static std::string referring(const TensorIndex &tensor, ByteRange bytes,
                             llvm::StringRef file) {
  onnx::GraphProto graph;
  TensorProto &result = *graph.add_initializer();
  result.set_name(tensor.name.str());
  result.set_data_type(tensor.dataType);
  for (int64_t size : tensor.dims)
    result.add_dims(size);
  addEntry(result, "location", file.str());
  addEntry(result, "offset", std::to_string(bytes.begin));
  addEntry(result, "length", std::to_string(bytes.size()));
  result.set_data_location(TensorProto::EXTERNAL);
  return graph.SerializeAsString();
}

/// The bytes of the file without its large initializers.
static llvm::Expected<std::string> slimBytes(const ModelIndex &index,
                                             llvm::StringRef name) {
  EditScript script(index.file());
  WireReader reader(index.file());
  for (const GraphIndex &graph : index.graphs)
    for (const TensorIndex &tensor : graph.initializers) {
      std::optional<ByteRange> bytes = tensor.directBytes(reader);
      if (tensor.problem || !bytes || bytes->size() <= mostInline)
        continue;
      script.insertBefore(tensor.span,
                          Content::literal(referring(tensor, *bytes, name)));
      script.erase(tensor.span);
    }
  auto output = OutputFile::createInMemory("<memory>");
  if (!output)
    return output.takeError();
  if (llvm::Error error = script.write(**output))
    return error;
  llvm::Expected<InputFileRef> file = (*output)->read();
  if (!file)
    return file.takeError();
  std::string result((*file)->size(), '\0');
  if (llvm::Error error = (*file)->read(0, {result.data(), result.size()}))
    return error;
  return result;
}

llvm::Expected<OriginalModel> onnxfold::readOriginal(llvm::StringRef path) {
  llvm::Expected<InputFileRef> file = InputFile::open(path);
  if (!file)
    return file.takeError();
  OriginalModel result;
  result.bytes = (*file)->size();
  result.folder = folderOfModel(path);
  llvm::Expected<std::optional<TextModel>> text = readTextModel(**file);
  if (!text)
    return text.takeError();
  std::string bytes;
  InputFileRef source = *text ? (*text)->binary : *file;
  if (*text || source->size() <= mostCopied) {
    bytes.resize(source->size());
    if (llvm::Error error = source->read(0, {bytes.data(), bytes.size()}))
      return error;
  } else {
    auto index = ModelIndex::build(source);
    if (!index)
      return index.takeError();
    if (llvm::Error error =
            slimBytes(**index, llvm::sys::path::filename(path)).moveInto(bytes))
      return error;
  }
  if (!result.model.ParseFromString(bytes) || !result.model.has_graph())
    return ModelFault()
        .file(path)
        .is("no ONNX model")
        .expected("one that protobuf can read");
  result.refers = refersToFiles(result.model);
  return result;
}
