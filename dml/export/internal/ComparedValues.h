//===- ComparedValues.h - Values that are rounded to float32 ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// XGBoost cuts at values of the training data: x < value. If a scaler stands
// before it, such a row is on the side of the cut where the rounding of
// float32 puts it. So what these trees compare is rounded by each operator that
// computes it, though all else is computed in doubles. Other boosters and
// forests cut between two values (x <= value): rounding makes no difference.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_COMPAREDVALUES_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_COMPAREDVALUES_H

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold::dml {

/// Results of arithmetic in float32 that trees of the graph compare by `<`.
llvm::DenseSet<mlir::Value> comparedValues(mlir::Block &graph,
                                           const KnownTypes &types);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_COMPAREDVALUES_H
