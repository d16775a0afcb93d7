//===- RewriteGrowth.h - Rewrites under the limit on growth -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A rewrite may need new constants that are larger than those that nobody reads
// after it: a weight that several nodes read is scaled for one of them, or the
// weight was a ConstantOfShape. If the limit on growth left such a constant out,
// the nodes that compute it would run each time. So these rewrites wait until
// nothing else is left to do, and get what the plan leaves of the limit. Those
// whose constants an Expand makes of small ones need room for these only.
//
//   if (!growth.allows(op)) { nodes.discard(); return; }   // nodes for `op`
//   bool finishLast() { return growth.offer(); }           // another walk
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITEGROWTH_H
#define ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITEGROWTH_H

#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"

namespace onnxfold {

class RewriteGrowth {
public:
  explicit RewriteGrowth(RewriteSession &session) : session(session) {}

  /// The constants of the nodes that were created for `op` fit. They count from
  /// now on if they do.
  bool allows(mlir::Operation *op);
  /// Gives the rewrites that wait what is left of the limit. True if another
  /// walk could make some of them.
  bool offer();
  /// Some rewrite was left out.
  bool isLimited() const { return waits; }

private:
  llvm::SmallVector<mlir::Operation *> constantsOf() const;
  int64_t bytesOf(mlir::Operation *op) const;
  bool reserve(mlir::Operation *op,
               llvm::ArrayRef<mlir::Operation *> constants);
  int64_t bytesFreed(mlir::Operation *op,
                     llvm::ArrayRef<mlir::Operation *> made) const;

  RewriteSession &session;
  bool waits = false, wasOffered = false;
  int64_t left = 0; ///< of what was offered
  /// The bytes of constants of rewrites that were made, which later ones may
  /// replace.
  llvm::DenseMap<mlir::Operation *, int64_t> counted;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_REWRITE_REWRITEGROWTH_H
