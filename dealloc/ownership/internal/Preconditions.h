//===- Preconditions.h - What deallocate accepts ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PRECONDITIONS_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PRECONDITIONS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/LogicalResult.h"

namespace onnxfold::deallocation {

/// How an operation with regions passes memrefs, and ownership of them.
enum class Passing {
  None,     // it has no memrefs as arguments of regions, nor as results; or
            // nothing is known of its regions
  Operands, // loops: operands and yielded values enter regions and results
  Inherit,  // exactly one region runs, once: it sees the values around it
};
Passing passingOf(mlir::Operation *op);

/// Diagnostics for everything in `module` that deallocate cannot follow.
llvm::LogicalResult checkPreconditions(mlir::ModuleOp module);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_PRECONDITIONS_H
