//===- LoopExits.h - What leaves a loop of blocks ---------------*- C++ -*-===//
//
// A loop operation ends with a hand-over: what it yields is told apart when the
// program runs, and what is not yielded is freed. Behind a loop of blocks
// values are used as they are. Where such a value may be a view of what several
// owners own, all of them would live until its last use; as the argument of the
// block behind the loop it gets the one that it belongs to.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_LOOPEXITS_H
#define ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_LOOPEXITS_H

#include "onnxfold/dealloc/ownership/internal/Plan.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace onnxfold::deallocation {

/// In each loop of blocks with one exit block, makes memrefs that several
/// owners of `plan` may own, and that are used behind the loop, arguments of
/// that block. True if the function changed; `plan` is void then.
bool passThroughExits(mlir::func::FuncOp function, const Plan &plan);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_OWNERSHIP_INTERNAL_LOOPEXITS_H
