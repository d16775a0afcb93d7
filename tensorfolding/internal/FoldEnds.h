//===- FoldEnds.h - Where work that runs once may end -----------*- C++ -*-===//
//
// A tensor is kept from run to run if computing it is work, and keeping it
// costs less than what it is made of or little more. Views cost nothing, and
// broadcasts, fills, sequences and extensions to a wider type make much of
// little: entries repeat them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_FOLDENDS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_FOLDENDS_H

#include "mlir/IR/Operation.h"

namespace onnxfold {

enum class FoldEnd {
  Never,   // a fold ends before the operation, and the entry repeats it
  BySize,  // after it, if its result has not grown too much
  Packing, // after it: it grows by padding only
};

FoldEnd foldEndOf(mlir::Operation *op);

/// Literals, `tensor.empty`, fills, and computations with numbers: so cheap that
/// each function that uses one has its own, if they depend on no argument.
bool isCheap(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_FOLDENDS_H
