//===- StructuredOp.h - Operations of linalg that are loop nests *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// One function folds all structured operations, named or not: linalg.generic,
// element-wise operations, reductions, products, convolutions, pooling.
//
//   void registerReduce(KernelRegistry &registry) {
//     addStructured(registry, "reduce");
//   }
//
// Thread safety: as kernels.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_SUPPORT_STRUCTUREDOP_H
#define ONNXFOLD_UPSTREAM_SUPPORT_STRUCTUREDOP_H

#include "onnxfold/constprop/KernelRegistry.h"

namespace onnxfold::upstream {

/// Folds any linalg::LinalgOp whose indices are affine. RATIONALE.md says how
/// sums are computed.
FoldResult foldStructured(FoldContext &cx);

/// Registers foldStructured. Inputs may be unknown, for example those that the
/// body does not read (`tensor.empty`).
void addStructured(KernelRegistry &registry, llvm::StringRef op);

} // namespace onnxfold::upstream

#endif // ONNXFOLD_UPSTREAM_SUPPORT_STRUCTUREDOP_H
