//===- BufferReuse.h - Attributes of buffer reuse ---------------*- C++ -*-===//
//
// The attributes that `buffer-reuse` reads and writes. docs/passes.md describes
// the pass.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
#define ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H

#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// On an argument of a function: a bool; true says that nothing else that the
/// function sees is a view of it.
inline constexpr llvm::StringLiteral restrictAttribute =
    "deallocation.restrict";

/// On an allocation, with `mark-hoisted`: how many of its bytes are there
/// because it came out of a loop or a branch, an i64, or ShapedType::kDynamic
/// for all of them.
inline constexpr llvm::StringLiteral hoistedAttribute = "deallocation.hoisted";

} // namespace onnxfold

#endif // ONNXFOLD_DEALLOC_REUSE_BUFFERREUSE_H
