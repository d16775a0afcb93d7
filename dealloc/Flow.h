//===- Flow.h - What flows into arguments and results -----------*- C++ -*-===//
//
// Of this folder only.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_FLOW_H
#define ONNXFOLD_DEALLOC_FLOW_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace onnxfold::deallocation {

using FlowCallback =
    llvm::function_ref<void(mlir::Value input, mlir::Value operand)>;

/// Calls `callback` for each argument of a region of `op` and each result of
/// it, with a value that may become it; edge by edge, in the same order for all
/// inputs of one successor. Nothing if `op` is no RegionBranchOpInterface.
void forEachFlow(mlir::Operation *op, FlowCallback callback);

/// The same for the arguments of a block that is not the entry of its region.
void forEachFlow(mlir::Block *block, FlowCallback callback);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_FLOW_H
