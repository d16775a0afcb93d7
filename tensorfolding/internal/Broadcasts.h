//===- Broadcasts.h - Element-wise work before broadcasts -------*- C++ -*-===//
//
// Folds end before broadcasts, which make much of little, and what is behind
// them would be repeated in each run:
//
//   f(broadcast(x))              ->  broadcast(f(x))
//   f(broadcast(x), splat)       ->  broadcast(f(x, splat))
//   f(broadcast(x), broadcast(y)) -> broadcast(f(x, y))   along the same dims
//
// for constant element-wise operations f, of any dialect on tensors or of
// linalg. Other users of the broadcasts keep them.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_BROADCASTS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_BROADCASTS_H

#include "onnxfold/tensorfolding/Analysis.h"

namespace onnxfold {

/// Rewrites the constant operations of a function; true if it changed, and the
/// analysis says nothing any more.
bool postponeBroadcasts(const ConstantAnalysis &analysis);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_BROADCASTS_H
