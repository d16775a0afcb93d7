//===- EqualInitializers.h - Two equal initializers are one -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The transform `equal-initializer`: of the initializers of a graph that have
// the same type and the same bytes one is left, which all nodes read. It runs
// once, before anything is evaluated. An initializer is kept if its name is
// needed: by an output of the graph, by a body, by a quantization annotation, or
// by a node that a filter protects. Of several such all are kept, and the others
// become the first of them. Weights that DequantizeLinear reads stay apart
// (mayBeShared).
//
// Cost: that of EqualValues: a value whose type and shape no other has is not
// read, of each other one a few elements. Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_EQUALINITIALIZERS_H
#define ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_EQUALINITIALIZERS_H

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/transforms/rewrite/Transform.h"
#include "llvm/ADT/StringSet.h"

namespace onnxfold {

/// Whether other nodes may read the constant too. ONNX Runtime makes no
/// MatMulNBits of a DequantizeLinear whose weight another one reads.
bool mayBeShared(OnnxConstantOp constant);

class EqualInitializers : public Transform {
public:
  /// `annotated`: names that quantization annotations of the file have.
  EqualInitializers(RewriteSession &session, const llvm::StringSet<> &annotated)
      : Transform(session), annotated(annotated) {}
  void begin() override;

private:
  bool isNameNeeded(OnnxConstantOp constant) const;
  void merge(mlir::Block &block);
  void redirect(OnnxConstantOp from, OnnxConstantOp to);

  const llvm::StringSet<> &annotated;
  bool hasRun = false;
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_CLEANUP_EQUALINITIALIZERS_H
