//===- UpstreamFolding.h - What the engine asks MLIR's dialects -*- C++ -*-===//
//
// One FoldingInterface for arith, math, tensor, linalg, tosa and ml_program:
// what differs between them is asked of the operation. Kernels are registered by
// name; operations without one fold by Operation::fold (DefaultFolding.h).
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
  /// Effects, scalable vectors, tensors with encodings; and constants, which
  /// are asked for only if their value cannot be read.
  Reason mustBeKept(mlir::Operation *op) const override;
  bool hasConstants(mlir::Operation *op, unsigned result) const override;
  llvm::StringRef whyNoConstant(mlir::Operation *op,
                                unsigned result) const override;
  /// tosa.const, or arith.constant; with a tensor.cast behind it where the
  /// type says less than the value.
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                          unsigned result,
                          const Elements &value) const override;

private:
  KernelRegistry registry;
  DefaultFolding byOperation;
};

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_INTERNAL_UPSTREAMFOLDING_H
