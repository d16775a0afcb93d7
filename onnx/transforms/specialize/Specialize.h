//===- Specialize.h - Inputs of a model that are fixed ----------*- C++ -*-===//
//
// Shapes (--input-shape, --dim) and values (--bind) of inputs that a user
// fixes. They are put into the main graph before it is evaluated, so that
// everything that depends on them alone folds:
//
//   Specialization fixed;
//   fixed.inputShapes.push_back({"x", {1, 3, 224, 224}});
//   fixed.dimensions.push_back({"batch", 1});
//   fixed.values.push_back({"training", Elements::splat<bool>({}, false)});
//   if (Error error = specialize(module, fixed)) ...
//
// Types of inputs change, and the dimensions of one name in all inputs together
// ("batch" is one number). An input with a value is removed from the inputs: a
// constant of its name replaces it, so the interface of the model changes.
// Errors name what there is and what was expected, in the words of the command
// line; the module may be half changed then. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_SPECIALIZE_H
#define ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_SPECIALIZE_H

#include "onnxfold/elements/Elements.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

struct Specialization {
  struct InputShape {
    std::string input;
    Shape sizes; // negative: as it is
  };
  std::vector<InputShape> inputShapes;
  std::vector<std::pair<std::string, int64_t>> dimensions;
  std::vector<std::pair<std::string, Elements>> values;

  bool empty() const {
    return inputShapes.empty() && dimensions.empty() && values.empty();
  }
};

llvm::Error specialize(mlir::ModuleOp module, const Specialization &fixed);

/// The element type of an input of the main graph; Undefined if it is no tensor
/// or not said. An error if there is no such input.
llvm::Expected<DataType> inputElementType(mlir::ModuleOp module,
                                          llvm::StringRef input);

/// A value as a user writes it for an input of this type: a number, a list of
/// numbers with commas in between (rank 1), true or false, or a text.
llvm::Expected<Elements> parseValue(llvm::StringRef text, DataType type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_SPECIALIZE_H
