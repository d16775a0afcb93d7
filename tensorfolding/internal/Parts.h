//===- Parts.h - Groups of operations that run once together ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Splits the operations that compute folded values into parts that share no
// operation: each part can be run again, evicted and shared by itself.
// Arguments do not connect parts, otherwise a scale that all layers use would
// join these to one part. Neither do literals, fills and other cheap operations
// that depend on no argument: each part has its own copy of them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_PARTS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_PARTS_H

#include "onnxfold/tensorfolding/Analysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace onnxfold {

struct FoldPart {
  llvm::SmallVector<mlir::Operation *> operations; // in program order
  llvm::SmallVector<mlir::BlockArgument> inputs;   // in order
  llvm::SmallVector<mlir::Value> outputs;          // in program order
};

/// The parts that compute `ends`, in the order of their first outputs. `ends`
/// are constant, and in program order.
llvm::SmallVector<FoldPart> splitIntoParts(const ConstantAnalysis &analysis,
                                           llvm::ArrayRef<mlir::Value> ends);

/// The hash of the types, operations, attributes and literals of a function,
/// without names and locations, as 32 hexadecimal digits. It is the same in
/// every process.
std::string contentHash(mlir::func::FuncOp function);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_PARTS_H
