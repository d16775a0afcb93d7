//===- Functions.h - How functions pass ownership ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_FUNCTIONS_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_FUNCTIONS_H

#include "onnxfold/dealloc/ownership/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/BitVector.h"

namespace onnxfold::deallocation {

/// The attribute of a declaration whose definition, elsewhere, was made by
/// `deallocate` and returns ownership.
inline constexpr llvm::StringLiteral ownershipResultsAttr =
    "deallocation.ownership_results";

/// How calls of a function pass ownership. Positions are those of the original
/// signature.
struct FunctionInfo {
  /// One more result per memref result, appended. Otherwise the signature is
  /// kept, and every memref that is returned is a new one that the caller owns.
  bool returnsOwnership = false;
  /// All uses are direct calls in this module, which has the body too.
  bool isInternal = false;
  /// The arguments whose ownership callers may pass: one more argument for
  /// each, appended.
  llvm::BitVector ownedArguments;
  /// For each result, the arguments that it may be a view of.
  llvm::SmallVector<llvm::BitVector> argumentsOf;
  /// For each result, the other results that may be views of the same thing.
  llvm::SmallVector<llvm::BitVector> sharedWith;
};

/// All functions of a module.
class Functions {
public:
  Functions(mlir::ModuleOp module, PublicResults publicResults);

  /// Null if the callee is not a func.func of this module.
  FunctionInfo *lookup(mlir::func::FuncOp function);
  FunctionInfo *lookup(mlir::Operation *call);
  mlir::func::FuncOp calleeOf(mlir::Operation *call);

private:
  llvm::DenseMap<mlir::Operation *, FunctionInfo> infos;
  llvm::DenseMap<mlir::StringAttr, mlir::func::FuncOp> byName;
};

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_FUNCTIONS_H
