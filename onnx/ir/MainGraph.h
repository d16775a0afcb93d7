//===- MainGraph.h - The main graph as a function to change -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For code that changes the inputs and outputs of the main graph. This header
// includes more of func's interfaces than Model.h.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_MAINGRAPH_H
#define ONNXFOLD_ONNX_IR_MAINGRAPH_H

#include "onnxfold/onnx/ir/Model.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace onnxfold {

inline mlir::FunctionOpInterface mainGraph(mlir::ModuleOp module) {
  return llvm::cast<mlir::FunctionOpInterface>(
      module.lookupSymbol(mainGraphSymbol));
}

inline mlir::Block &mainBlock(mlir::ModuleOp module) {
  return mainGraph(module)->getRegion(0).front();
}

/// Sets the type of the function to that of its block: the types of the block's
/// arguments and of its terminator's operands.
void updateType(mlir::FunctionOpInterface function);

/// Appends an argument. The type of the function is not updated.
mlir::BlockArgument addArgument(mlir::FunctionOpInterface function,
                                llvm::StringRef name, mlir::Type type);

inline void eraseArgument(mlir::FunctionOpInterface function, unsigned number) {
  [[maybe_unused]] mlir::LogicalResult done = function.eraseArgument(number);
}

/// The operands of an operation, and the values that its bodies use from
/// outside.
llvm::SetVector<mlir::Value> valuesReadBy(mlir::Operation &op);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_MAINGRAPH_H
