//===- ConstantTypes.h - What a file can state as a constant ----*- C++ -*-===//
//
// A constant is an initializer. Functions have none, and below IR version 4
// every initializer has to be an input too: there it is a Constant node, whose
// first version (opsets 1 to 8) takes float16, float and double only. Runtimes
// do not mind others, the checker refuses them.
//
// Thread safety: as mlir::Operation.
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

/// On a module that was read from a file: some Constant node has a type that
/// its version does not take. Then more of them break nothing.
inline constexpr llvm::StringLiteral anyConstantAttrName = "onnx.any_constant";

/// The graph or function of `op` can hold a constant of this element type.
bool mayState(mlir::Operation *op, mlir::Type element);
/// The same of i64, of which shapes and axes are.
bool mayStateIntegers(mlir::Operation *op);

/// A Constant node of this opset takes the element type.
bool constantTakes(int64_t opset, mlir::Type element);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_IR_CONSTANTTYPES_H
