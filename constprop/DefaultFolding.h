//===- DefaultFolding.h - Folding by MLIR's own interfaces ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The answers of FoldingInterface for operations of dialects without one, read
// from MLIR's interfaces:
//
//   RegionBranchOpInterface   scf.if, scf.while, scf.index_switch: the constant
//                             operands decide which region is next
//   LoopLikeOpInterface       scf.for: loops of one induction variable
//   CallOpInterface           func.call: the body of the function is run
//   Operation::fold           arith, math, ...: kernels of dialects that have
//                             none of their own, up to 64 KiB a value
//   materializeConstant       of the operation's dialect, else of `arith`
//
// Thread safety: const members may be called from several threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_DEFAULTFOLDING_H
#define ONNXFOLD_CONSTPROP_DEFAULTFOLDING_H

#include "onnxfold/constprop/FoldingInterface.h"

namespace onnxfold {

/// The interface of operations of dialects without a FoldingInterface. It
/// belongs to no dialect: do not call getDialect().
class DefaultFolding : public FoldingInterface {
public:
  DefaultFolding();

  const KernelRegistry &kernels() const override { return registry; }
  ReasonOr<const Kernel *> kernelOf(mlir::Operation *op,
                                    int version) const override;
  /// True if a constant can hold the result, and `arith` is loaded to make it.
  bool hasConstants(mlir::Operation *op, unsigned result) const override;
  mlir::Value materialize(mlir::OpBuilder &builder, mlir::Operation *op,
                          unsigned result,
                          const Elements &value) const override;

private:
  KernelRegistry registry; // empty
};

/// The kernel that runs the regions of a RegionBranchOpInterface, or a loop of
/// LoopLikeOpInterface; null for other operations.
const Kernel *regionKernelOf(mlir::Operation *op);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_DEFAULTFOLDING_H
