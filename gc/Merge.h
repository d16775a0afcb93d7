//===- Merge.h - Equal constants become one attribute -----------*- C++ -*-===//
//
// Disposable attributes bypass the uniquer, so that two of equal value are two
// attributes, and operations that hold them are not equal for CSE, folders and
// patterns. This makes them one, without turning them into immortal attributes:
//
//   mergeEqual(*module);       // or the pass `merge-constants`, then `cse`
//
// Attributes are equal if they have the same type and their elements the same
// bytes. Those of one type are compared: the hash of their first elements
// distinguishes most, contentHash the rest, and values with equal hashes are
// compared byte by byte. So each value is read at most three times, if another
// one looks like it, and its beginning if another one has its type. Deferred
// values are computed for that.
//
// A disposable attribute that equals an ordinary one in the same module becomes
// that (DenseElementsAttr before DenseResourceElementsAttr); resources that are
// equal become the first of them; disposable ones the first of them, in the
// order of the module. Those that are not referred to any more are freed by the
// next collection. Elided values equal nothing.
//
// Thread safety: no other thread may change or look at the operation; uses the
// threads of the context. Collections of other threads wait.
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
  uint64_t merged = 0; ///< attributes that became another one
  uint64_t bytes = 0;  ///< of their values
};

/// Merges all attributes that `op` and the operations nested in it refer to.
MergeResult mergeEqual(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_GC_MERGE_H
