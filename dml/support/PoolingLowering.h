//===- PoolingLowering.h - Pooling in DML -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_DML_SUPPORT_POOLINGLOWERING_H
#define ONNXFOLD_DML_SUPPORT_POOLINGLOWERING_H

#include "onnxfold/dml/support/Windows.h"

namespace onnxfold::dml {

/// Finds the windows of a node with kernel_shape. Refuses windows that have
/// only pads.
Lowered poolingOf(LoweringContext &cx, Windows &windows);

/// max_pool or avg_pool of input 0. REQUIRES: windows.isBuiltin().
View pooledByBuiltin(LoweringContext &cx, llvm::StringRef function,
                     const Windows &windows, double padding);

/// |x|^p, whose sums LpPool takes the root of: (sum |x|^p)^(1/p).
Expr powerOfNorm(LoweringContext &cx, Expr x);
Expr rootOfNorm(LoweringContext &cx, Expr sums);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_POOLINGLOWERING_H
