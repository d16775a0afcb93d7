//===- ConstantTypes.h - What a file can state as a constant ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A constant is written as an initializer. Functions have no initializers, and
// below IR version 4 every initializer has to be an input, too. There a
// constant is written as a Constant node, whose first version (opsets 1 to 8)
// takes float16, float and double only. Runtimes accept other types, but the
// checker refuses them.
//
// Thread safety: that of mlir::Operation.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_IR_CONSTANTTYPES_H
#define ONNXFOLD_ONNX_IR_CONSTANTTYPES_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
class Type;
} // namespace mlir

namespace onnxfold {

/// Some Constant node of a module that was read from a file has a type that its
/// version does not take. Further such nodes do no harm then.
inline constexpr llvm::StringLiteral anyConstantAttrName = "onnx.any_constant";

/// True if the graph or function of `op` can hold a constant of this element
/// type.
bool mayState(mlir::Operation *op, mlir::Type element);
/// The same for i64, the type of shapes and axes.
bool mayStateIntegers(mlir::Operation *op);

/// True if a Constant node of this opset takes the element type.
bool constantTakes(int64_t opset, mlir::Type element);

/// The same as the schema has it, for an element type that no operator of the
/// model gives (bfloat16 from opset 13 on).
bool constantHolds(int64_t opset, mlir::Type element);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_CONSTANTTYPES_H
