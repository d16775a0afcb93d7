//===- Indexing.h - Elements at indices that a run computes -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Turns the indices of operators that gather and scatter into numbers of rows
// of a matrix. Indices that are out of range stop the script.
//
// Thread safety and errors: as LoweringContext.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_INDEXING_H
#define ONNXFOLD_DML_SUPPORT_INDEXING_H

#include "onnxfold/dml/support/Movement.h"

namespace onnxfold::dml {

/// 0, 1, ... as a column.
Expr rowNumbers(LoweringContext &cx, Size count);

/// Indices along one axis (GatherElements): both tensors as matrices whose
/// columns are the axis.
struct ElementRows {
  View data, index;
  Expr numbers; ///< the row of `data` that each row of `index` is for: a column
  Shape indexDims; ///< of the tensor of indices, the axis last
};
/// The rows; nothing if the free batch size would have to move.
std::optional<ElementRows> elementRows(LoweringContext &cx, unsigned data,
                                       unsigned index, int64_t axis);

/// Places in some dimensions (GatherND): the data as a matrix whose rows are
/// these dimensions.
struct BlockRows {
  View data;
  Expr places; ///< a column of numbers of rows
  Size count;  ///< how many
};
/// The rows, where the first `batch` dimensions of both tensors are the same.
/// Nothing if the free batch size is indexed.
std::optional<BlockRows> blockRows(LoweringContext &cx, unsigned data,
                                   unsigned index, int64_t batch);

/// The attribute `reduction` as the number that scatter_rows takes.
int scatterReduction(LoweringContext &cx);

/// Lowers ScatterElements.
Lowered lowerElementScatter(LoweringContext &cx);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_INDEXING_H
