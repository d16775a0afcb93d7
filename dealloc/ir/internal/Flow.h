//===- Flow.h - What flows into arguments and results -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_IR_INTERNAL_FLOW_H
#define ONNXFOLD_DEALLOC_IR_INTERNAL_FLOW_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold::deallocation {

/// One way into a block, a region or the results of an operation.
struct FlowEdge {
  /// A terminator, or the operation itself for the edges into its regions.
  mlir::Operation *from = nullptr;
  unsigned successor = 0; // of a terminator that branches
  /// Arguments or results, and what each becomes.
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> values;
};

using EdgeCallback = llvm::function_ref<void(const FlowEdge &edge)>;

/// Calls `callback` for each edge to a region of `op` or to its results.
/// Does nothing if `op` does not implement RegionBranchOpInterface.
void forEachEdge(mlir::Operation *op, EdgeCallback callback);

/// The same for the edges to a block that is not an entry block.
void forEachEdge(mlir::Block *block, EdgeCallback callback);

using FlowCallback =
    llvm::function_ref<void(mlir::Value input, mlir::Value operand)>;

/// Calls `callback` for each argument of a region of `op` and each result of
/// it, with a value that may become it; edge by edge, in the same order for all
/// inputs of one successor.
template <typename OpOrBlock>
void forEachFlow(OpOrBlock *opOrBlock, FlowCallback callback) {
  forEachEdge(opOrBlock, [&](const FlowEdge &edge) {
    for (auto [input, operand] : edge.values)
      callback(input, operand);
  });
}

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_IR_INTERNAL_FLOW_H
