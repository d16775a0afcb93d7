//===- ConvertScript.h - A DML script as an ONNX model ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// dml-to-onnx as one function. It reads a script and the scripts that it
// sources, turns statements into nodes, folds the model and writes it.
//
//   ConvertOptions options;
//   options.output = "model.onnx";
//   std::vector<std::string> refusals;
//   if (llvm::Error error = convertScript("script.dml", options, refusals))
//     return error;                            // nothing was written
//
// If the script itself is converted, each read() is an input and each write()
// an output, and these have the names of their variables. If one of its
// functions is converted, the inputs are its parameters and the outputs its
// results. Matrices are tensors of two dimensions. Translation.h says what is
// computed during the conversion.
//
// Errors: files that cannot be read or written, text that is not DML, and
// statements that ONNX cannot express. `refusals` then lists all of these, as
// "file:line:column: reason", and the error has their text.
// Thread safety: any number of threads may call it at once, on different
// outputs.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_IMPORT_CONVERTSCRIPT_H
#define ONNXFOLD_DML_IMPORT_CONVERTSCRIPT_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace onnxfold::dml {

/// Versions of ai.onnx. 16 is the first with sums in ScatterND. Before 18, the
/// axes of reductions are attributes, and bitwise operators are missing.
inline constexpr int64_t oldestOpset = 16, newestOpset = 26;

struct ConvertOptions {
  std::string output;     ///< the model; "-": standard output
  std::string function;   ///< --function; empty: the script itself
  bool isFloat32 = false; ///< --type: numbers are float32, else float64
  /// --input-shape: rows and columns of inputs; negative: unknown.
  llvm::StringMap<std::pair<int64_t, int64_t>> sizes;
  /// --bind: scalar parameters of the function, or $parameters of the script,
  /// as DML writes them.
  llvm::StringMap<std::string> values;
  /// --scripts: the folder of SystemDS's own scripts, with nn and builtin, or
  /// its jar.
  std::string scripts;
  int64_t opset = 21; ///< --target-opset
  /// --random: results may depend on numbers that each run of the model draws.
  bool drawsNumbers = false;
};

llvm::Error convertScript(llvm::StringRef input, const ConvertOptions &options,
                          std::vector<std::string> &refusals);

/// The text of a script as a model of plain nodes, not folded. Reads no other
/// file: source() is an error, and each read() an input.
llvm::Expected<std::string> translateScript(llvm::StringRef text,
                                            const ConvertOptions &options);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_IMPORT_CONVERTSCRIPT_H
