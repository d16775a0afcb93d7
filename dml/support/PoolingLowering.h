//===- PoolingLowering.h - Pooling in DML -----------------------*- C++ -*-===//
#ifndef ONNXFOLD_DML_SUPPORT_POOLINGLOWERING_H
#define ONNXFOLD_DML_SUPPORT_POOLINGLOWERING_H

#include "onnxfold/dml/support/Windows.h"

namespace onnxfold::dml {

/// The windows of a node with kernel_shape; refuses those of nothing but pads.
Lowered poolingOf(LoweringContext &cx, Windows &windows);

/// max_pool or avg_pool of input 0. REQUIRES: windows.isBuiltin().
View pooledByBuiltin(LoweringContext &cx, llvm::StringRef function,
                     const Windows &windows, double padding);

/// (sum |x|^p)^(1/p) is the root of sums of these.
Expr powerOfNorm(LoweringContext &cx, Expr x);
Expr rootOfNorm(LoweringContext &cx, Expr sums);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_POOLINGLOWERING_H
