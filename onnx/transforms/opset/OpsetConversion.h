//===- OpsetConversion.h - A model in another opset -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Converts the operators of a module, its bodies and functions to another opset
// of ai.onnx. Each node whose operator has another version there is converted
// by the ONNX library's version converter, in a model of its own with the types
// of its inputs and the values of small ones: no large value is ever copied.
//
//   llvm::Expected<OpsetConversion> done = convertOpset(module, 21);
//   if (!done) ...
//
// A node that the library does not change only gets another version. Others are
// replaced; new values have new names. To an earlier opset, a node takes one
// step to the version before at a time: constant inputs become attributes, or
// the function by which ONNX defines the operator takes its place. The error
// names all nodes that cannot be converted (up to ten); the module is then
// partly converted.
//
// REQUIRES: types are refined. Thread safety: as the operations; registers
// operators.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_OPSET_OPSETCONVERSION_H
#define ONNXFOLD_ONNX_TRANSFORMS_OPSET_OPSETCONVERSION_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <map>
#include <string>

namespace onnxfold {

class OnnxConstantOp;

/// Called with an operation, the new ones in its place, in order, and the values
/// that replace its results. Returns why these cannot replace it, or "".
using NoteConverted = std::function<std::string(
    mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> made,
    mlir::ValueRange values)>;

struct OpsetConversion {
  /// The operations that were replaced, or null. As long as the caller keeps
  /// them, no new operation has the address of one of them.
  mlir::OwningOpRef<mlir::ModuleOp> replaced;
  /// How many nodes of an operator became the function that defines it, whose
  /// floats round otherwise.
  std::map<std::string, unsigned> rounded;
};

/// Whether Constant of opset `target` cannot state what the Constant node does:
/// its type is later, or it may be a list or a number, which came with 12.
/// convertOpset() makes another constant of it, without the texts of the node,
/// unless the caller makes it an initializer before (holdConstantNodes).
bool isLaterConstant(OnnxConstantOp constant, int64_t target);

/// `note` may be empty.
llvm::Expected<OpsetConversion> convertOpset(mlir::ModuleOp module,
                                             int64_t target,
                                             const NoteConverted &note = {});

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_OPSET_OPSETCONVERSION_H
