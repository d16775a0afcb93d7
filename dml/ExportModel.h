//===- ExportModel.h - A model as a DML script ------------------*- C++ -*-===//
//
// The whole of onnx-to-dml as one function: reads a model, folds it, infers its
// shapes, lowers every node, writes the script and the folder of weights.
//
//   DmlOptions options;
//   options.output = "model.dml";             // and model.weights/
//   std::vector<DmlRefusal> refusals;
//   std::vector<std::string> warnings;
//   if (llvm::Error error = exportModel("model.onnx", options, refusals, warnings))
//     return error;                            // nothing was written
//
// The script is self-contained: helper functions, one function of the graph,
// and a part that reads inputs and weights and writes outputs, whose files are
// parameters (-nvargs). The same model and options give the same bytes.
//
// Errors: a file that cannot be read or written, a broken model, and a model
// that DML cannot express: `refusals` then lists every node that cannot be
// expressed, all at once, and the error has their text. Script and weights
// appear together or not at all.
// Thread safety: any number of threads may call it at once, on different
// outputs.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORTMODEL_H
#define ONNXFOLD_DML_EXPORTMODEL_H

#include "onnxfold/dml/WeightFile.h"
#include "onnxfold/onnx/driver/FixedInputs.h"
#include "llvm/Support/Error.h"

namespace onnxfold::dml {

struct DmlOptions {
  std::string output; ///< the script; "-": standard output, no weights
  /// --interface: a file for programs that call the script, as JSON; may be
  /// empty: {"inputs": [{"name": "x.1", "parameter": "x_1", "type": "float32",
  /// "shape": ["batch", 20]}], "outputs": [...]}; an input that need not be
  /// given has "default", its file in the folder of weights.
  std::string interfaceFile;
  bool isLibrary = false; ///< --library: functions only
  /// --batch: the script runs so many samples at a time; 0: all at once.
  int64_t batch = 0;
  WeightFormat weights = WeightFormat::Binary;
  FixedInputs fixed; ///< --dim, --input-shape, --bind
  /// The process ends after the call: the model's memory need not be given back.
  bool endsProcess = false;
};

/// A node that cannot be expressed.
struct DmlRefusal {
  std::string node, op, reason;
  std::string help; ///< what the user may do; empty if nothing is known
  /// If the node was replaced by those of its function: the one of these that
  /// cannot be expressed. "Reshape 'X_reshaped'".
  std::string inner = {};
  friend bool operator==(const DmlRefusal &, const DmlRefusal &) = default;
};

llvm::Error exportModel(llvm::StringRef input, const DmlOptions &options,
                        std::vector<DmlRefusal> &refusals,
                        std::vector<std::string> &warnings);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORTMODEL_H
