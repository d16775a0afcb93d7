//===- SplitSequences.h - SplitToSequence as Split --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The transform `sequence-split`: SplitToSequence(x, s) is replaced by
// SequenceConstruct(Split(x, s)) if all its users read tensors at constant
// positions. The patterns then replace these users by the results of the Split,
// and no sequence is left. If another user needs the sequence, the node is kept:
// two nodes would take its place.
//
// It runs when a walk has ended, since users may be replaced in the walk, and
// another walk follows. sequence-length is here too. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_SPLITSEQUENCES_H
#define ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_SPLITSEQUENCES_H

#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class SplitSequences : public Transform {
public:
  using Transform::Transform;
  void begin() override { seen.clear(); }
  bool visit(const CleanUpContext &cx) override;
  bool finish() override;

private:
  /// The facts about a sequence whose users are looked at.
  struct Known {
    int64_t length;
    bool cannotFail; ///< its producers
    unsigned depth = 0;
  };
  bool isReadByPosition(mlir::Value sequence, Known known) const;
  bool readsByPosition(mlir::Operation *reader, mlir::Value sequence,
                       Known known) const;
  bool split(mlir::Operation *op);

  std::vector<mlir::Operation *> seen; ///< SplitToSequence, in this walk
};

/// Gives the result of `op`, which was just evaluated, if it is a
/// SequenceLength of a sequence whose number of tensors is known.
void inferSequenceLength(mlir::Operation *op, Evaluation &evaluation);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_PATTERNS_SPLITSEQUENCES_H
