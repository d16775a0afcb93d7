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

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_PATTERNS_H
