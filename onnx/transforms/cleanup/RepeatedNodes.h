//===- RepeatedNodes.h - A node that repeats an earlier one -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The part of `common-subexpression` that needs no evaluation: a node that has
// the operator, the attributes and the operands of an earlier one is replaced
// by that, or by its replacement, before it is evaluated. Exporters write the
// same shape arithmetic for every layer, so most nodes of a model may be
// repetitions, on which neither kernels nor patterns are run. EqualNodes finds
// nodes that are equal for other reasons.
//
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_REPEATEDNODES_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_REPEATEDNODES_H

#include "onnxfold/onnx/transforms/cleanup/Subexpressions.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class RepeatedNodes : public Transform {
public:
  using Transform::Transform;
  void begin() override;

  /// For Evaluation::run. True if `op` repeats an earlier node, to which its
  /// users are rewired. REQUIRES: the operands of `op` are evaluated.
  bool replace(mlir::Operation *op);

  /// Adds a node that later nodes may repeat.
  bool visit(const CleanUpContext &cx) override;
  bool finish() override;

  /// The hash of `op`, if it is the last node that visit() saw and was not
  /// edited since. Subexpressions::hashOf returns the same if no result is
  /// partly known and the operator is not commutative.
  std::optional<unsigned> hashOf(mlir::Operation *op) const {
    return op == noted && !session.isEdited(op) ? std::optional(hashOfAsked)
                                                : std::nullopt;
  }

private:
  bool mayRepeat(mlir::Operation *op) const;

  std::unique_ptr<Subexpressions> known; // of this walk
  /// The last node that replace() found to be no repetition (its hash is
  /// `hashOfAsked`).
  mlir::Operation *asked = nullptr;
  mlir::Operation *noted = nullptr; ///< the same node, once visit() saw it
  unsigned hashOfAsked = 0;
};

/// `op` dequantizes a constant. Such nodes are not merged, because a runtime
/// fuses such a node with its only user (MatMulNBits of ONNX Runtime).
bool isCompactWeight(mlir::Operation *op, const Evaluation &evaluation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_REPEATEDNODES_H
