//===- FixedInputs.h - Shapes and values of inputs, as text -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The command-line form of a Specialization (Specialize.h). The texts are
// parsed without a model; values are read when the types of its inputs are
// known.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_PREPARE_FIXEDINPUTS_H
#define ONNXFOLD_ONNX_DRIVER_PREPARE_FIXEDINPUTS_H

#include "onnxfold/onnx/transforms/specialize/FixedShapes.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>
#include <vector>

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace onnxfold {

struct FixedInputs {
  FixedShapes shapes;
  /// Names of inputs with their values as the user wrote them, or with names of
  /// .npy files.
  std::vector<std::pair<std::string, std::string>> values;
  std::vector<std::string> shapeTexts; ///< as the user wrote `shapes`
  /// Patterns of names of inputs that get the value of their initializer; for
  /// importModel.
  std::vector<std::string> initializers;

  /// Whether no input is fixed after the model was imported.
  bool empty() const { return shapes.empty() && values.empty(); }

  // Repeating an input or a dimension with a different value is an error.

  /// NAME:1,3,224,224; `?` leaves a dimension unchanged.
  llvm::Error addShape(llvm::StringRef text);
  /// batch:1
  llvm::Error addDimension(llvm::StringRef text);
  /// NAME=VALUE, NAME=FILE.npy, or a pattern of names without a value.
  llvm::Error addValue(llvm::StringRef text);

  /// Reads the values and changes the model. `idle`: see specialize().
  llvm::Error applyTo(mlir::ModuleOp module,
                      std::vector<std::string> *idle = nullptr) const;

  /// The names of the inputs with values.
  llvm::StringSet<> bound() const;

  /// The .npy files in `values`.
  std::vector<std::string> files() const;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_PREPARE_FIXEDINPUTS_H
