//===- CleanUpNames.h - Names of the transforms -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The reasons that reports give for operations that no pattern replaced.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPNAMES_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPNAMES_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

#define PATTERN(function, name, roots, algebra)
#define REWRITE(function, name, level, roots, algebra)
#define INPUTS(function, name, level, roots, algebra)
#define TRANSFORM(constant, name, algebra)                                     \
  inline constexpr llvm::StringLiteral constant = name;
#define RULES(family, name, level)
#include "onnxfold/onnx/transforms/rewrite/CleanUps.def"
#undef RULES
#undef PATTERN
#undef REWRITE
#undef INPUTS
#undef TRANSFORM

/// Applied only on request, so it is not among the clean-ups.
inline constexpr llvm::StringLiteral unrolledLoop = "unroll";
inline constexpr llvm::StringLiteral inlinedFunction = "inline-functions";

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_CLEANUPNAMES_H
