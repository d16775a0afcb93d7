//===- Normalization.h - Rows with a mean of 0 and a spread of 1 -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_NORMALIZATION_H
#define ONNXFOLD_DML_SUPPORT_NORMALIZATION_H

#include "onnxfold/dml/export/Lowering.h"

namespace onnxfold::dml {

struct NormalizedRows {
  View values;    ///< (x - mean) / deviation
  Expr mean;      ///< a column; null if it is not subtracted
  Expr deviation; ///< a column: sqrt(mean of squares + epsilon)
};

NormalizedRows normalizedRows(LoweringContext &cx, const View &rows,
                              double epsilon, bool isCentered);

/// Lowers LayerNormalization and RMSNormalization: normalizes all dimensions
/// from `axis` on, multiplies by input 1 and adds input 2. The mean and 1 /
/// deviation are further results.
Lowered lowerLastAxesNormalization(LoweringContext &cx, bool isCentered);

/// x * scale + shift by channel (dimension 1); `scale` and `shift` are rows.
Expr scaledChannels(LoweringContext &cx, Expr x, Expr scale, Expr shift);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_NORMALIZATION_H
