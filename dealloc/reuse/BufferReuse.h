//===- BufferReuse.h - Attributes of buffer reuse ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The attributes that `buffer-reuse` reads and writes. docs/passes.md describes
// the pass.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
#define ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// On an argument of a function: a bool; it is true if no other memref of the
/// function is a view of the same memory.
inline constexpr llvm::StringLiteral restrictAttribute =
    "deallocation.restrict";

/// On an allocation, with `mark-hoisted`: the number of its bytes that were
/// hoisted out of a loop or a branch, an i64, or ShapedType::kDynamic for all
/// of them.
inline constexpr llvm::StringLiteral hoistedAttribute = "deallocation.hoisted";

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
