//===- LoopShapes.h - How Loop, Scan and SequenceMap run a body -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The answers to the engine's questions about loops (FoldingInterface.h, loopOf
// and resultsOfLoop), with which it infers types, shapes and values in and
// after them. Spec: onnx Loop, Scan (8: a batch of scans; 9: axes),
// SequenceMap, all versions.
//
//   if (auto loop = describeLoop(op, operands, symbols)) ...
//
// The sizes of a scan output of a Loop without iterations are not defined, so
// only its length is known if the trip count may be 0. Runtimes refuse a Scan
// without iterations. Thread safety: that of the table.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_LOOPSHAPES_H
#define ONNXFOLD_ONNX_FOLDING_LOOPSHAPES_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// How the operator runs its body; nothing for other operators, and for a graph
/// that does not fit its node. REQUIRES: one state for each operand.
std::optional<BodyLoop>
describeLoop(Operator op, llvm::ArrayRef<const ValueState *> operands,
             DimExprs &exprs);

/// See FoldingInterface::resultsOfLoop. REQUIRES: describeLoop knows the
/// operator.
llvm::SmallVector<ValueState, 2>
resultsOfLoop(Operator op, bool runs,
              llvm::ArrayRef<const ValueState *> operands,
              llvm::ArrayRef<ValueState> last,
              llvm::ArrayRef<ValueState> results, DimExprs &exprs);

/// The type of argument `i` of the body in each iteration, as far as the type
/// of operand `i` (`type`) implies it: the type of the tensors of a sequence, a
/// tensor type without a shape, or a type that is no tensor. Null if nothing is
/// implied. REQUIRES: as resultsOfLoop, and there is an operand `i`.
mlir::Type typeOfLoopArgument(Operator op, unsigned i, mlir::Type type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_LOOPSHAPES_H
