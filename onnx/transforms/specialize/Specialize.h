//===- Specialize.h - Inputs of a model that are fixed ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Fixes shapes (--input-shape, --dim) and values (--bind) of inputs. This
// happens before the main graph is evaluated, so that everything that depends
// on them alone folds:
//
//   Specialization fixed;
//   fixed.inputShapes.push_back({"x", {1, 3, 224, 224}});
//   fixed.dimensions.push_back({"batch", 1});
//   fixed.values.push_back({"training", Elements::splat<bool>({}, false)});
//   if (Error error = specialize(module, fixed)) ...
//
// The types of inputs change. Dimensions of the same name change in all inputs
// together ("batch" is one number). An input with a value is removed from the
// inputs, and a constant of its name replaces it, so the interface of the model
// changes. Errors say what the model has and what was expected, in the words of
// the command line. After an error the module may be half changed. Thread
// safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_SPECIALIZE_H
#define ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_SPECIALIZE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/onnx/transforms/specialize/FixedShapes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

struct Specialization : FixedShapes {
  std::vector<std::pair<std::string, Elements>> values;

  bool empty() const { return FixedShapes::empty() && values.empty(); }
};

/// `idle`: gets what to say of each part that changed nothing, because the
/// model says the same; may be null.
llvm::Error specialize(mlir::ModuleOp module, const Specialization &fixed,
                       std::vector<std::string> *idle = nullptr);

/// The element type of an input of the main graph; Undefined if the input is
/// not a tensor, or the type is not stated. An error if there is no such input.
llvm::Expected<DataType> inputElementType(mlir::ModuleOp module,
                                          llvm::StringRef input);

/// A value as a user writes it for an input of this type: a number, a list of
/// numbers separated by commas (rank 1), true or false, or a text.
llvm::Expected<Elements> parseValue(llvm::StringRef text, DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_SPECIALIZE_H
