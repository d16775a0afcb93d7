//===- ComparedValues.h - Values that are rounded to float32 ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Trees cut at values of the training data, or in the middle of two: such a row
// is on the side of the cut where the rounding of float32 puts it. TreeInputs.h
// has the usual case, a scaler. What trees compare otherwise is computed by
// operators whose operands are rounded to float32 here, though all else is
// computed in doubles; the result itself is rounded by the comparison (Forest.h).
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_COMPAREDVALUES_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_COMPAREDVALUES_H

#include "onnxfold/onnx/transforms/rewrite/KnownTypes.h"
#include "llvm/ADT/DenseSet.h"

namespace onnxfold::dml {

/// Results of arithmetic in float32 whose rounding decides what trees compare.
llvm::DenseSet<mlir::Value> comparedValues(mlir::Block &graph,
                                           const KnownTypes &types);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_COMPAREDVALUES_H
