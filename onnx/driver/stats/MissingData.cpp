//===- MissingData.cpp - Models without their data files ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/stats/internal/MissingData.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <sys/mman.h>
#include <unistd.h>

using namespace onnxfold;
using namespace mlir;

/// A file of zeros that takes no memory; nothing if the system has none.
static InputFileRef emptyFile(uint64_t size, llvm::StringRef name) {
  int fd = ::memfd_create("onnx-fold", MFD_CLOEXEC);
  if (fd < 0 || ::ftruncate(fd, off_t(size)) != 0)
    return nullptr;
  llvm::Expected<InputFileRef> file = InputFile::adopt(fd, name);
  if (file)
    return *file;
  llvm::consumeError(file.takeError());
  return nullptr;
}

void MissingData::note(const TensorIndex &tensor, llvm::StringRef folder) {
  if (!tensor.external)
    return;
  std::string location = tensor.external->location.str();
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, location);
  if (!sizes.contains(location) && llvm::sys::fs::exists(path))
    return;
  const onnxfold::TensorType *type = lookupTensorType(tensor.dataType);
  uint64_t bytes = type ? rawDataSize(*type, tensor.dims).value_or(0) : 0;
  constexpr uint64_t most = uint64_t(1) << 62; // of a hostile offset
  uint64_t &size = sizes[location];
  size = std::max(
      size, std::min(most, tensor.external->offset + std::min(bytes, most)));
  initializers.insert(tensor.name);
}

std::unique_ptr<ExternalData>
MissingData::dataOf(const InputFileRef &file,
                    const std::optional<std::string> &folder,
                    llvm::ArrayRef<std::string> roots) {
  auto data = folder ? std::make_unique<ExternalData>(*folder, roots)
                     : ExternalData::ofModel(file->name(), roots);
  llvm::Expected<std::unique_ptr<ModelIndex>> index = ModelIndex::build(file);
  if (!index) { // the importer says what is wrong, or reads text
    llvm::consumeError(index.takeError());
    return data;
  }
  for (const GraphIndex &graph : (*index)->graphs) {
    for (const TensorIndex &tensor : graph.initializers)
      note(tensor, data->modelFolder());
  }
  for (const auto &[location, size] : sizes)
    if (InputFileRef empty = emptyFile(size, location))
      data->give(location, empty);
  return data;
}

void MissingData::forget(ModuleOp module) const {
  if (initializers.empty())
    return;
  llvm::SmallVector<OnnxConstantOp> constants;
  module->walk([&](OnnxConstantOp constant) {
    if (initializers.contains(valueName(constant)))
      constants.push_back(constant);
  });
  for (OnnxConstantOp constant : constants) {
    OpBuilder builder(constant);
    Operator any =
        Operator::createCustom(builder, builder.getUnknownLoc(),
                               {"onnx-fold", "NotConstant", /*since=*/1}, {},
                               {constant.getResult().getType()});
    any.setOutputNames({valueName(constant)});
    constant.getResult().replaceAllUsesWith(any->getResult(0));
    constant.erase();
  }
}

std::vector<std::string> MissingData::warnings() const {
  std::vector<std::string> texts;
  for (const auto &entry : sizes)
    texts.push_back("external file '" + printableName(entry.first) +
                    "' is not there; values in it are not known");
  return texts;
}
