//===- ConstantForms.h - Constant nodes as initializers ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// With --constants passes see one form: holdConstantNodes() makes initializers
// of the Constant nodes of all graphs, so that the same rewrites apply whichever
// form the model has, and a second run finds nothing more. The exporter then
// writes those that are left in the form that is wanted (Cleaning::constants),
// with all fields of the tensor, wherever its data is. A conversion holds those
// that Constant of the earlier opset cannot state.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IO_WRITE_CONSTANTFORMS_H
#define ONNXFOLD_ONNX_IO_WRITE_CONSTANTFORMS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

namespace onnxfold {

class OnnxConstantOp;

/// The number in its graph of the Constant node that an onnx.Constant without a
/// node was.
inline constexpr llvm::StringLiteral heldNodeAttrName = "onnx.held_node";

/// Returns how many there were. Functions, which have no initializers, and
/// models before IR version 4, in which these are inputs, keep theirs.
/// `isWanted`: null for all of them.
int64_t
holdConstantNodes(mlir::ModuleOp module,
                  llvm::function_ref<bool(OnnxConstantOp)> isWanted = nullptr);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IO_WRITE_CONSTANTFORMS_H
