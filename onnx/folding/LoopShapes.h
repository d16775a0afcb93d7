//===- LoopShapes.h - How Loop, Scan and SequenceMap run a body -*- C++ -*-===//
//
// The engine's questions for following types, shapes and values through loops
// (FoldingInterface.h, loopOf and resultsOfLoop). Spec: onnx Loop, Scan (8: a
// batch of scans; 9: axes), SequenceMap, all versions.
//
//   if (auto loop = describeLoop(op, operands, symbols)) ...
//
// The sizes of a scan output of a Loop without iterations are not defined, so
// only its length is known if there may be none. Runtimes refuse to scan
// nothing. Thread safety: that of the table.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_FOLDING_LOOPSHAPES_H
#define ONNXFOLD_ONNX_FOLDING_LOOPSHAPES_H

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// Nothing for other operators, and for a graph that does not fit its node.
/// REQUIRES: one state for each operand.
std::optional<BodyLoop>
describeLoop(Operator op, llvm::ArrayRef<const ValueState *> operands,
             DimExprs &exprs);

/// REQUIRES: describeLoop knows the operator.
llvm::SmallVector<ValueState, 2>
resultsOfLoop(Operator op, bool runs,
              llvm::ArrayRef<const ValueState *> operands,
              llvm::ArrayRef<ValueState> last,
              llvm::ArrayRef<ValueState> results, DimExprs &exprs);

/// What the type of operand `i` says of argument `i` of the body in each
/// iteration: what the tensors of a sequence are, of what type the elements of a
/// tensor, or that there is no tensor.
/// Null if nothing. REQUIRES: as resultsOfLoop, and there is an operand `i`.
mlir::Type typeOfLoopArgument(Operator op, unsigned i, mlir::Type type);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_LOOPSHAPES_H
