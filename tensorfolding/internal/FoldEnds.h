//===- FoldEnds.h - Where work that runs once may end -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A tensor is kept between runs if it takes work to compute, and if it takes
// less memory than its sources, or little more. Views cost nothing, and the
// results of broadcasts, fills, sequences and extensions to a wider type are
// much larger than their operands: entries repeat these operations.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_FOLDENDS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_FOLDENDS_H

#include "mlir/IR/Operation.h"

namespace onnxfold {

enum class FoldEnd {
  Never,   // a fold ends before the operation, and the entry repeats it
  BySize,  // after it, if its result has not grown too much
  Packing, // after it, since the result grows by padding only
};

FoldEnd foldEndOf(mlir::Operation *op);

/// Whether the operation is a literal, `tensor.empty`, a fill, or a computation
/// with scalars. These are so cheap that each function that uses one has its
/// own copy, if it depends on no argument.
bool isCheap(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_FOLDENDS_H
