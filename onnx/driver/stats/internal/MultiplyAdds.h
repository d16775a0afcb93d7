//===- MultiplyAdds.h - Multiply-adds of a node -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of multiply-adds in the sums of products that a node computes:
// products of matrices and convolutions, with zero padding, masked scores and
// both operands of broadcasts. A bias, an activation, elementwise arithmetic,
// pooling, normalization and moved data are none.
//
//   MacCount count = macsOf(op, sizes);
//   if (!count.macs) ... count.why ...
//
// The formulas are a table in MultiplyAdds.cpp, one line for each operator.
// Thread safety: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MULTIPLYADDS_H
#define ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MULTIPLYADDS_H

#include "onnxfold/onnx/driver/stats/internal/ValueSizes.h"

namespace onnxfold {

struct MacCount {
  std::optional<Formula> macs;
  llvm::StringRef why = {}; ///< why it is not known
};

/// REQUIRES: the node has no bodies.
MacCount macsOf(Operator op, ValueSizes &sizes);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_STATS_INTERNAL_MULTIPLYADDS_H
