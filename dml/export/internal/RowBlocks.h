//===- RowBlocks.h - Whether samples are independent ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A script with --batch runs its inputs in blocks of rows. That is correct if
// dimension 0 is the batch of every output, and if each node's results for a
// sample depend on that sample alone. A table says whether they do for each
// operator. An operator that is not in the table is refused.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_INTERNAL_ROWBLOCKS_H
#define ONNXFOLD_DML_EXPORT_INTERNAL_ROWBLOCKS_H

#include "onnxfold/dml/export/internal/GraphExport.h"

namespace onnxfold::dml {

/// The nodes that forbid --batch, with reasons; empty if there are none.
/// REQUIRES: `graph` has run without refusals, so that no dimension but the
/// first is free.
std::vector<DmlRefusal> rowBlockProblems(mlir::FunctionOpInterface function,
                                         const KnownTypes &types,
                                         const GraphExport &graph);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_INTERNAL_ROWBLOCKS_H
