//===- MissingData.h - Models without their data files ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Lets the importer read a model whose data files are not there: an empty file
// takes the place of each of them, and afterwards the constants in it become
// values of which only the type is known.
//
//   MissingData missing;
//   auto external = missing.dataOf(file, folder, roots);
//   ... importModel(file, context, std::move(external)) ...
//   missing.forget(module);
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MISSINGDATA_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MISSINGDATA_H

#include "onnxfold/onnx/io/read/Import.h"

namespace onnxfold {

class MissingData {
public:
  /// The data files of a model. `folder` is where they are, nothing: where the
  /// model is.
  std::unique_ptr<ExternalData> dataOf(const InputFileRef &file,
                                       const std::optional<std::string> &folder,
                                       llvm::ArrayRef<std::string> roots);
  /// Nothing is known of the elements of constants in missing files any more.
  void forget(mlir::ModuleOp module) const;
  std::vector<std::string> warnings() const;

private:
  void note(const TensorIndex &tensor, llvm::StringRef folder);

  std::map<std::string, uint64_t> sizes; ///< of missing files
  llvm::StringSet<> initializers;        ///< in them
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MISSINGDATA_H
