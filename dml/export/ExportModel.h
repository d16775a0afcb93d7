//===- ExportModel.h - A model as a DML script ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// onnx-to-dml as one function. It reads a model, folds it, infers its shapes,
// lowers every node, and writes the script and the folder of weights.
//
//   DmlOptions options;
//   options.output = "model.dml";             // and model.weights/
//   std::vector<DmlRefusal> refusals;
//   std::vector<std::string> warnings;
//   if (llvm::Error error = exportModel("model.onnx", options, refusals, warnings))
//     return error;                            // nothing was written
//
// The script is self-contained. It has helper functions, one function of the
// graph, and a part that reads inputs and weights and writes outputs. The files
// are parameters (-nvargs). The same model and options give the same bytes.
//
// Errors: a file that cannot be read or written, a broken model, and a model
// that DML cannot express: `refusals` then lists every node that cannot be
// expressed, all at once, and the error has their text. The script and the
// weights appear together or not at all.
// Cancellation: as foldModel (FoldModel.h). Of the callbacks, warn, endedStep and
// isCancelled are used.
// Thread safety: any number of threads may call it at once, on different
// outputs.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_EXPORTMODEL_H
#define ONNXFOLD_DML_EXPORT_EXPORTMODEL_H

#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/onnx/driver/FoldModel.h"
#include "llvm/Support/Error.h"

namespace onnxfold::dml {

struct DmlOptions {
  std::string output; ///< the script; "-": standard output, no weights
  /// --interface: a JSON file for programs that call the script; empty: none.
  /// {"inputs": [{"name": "x.1", "parameter": "x_1", "type": "float32",
  /// "shape": ["batch", 20]}], "outputs": [...]}; an optional input has
  /// "default", its file in the folder of weights.
  std::string interfaceFile;
  bool isLibrary = false; ///< --library: functions only
  /// --batch: the number of samples that the script runs at a time; 0: all.
  int64_t batch = 0;
  WeightFormat weights = WeightFormat::Binary;
  FixedInputs fixed;    ///< --dim, --input-shape, --bind
  unsigned threads = 0; ///< 0: as many as the machine has
};

/// A node that cannot be expressed.
struct DmlRefusal {
  std::string node, op, reason;
  std::string help; ///< what the user may do; empty if nothing is known
  /// If the body of its function replaced the node: the node of the body that
  /// cannot be expressed, "Reshape 'X_reshaped'".
  std::string inner = {};
  friend bool operator==(const DmlRefusal &, const DmlRefusal &) = default;
};

llvm::Error exportModel(llvm::StringRef input, const DmlOptions &options,
                        std::vector<DmlRefusal> &refusals,
                        std::vector<std::string> &warnings,
                        const FoldCallbacks &callbacks = {});

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_EXPORTMODEL_H
