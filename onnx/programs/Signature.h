//===- Signature.h - Inputs and outputs of a compiled model -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The names and types of the inputs and outputs of a model. Compiled code
// contains them as text (the constant `onnxfold_signature`), so that it can be
// called without the model.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_SIGNATURE_H
#define ONNXFOLD_ONNX_PROGRAMS_SIGNATURE_H

#include "onnxfold/elements/Elements.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace onnxfold {

llvm::Error makeRunError(const llvm::Twine &text);

/// The type of a tensor, of the elements of a sequence, or of the value in an
/// optional.
struct ValueSignature {
  std::string name;
  bool isSequence = false, isOptional = false;
  DataType type = DataType::Undefined;
  int32_t onnxType = 0; ///< TensorProto.DataType
  uint32_t code = 0;    ///< of elements in the sequence run time (of a string:
                        ///< its number, onnx/programs/ProgramStrings.h)
  std::optional<std::vector<int64_t>> shape; ///< -1: any size; null: any rank

  /// The type as text: "f32[2,?]", "sequence of f32[?]", "optional of
  /// str[...]".
  std::string text() const;
  void setShape(mlir::RankedTensorType type);
  /// The tensor is of the type.
  bool covers(const Elements &tensor) const;
  /// The number of words of a result (CompiledModel.h).
  int64_t words() const {
    return (isSequence || !shape ? 2 : 3 + 2 * int64_t(shape->size())) +
           isOptional;
  }
  /// A tensor of the type that stands for one that is not there: nobody reads
  /// it, but it may be copied. Open sizes are 0.
  Elements placeholder() const;
};

struct Signature {
  std::vector<ValueSignature> inputs, outputs;

  std::string toText() const;
  static llvm::Expected<Signature> fromText(llvm::StringRef text);
};

/// The signature of a main graph as it was read. An error names an input or
/// output that a program cannot take or give.
llvm::Expected<Signature> signatureOf(mlir::FunctionOpInterface graph);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_SIGNATURE_H
