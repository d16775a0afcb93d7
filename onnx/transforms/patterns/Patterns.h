//===- Patterns.h - The patterns of the clean-ups ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
//   for (const CleanUpPattern &pattern : cleanUpPatterns())
//     index.add(pattern);
//
// Thread safety: the list never changes.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_PATTERNS_H
#define ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_PATTERNS_H

#include "onnxfold/onnx/transforms/rewrite/CleanUpPattern.h"

namespace onnxfold {

/// The patterns of CleanUps.def, in the order in which they are tried.
llvm::ArrayRef<CleanUpPattern> cleanUpPatterns();

/// Whether conv-batchnorm, which is of level 2, would match: no node is made.
/// False also if a factor or an addend is beyond 10^4 or no number, since the
/// match is refused where a new constant is not finite.
bool mayFuseBatchNorm(const CleanUpContext &cx);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_PATTERNS_H
