//===- UpstreamFolding.h - Folding interface of MLIR's dialects -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One FoldingInterface serves arith, math, tensor, linalg, tosa and ml_program;
// the operation itself tells what differs between them. Kernels are registered
// by name. Operations without a kernel fold by Operation::fold
// (DefaultFolding.h).
//
// Thread safety: const members may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_INTERNAL_UPSTREAMFOLDING_H
#define ONNXFOLD_UPSTREAM_INTERNAL_UPSTREAMFOLDING_H

#include "onnxfold/constprop/DefaultFolding.h"

namespace onnxfold {

class UpstreamFolding : public FoldingInterface {
public:
  explicit UpstreamFolding(mlir::Dialect *dialect);

  const KernelRegistry &kernels() const override { return registry; }
  ReasonOr<const Kernel *> kernelOf(mlir::Operation *op,
                                    int version) const override;
  /// The operation has effects, a scalable vector, or a tensor with an
  /// encoding; or it is a constant, for which this is called only if its value
  /// cannot be read.
  Reason mustBeKept(mlir::Operation *op) const override;
  bool hasConstants(mlir::Operation *op, unsigned result) const override;
  llvm::StringRef whyNoConstant(mlir::Operation *op,
                                unsigned result) const override;
  /// Makes a tosa.const or an arith.constant, followed by a tensor.cast if the
  /// type is less precise than the value.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                          unsigned result,
                          const Elements &value) const override;

private:
  KernelRegistry registry;
  DefaultFolding byOperation;
};

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_INTERNAL_UPSTREAMFOLDING_H
