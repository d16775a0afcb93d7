//===- Broadcasts.h - Element-wise work before broadcasts -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A fold ends before a broadcast, because its result is much larger than its
// operand. The operations after the broadcast would therefore be repeated in
// each run. This rewrite moves them before it:
//
//   f(broadcast(x))              ->  broadcast(f(x))
//   f(broadcast(x), splat)       ->  broadcast(f(x, splat))
//   f(broadcast(x), broadcast(y)) -> broadcast(f(x, y))   along the same dims
//
// for constant element-wise operations f, of any dialect on tensors or of
// linalg. A broadcast that has other users is kept for these.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_BROADCASTS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_BROADCASTS_H

#include "onnxfold/tensorfolding/Analysis.h"

namespace onnxfold {

/// Rewrites the constant operations of a function; true if the function
/// changed, which invalidates the analysis.
bool postponeBroadcasts(const ConstantAnalysis &analysis);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_BROADCASTS_H
