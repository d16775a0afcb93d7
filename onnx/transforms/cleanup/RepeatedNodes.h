//===- RepeatedNodes.h - A node that repeats an earlier one -----*- C++ -*-===//
//
// The part of `common-subexpression` that needs no evaluation: a node that has
// the operator, the attributes and the operands of an earlier one is replaced
// by it, or by what replaced that, before anything is computed of it. Exporters
// write the same shape arithmetic for every layer, so most nodes of a model may
// be repetitions, and neither kernels nor patterns look at them. EqualNodes
// finds what is equal for other reasons.
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

  /// For Evaluation::run: true if `op` repeats an earlier node, which its users
  /// read now. REQUIRES: the operands of `op` are evaluated.
  bool replace(mlir::Operation *op);

  /// From now on nodes may repeat this one.
  bool visit(const CleanUpContext &cx) override;
  bool finish() override;

  /// The hash of `op`, if it is the last that visit() saw and was not edited
  /// since: what Subexpressions::hashOf says where no result is known in part
  /// and operands cannot change places.
  std::optional<unsigned> hashOf(mlir::Operation *op) const {
    return op == noted && !session.isEdited(op) ? std::optional(hashOfAsked)
                                                : std::nullopt;
  }

private:
  bool mayRepeat(mlir::Operation *op) const;

  std::unique_ptr<Subexpressions> known; // of this walk
  /// The last one that was asked about and is no repetition, and its hash.
  mlir::Operation *asked = nullptr;
  mlir::Operation *noted = nullptr; ///< the same, when visit() has seen it
  unsigned hashOfAsked = 0;
};

/// A runtime fuses it with its user (MatMulNBits of ONNX Runtime), if that is
/// one node alone: such nodes are not merged.
bool isCompactWeight(mlir::Operation *op, const Evaluation &evaluation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_REPEATEDNODES_H
