//===- FuzzFiles.cpp - Fuzz targets of files beside the model -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "MemoryFile.h"
#include "onnxfold/elements/npy/NpyFile.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/io/read/ExternalData.h"
#include "onnxfold/onnx/io/read/ForeignFormat.h"
#include "onnxfold/onnx/io/read/ModelIndex.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/ScopeExit.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace onnxfold;
using namespace onnxfold::ops;
namespace fs = std::filesystem;

FuzzOutcome onnxfold::fuzzTextModel(llvm::StringRef bytes) {
  InputFileRef file = cantFail(
      InputFile::ofBytes(bytes, "/onnxfold-no-such-folder/model.onnx"));
  llvm::Expected<std::optional<TextModel>> text = readTextModel(*file);
  if (!text) {
    llvm::consumeError(text.takeError());
    return FuzzOutcome::Refused;
  }
  if (!*text)
    return FuzzOutcome::Refused;
  // Protobuf wrote it, so there is nothing wrong with its wire.
  llvm::Expected<std::unique_ptr<ModelIndex>> index =
      ModelIndex::build((*text)->binary);
  if (!index)
    llvm::consumeError(index.takeError());
  return FuzzOutcome::Read;
}

// ---- external data

namespace {

/// A folder for the whole process, with files inside and beside it.
struct DataFolder {
  fs::path top, folder;

  DataFolder() {
    std::string pattern = (fs::temp_directory_path() / "onnxfold-fuzz-XXXXXX");
    top = ::mkdtemp(pattern.data());
    folder = top / "model";
    fs::create_directories(folder / "sub");
    for (const char *name : {"model/w.bin", "model/sub/w.bin", "secret.bin"})
      std::ofstream(top / name) << std::string(100, 'w');
    fs::create_symlink("../secret.bin", folder / "out.bin");
    fs::create_symlink("sub/w.bin", folder / "in.bin");
    fs::create_directory_symlink("..", folder / "up");
    fs::create_hard_link(top / "secret.bin", folder / "hard.bin");
  }
  ~DataFolder() { fs::remove_all(top); }
};

} // namespace

FuzzOutcome onnxfold::fuzzLocation(llvm::StringRef bytes) {
  static DataFolder data;
  if (bytes.size() < 2)
    return FuzzOutcome::Refused;
  ExternalReference reference;
  reference.offset = static_cast<unsigned char>(bytes[0]);
  if (auto length = static_cast<unsigned char>(bytes[1]); length != 255)
    reference.length = length;
  reference.location = bytes.drop_front(2);
  ExternalData external(data.folder.string());
  llvm::Expected<ExternalRange> found =
      external.resolve(reference, /*byteSize=*/24, "model.onnx: 'w'");
  if (!found) {
    llvm::consumeError(found.takeError());
    return FuzzOutcome::Refused;
  }
  fs::path path = fs::canonical(data.folder / reference.location.str());
  if (path != data.folder / "w.bin" && path != data.folder / "sub/w.bin")
    giveUp(llvm::createStringError(path.string()), "a file that is outside");
  if (found->range.end > 100)
    giveUp(llvm::createStringError("of 100 bytes"), "a range behind the end");
  return FuzzOutcome::Read;
}

// ---- .npy

FuzzOutcome onnxfold::fuzzNpy(llvm::StringRef bytes) {
  MemoryFile file(bytes);
  llvm::Expected<Elements> read = readNpy(file.path(), DataType::BFloat16);
  if (!read) {
    llvm::consumeError(read.takeError());
    return FuzzOutcome::Refused;
  }
  fs::path folder = fs::temp_directory_path();
  std::string path =
      folder / ("onnxfold-fuzz-" + std::to_string(::getpid()) + ".npy");
  llvm::scope_exit remove([&] { fs::remove(path); });
  if (llvm::Error error = writeNpy(path, *read))
    giveUp(std::move(error), "what was read cannot be written");
  llvm::Expected<Elements> again = readNpy(path, read->type());
  if (!again)
    giveUp(again.takeError(), "what was written cannot be read");
  if (contentHash(*read) != contentHash(*again))
    giveUp(llvm::createStringError("its elements"), "what was written differs");
  return FuzzOutcome::Read;
}

// ---- the record of growth

/// y = x + (w + w) + (v + v) with a record that says so much.
static std::string modelWithRecord(llvm::StringRef record) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  onnx::StringStringEntryProto &entry = *model.add_metadata_props();
  entry.set_key("onnx-fold.growth");
  entry.set_value(record.str());
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("g");
  graph.add_input()->set_name("x");
  graph.add_output()->set_name("y");
  auto node = [&](const char *type, const char *a, const char *b,
                  const char *result) {
    onnx::NodeProto &made = *graph.add_node();
    made.set_op_type(type);
    made.add_input(a);
    made.add_input(b);
    made.add_output(result);
  };
  for (auto [name, size] : {std::pair("w", 1), std::pair("v", 64)}) {
    onnx::TensorProto &weight = *graph.add_initializer();
    weight.set_name(name);
    weight.set_data_type(onnx::TensorProto::FLOAT);
    weight.add_dims(size);
    weight.set_raw_data(std::string(4 * size, '\1'));
    onnx::TensorProto &shape = *graph.add_initializer();
    shape.set_name(std::string(name) + "_shape");
    shape.set_data_type(onnx::TensorProto::INT64);
    shape.add_dims(2);
    shape.add_int64_data(16);
    shape.add_int64_data(64);
  }
  node("Expand", "w", "w_shape", "a");
  node("Expand", "v", "v_shape", "b");
  node("Add", "x", "a", "c");
  node("Add", "c", "b", "y");
  return model.SerializeAsString();
}

FuzzOutcome onnxfold::fuzzGrowth(llvm::StringRef bytes) {
  FoldOptions options;
  options.threads = 1;
  options.maxGrowth = {GrowthLimit::Kind::Bytes, 6000};
  std::string model = modelWithRecord(bytes), first, second;
  for (auto [from, to] : {std::pair(&model, &first), {&first, &second}}) {
    FoldReport report;
    llvm::Error error = foldModel(ModelInput::bytes(*from),
                                  ModelOutput::bytes(*to), options, report);
    // Protobuf texts are UTF-8; the record need not be.
    if (error)
      giveUp(std::move(error), "a model with such a record is refused");
  }
  if (first != second)
    giveUp(llvm::createStringError("the output"), "a second run changes");
  return first == model ? FuzzOutcome::Read : FuzzOutcome::Folded;
}
