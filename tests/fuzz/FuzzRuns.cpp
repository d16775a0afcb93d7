//===- FuzzRuns.cpp - Fuzz targets of what a run is given -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FuzzTargets.h"
#include "MemoryFile.h"
#include "onnxfold/dml/import/internal/MatrixFile.h"
#include "onnxfold/elements/npy/NpzFile.h"
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "onnxfold/onnx/driver/cache/internal/CacheEntry.h"
#include "onnxfold/onnx/driver/prepare/ModelContext.h"
#include "onnxfold/onnx/driver/report/ReportPage.h"
#include "onnxfold/onnx/folding/JsonText.h"
#include "onnxfold/onnx/folding/OperatorSchemas.h"
#include "onnxfold/onnx/io/read/TensorFile.h"
#include "onnxfold/onnx/transforms/ruleproof/RuleProof.h"
#include "onnx/onnx_pb.h"
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace onnxfold;
using llvm::StringRef;
namespace fs = std::filesystem;

namespace {

/// A folder for the whole process.
struct OwnFolder {
  fs::path path;

  OwnFolder() {
    std::string pattern = fs::temp_directory_path() / "onnxfold-fuzz-XXXXXX";
    path = ::mkdtemp(pattern.data());
  }
  ~OwnFolder() { fs::remove_all(path); }

  std::string put(const char *name, StringRef bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes.str();
    return path / name;
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Values in files: .npz, test data, matrices
//===----------------------------------------------------------------------===//

/// Touches all elements. Those of a small file can be many: strings of it.
static void readElements(const Elements &value) {
  constexpr int64_t most = 1 << 20;
  if (value.size() <= most)
    ops::contentHash(value);
}

FuzzOutcome onnxfold::fuzzNpz(StringRef bytes) {
  MemoryFile file(bytes);
  llvm::Expected<NpzFile> archive = NpzFile::open(file.path());
  if (!archive) {
    llvm::consumeError(archive.takeError());
    return FuzzOutcome::Refused;
  }
  FuzzOutcome outcome = FuzzOutcome::Refused;
  for (const std::string &name : archive->names()) {
    llvm::Expected<Elements> value = archive->read(name, DataType::BFloat16);
    if (!value) {
      llvm::consumeError(value.takeError());
      continue;
    }
    readElements(*value);
    outcome = FuzzOutcome::Read;
  }
  return outcome;
}

FuzzOutcome onnxfold::fuzzTensor(StringRef bytes) {
  MemoryFile file(bytes);
  FuzzOutcome outcome = FuzzOutcome::Refused;
  llvm::Expected<NamedTensor> tensor = readTensorFile(file.path());
  if (tensor) {
    readElements(tensor->value);
    outcome = FuzzOutcome::Read;
  } else {
    llvm::consumeError(tensor.takeError());
  }
  llvm::Expected<std::vector<Elements>> list = readSequenceFile(file.path());
  if (list) {
    for (const Elements &value : *list)
      readElements(value);
    outcome = FuzzOutcome::Read;
  } else {
    llvm::consumeError(list.takeError());
  }
  return outcome;
}

/// Gigabytes, for a few bytes of blocks, which is right.
static bool isLargeMatrix(StringRef about) {
  constexpr double most = 1 << 20;
  llvm::Expected<llvm::json::Value> read = parseJson(about);
  const llvm::json::Object *sizes = read ? read->getAsObject() : nullptr;
  llvm::consumeError(read.takeError());
  return sizes && double(sizes->getInteger("rows").value_or(0)) *
                          double(sizes->getInteger("cols").value_or(0)) >
                      most;
}

/// The text of the file beside it, a 0, the matrix.
FuzzOutcome onnxfold::fuzzMatrix(StringRef bytes) {
  static OwnFolder folder;
  auto [about, content] = bytes.split('\0');
  if (isLargeMatrix(about))
    return FuzzOutcome::Refused;
  folder.put("w.mtd", about);
  std::string path = folder.put("w", content);
  llvm::Expected<dml::MatrixOfFile> matrix = dml::readMatrix(path, -1, -1);
  if (!matrix) {
    llvm::consumeError(matrix.takeError());
    return FuzzOutcome::Refused;
  }
  if (matrix->rows < 0 || matrix->columns < 0 ||
      matrix->values.size() != size_t(matrix->rows) * matrix->columns)
    giveUp(llvm::createStringError("its sizes"), "no matrix was read");
  return FuzzOutcome::Read;
}

//===----------------------------------------------------------------------===//
// Schemas
//===----------------------------------------------------------------------===//

/// A node for each operator that a file of schemas names, and the shapes of
/// their results.
static std::string modelOfOperators(const llvm::json::Object &domains) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  onnx::GraphProto &graph = *model.mutable_graph();
  graph.set_name("g");
  auto import = [&](StringRef domain) {
    onnx::OperatorSetIdProto &made = *model.add_opset_import();
    made.set_domain(domain.str());
    made.set_version(domain.empty() ? 21 : 1);
  };
  for (int input = 0; input < 4; ++input) {
    onnx::ValueInfoProto &info = *graph.add_input();
    info.set_name("x" + std::to_string(input));
    auto &type = *info.mutable_type()->mutable_tensor_type();
    type.set_elem_type(onnx::TensorProto::FLOAT);
    for (int size : {2, 6, 8, 5})
      type.mutable_shape()->add_dim()->set_dim_value(size);
    type.mutable_shape()->mutable_dim(input)->set_dim_param("n");
  }
  import("");
  for (const auto &[domain, operators] : domains) {
    if (!StringRef(domain).empty())
      import(domain);
    if (!operators.getAsObject())
      continue;
    for (const auto &[opType, about] : *operators.getAsObject()) {
      std::string result = "r" + std::to_string(graph.node_size());
      onnx::NodeProto &node = *graph.add_node(), &shape = *graph.add_node();
      node.set_domain(StringRef(domain).str());
      node.set_op_type(StringRef(opType).str());
      for (int input = 0; input < 4; ++input)
        node.add_input("x" + std::to_string(input));
      node.add_output(result);
      shape.set_op_type("Shape");
      shape.add_input(result);
      shape.add_output(result + "_shape");
      graph.add_output()->set_name(result + "_shape");
    }
  }
  return model.SerializeAsString();
}

FuzzOutcome onnxfold::fuzzSchemas(StringRef bytes) {
  OperatorSchemas schemas;
  if (llvm::Error error = schemas.add(bytes, "schemas.json")) {
    if (std::string text = toString(std::move(error));
        !StringRef(text).starts_with("schemas.json:"))
      giveUp(llvm::createStringError(text), "an error that names no file");
    return FuzzOutcome::Refused;
  }
  llvm::json::Value file = llvm::cantFail(llvm::json::parse(bytes));
  std::string model =
      modelOfOperators(*file.getAsObject()->getObject("domains"));
  MemoryFile given(bytes);
  FoldOptions options;
  options.threads = 1;
  options.schemas = {given.path()};
  FoldReport report;
  std::string result;
  if (llvm::Error error =
          foldModel(ModelInput::bytes(model), ModelOutput::bytes(result),
                    options, report)) {
    llvm::consumeError(std::move(error)); // a domain of odd bytes
    return FuzzOutcome::Read;
  }
  return report.isChanged ? FuzzOutcome::Folded : FuzzOutcome::Read;
}

FuzzOutcome onnxfold::fuzzRules(StringRef bytes) {
  ModelContext context;
  context.addFolding();
  if (llvm::Error error = context.rules().add(bytes, "fuzz.rules")) {
    if (std::string text = toString(std::move(error));
        !StringRef(text).starts_with("fuzz.rules: line "))
      giveUp(llvm::createStringError(text), "an error that names no line");
    return FuzzOutcome::Refused;
  }
  RuleProofOptions options;
  options.mostInstances = 50;
  for (const auto &rule : context.rules().rules())
    (void)proveRule(*rule, context, options);
  return FuzzOutcome::Read;
}

//===----------------------------------------------------------------------===//
// The cache, and reports
//===----------------------------------------------------------------------===//

namespace {

/// An entry of a cache as it was written.
struct WrittenEntry {
  OwnFolder folder;
  CacheEntry about{{1, 2}, {3, 4}, DataType::Int32, {2, 3}};
  Elements value;
  std::string bytes;

  WrittenEntry() {
    value = Elements::fromValues<int32_t>({2, 3}, {7, 8, 9, 10, 11, -1});
    std::string path = folder.path / "entry";
    llvm::cantFail(
        writeCacheEntry(path, folder.path / "temporary", about, value));
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
};

} // namespace

/// Two bytes say from where on the rest stands in an entry; behind its end, the
/// rest is the whole file.
FuzzOutcome onnxfold::fuzzCache(StringRef bytes) {
  static WrittenEntry written;
  if (bytes.size() < 2)
    return FuzzOutcome::Refused;
  size_t place = size_t(uint8_t(bytes[0])) << 8 | uint8_t(bytes[1]);
  bytes = bytes.drop_front(2);
  std::string file = bytes.str();
  if (place <= written.bytes.size()) {
    file = written.bytes;
    file.replace(place, bytes.size(), bytes.str());
  }
  std::vector<char> elements(written.value.bytes());
  CacheEntryState state;
  auto entry = OpenCacheEntry::open(written.folder.put("entry", file),
                                    written.about, state);
  if (!entry || !entry->read(0, elements.size(), elements.data()))
    return FuzzOutcome::Refused;
  if (StringRef(elements.data(), elements.size()) !=
      StringRef(written.value.residentBytes(), elements.size()))
    giveUp(llvm::createStringError("at " + std::to_string(place)),
           "a value that nobody wrote");
  return FuzzOutcome::Read;
}

FuzzOutcome onnxfold::fuzzReport(StringRef bytes) {
  MemoryFile file(bytes);
  FuzzOutcome outcome = FuzzOutcome::Read;
  for (ReportFormat format : {ReportFormat::Html, ReportFormat::ModelExplorer})
    if (llvm::Error error = showReport(file.path(), format, "/dev/null")) {
      llvm::consumeError(std::move(error));
      outcome = FuzzOutcome::Refused;
    }
  return outcome;
}
