//===- Merge.h - Equal constants become one attribute -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Disposable attributes bypass the uniquer, so that two of equal value are two
// attributes, and operations that hold them are not equal for CSE, folders and
// patterns. This makes them one, without turning them into immortal attributes:
//
//   mergeEqual(*module);       // or the pass `merge-constants`, then `cse`
//
// Attributes are equal if they have the same type and their elements have the
// same bytes. The hash of the first elements distinguishes most attributes of
// one type, contentHash the others, and values with equal hashes are compared
// byte by byte. So the beginning of a value is read if another one has its
// type, and all of it at most three times if the beginnings are equal. Deferred
// values are computed for that.
//
// A disposable attribute that equals an ordinary one in the same module is
// replaced by that (DenseElementsAttr before DenseResourceElementsAttr). Equal
// resources, and equal disposable attributes, are replaced by the first of them
// in the order of the module. The next collection frees those that are no
// longer referred to. An elided value equals no other.
//
// Thread safety: no other thread may change or read the operation; the merge
// uses the threads of the context. Collections of other threads wait for it.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_GC_MERGE_H
#define ONNXFOLD_GC_MERGE_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace onnxfold {

struct MergeResult {
  uint64_t merged = 0; ///< attributes that were replaced by another one
  uint64_t bytes = 0;  ///< of their values
};

/// Merges all attributes that `op` and the operations nested in it refer to.
MergeResult mergeEqual(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_GC_MERGE_H
