//===- SequenceLoops.h - Loops that build or read sequences -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A scripted `for` that appends to a list, or that reads the parts of a split,
// is a Loop of a sequence. Once its iterations are written out, positions are
// constant, and no sequence is left. That is done without being asked if there
// are no more nodes than before.
//
//   if (losesSequences(op, *count, evaluation, isErased)) ... unroll ...
//
// Thread safety: a pure function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_SEQUENCELOOPS_H
#define ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_SEQUENCELOOPS_H

#include "onnxfold/constprop/Evaluation.h"
#include "onnxfold/onnx/ir/Operator.h"

namespace onnxfold {

/// The Loop has a sequence, and `count` copies of its body would have none, nor
/// more nodes than there are now: an estimate from above. `isErased`:
/// operations that are replaced.
bool losesSequences(Operator loop, uint64_t count, const Evaluation &evaluation,
                    llvm::function_ref<bool(mlir::Operation *)> isErased);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CONTROLFLOW_SEQUENCELOOPS_H
