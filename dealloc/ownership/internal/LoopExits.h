//===- LoopExits.h - What leaves a loop of blocks ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// At the end of a loop operation ownership is handed over: the owners of the
// yielded memrefs are determined at run time, and allocations that are not
// yielded are freed. Behind a loop of blocks values are used without such a
// step. If such a value may be a view of the allocations of several owners, all
// of these would live until its last use; as an argument of the block behind
// the loop the value gets the one owner that it belongs to.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_LOOPEXITS_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_LOOPEXITS_H

#include "onnxfold/dealloc/ownership/internal/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace onnxfold::deallocation {

/// Makes memrefs that several owners of `plan` may own, and that are used
/// behind a loop of blocks with one exit block, arguments of that block. True
/// if the function changed, which invalidates `plan`.
bool passThroughExits(mlir::func::FuncOp function, const Plan &plan);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_LOOPEXITS_H
