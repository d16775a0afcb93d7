//===- RowBlocks.h - Whether samples are independent ------------*- C++ -*-===//
//
// A script with --batch runs some rows of its inputs after the other. That is
// right if dimension 0 is the batch of every output, and if each node's results
// for a sample depend on that sample alone. A table says so for each operator;
// one that is not in it is in the way.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_INTERNAL_ROWBLOCKS_H
#define ONNXFOLD_DML_INTERNAL_ROWBLOCKS_H

#include "onnxfold/dml/internal/GraphExport.h"

namespace onnxfold::dml {

/// What is in the way; empty if nothing is. REQUIRES: `graph` has run without
/// refusals, so that no dimension but the first is free.
std::vector<DmlRefusal> rowBlockProblems(mlir::FunctionOpInterface function,
                                         const KnownTypes &types,
                                         const GraphExport &graph);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_INTERNAL_ROWBLOCKS_H
