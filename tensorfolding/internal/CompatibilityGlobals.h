//===- CompatibilityGlobals.h - The globals of graph-compiler ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Programs that were made for graph-compiler's pass read seven constants with
// fixed names: __num_orig_args, __num_orig_num_args, __fold_args,
// __compute_args, __runtime_fold_buffer_ids, __folded_ranks, __folded_shapes.
// The ids of buffers, which are process-wide in graph-compiler, are the numbers
// of folded tensors here.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_COMPATIBILITYGLOBALS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_COMPATIBILITYGLOBALS_H

#include "onnxfold/tensorfolding/ConstantTensors.h"

namespace onnxfold {

/// Writes the constants for a folded entry, at the start of its module; none if
/// no tensor was folded. Fails with an error at the entry if folded tensors
/// have dynamic shapes, for which the format has no place, or a name is taken.
mlir::LogicalResult writeCompatibilityGlobals(mlir::FunctionOpInterface entry);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_COMPATIBILITYGLOBALS_H
