//===- TreeSums.h - Sums over trees as one ensemble -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// An isolation forest is exported as a node for each tree that gives the number
// of a leaf, nodes that make a depth and a size of that number, and a sum. In
// DML that would be a hundred lines for each tree. Whatever is computed from the
// leaf of one tree is another vote of that leaf, and a sum of trees that ask the
// same features is one ensemble.
//
// Thread safety: none. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_TREESUMS_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_TREESUMS_H

#include "mlir/IR/Region.h"

namespace onnxfold::dml {

/// Makes one TreeEnsembleRegressor of sums over functions of trees. False if
/// there are none.
bool joinTrees(mlir::Region &graph);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_TREESUMS_H
