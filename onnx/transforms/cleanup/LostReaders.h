//===- LostReaders.h - Results that lose their readers ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A node with several results may be replaced, or fold, if some of them have no
// readers: Split(x) = x if only its first result is read. When the walk visits
// such a node, its readers are there; some may be erased later, and a second
// run would not find them. So a result whose readers are all erased loses them
// at the end of the walk: they read the result of an operation that is erased
// with them, and another walk follows. Readers that fold are erased by the
// plan. When no other transform changes anything, they are replaced by
// constants, if a draft of the plan erases all readers of the result.
//
// Cost: constant for each node with several results, unless it has a reader
// that is erased. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_LOSTREADERS_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_LOSTREADERS_H

#include "onnxfold/onnx/transforms/functions/InterproceduralConstants.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"

namespace onnxfold {

class LostReaders : public Transform {
public:
  LostReaders(RewriteSession &session, InterproceduralConstants &lifts)
      : Transform(session), lifts(lifts) {}
  void begin() override { seen.clear(); }
  bool visitAny(mlir::Operation *op) override {
    if (op->getNumResults() > 1)
      seen.push_back(op);
    return false;
  }
  bool finish() override;
  bool finishLast() override;

private:
  bool isErased(mlir::Operation *reader, bool withFolded, unsigned depth) const;
  bool loses(mlir::Value result, bool withFolded) const;
  bool losesSome(mlir::Operation *op, bool withFolded) const;
  void eraseReaders(mlir::Operation *reader);
  void detach(mlir::Value result);

  InterproceduralConstants &lifts;
  std::vector<mlir::Operation *> seen; ///< with several results, in this walk
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_LOSTREADERS_H
