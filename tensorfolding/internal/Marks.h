//===- Marks.h - Which arguments never change -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A function states which of its arguments are the same in every run by
// argument attributes `onnxfold.constant = "compiletime" | "runtime"`, or by
// arrays of argument numbers, `compiletime_const_args_index` and
// `runtime_const_args_index`, on the function.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TENSORFOLDING_INTERNAL_MARKS_H
#define ONNXFOLD_TENSORFOLDING_INTERNAL_MARKS_H

#include "onnxfold/tensorfolding/ConstantTensors.h"

namespace onnxfold {

/// True if a function has a mark, right or wrong.
bool hasMarks(mlir::FunctionOpInterface function);

/// The tier of each argument; Variable if it is not marked. A mark on an
/// argument that does not exist, that cannot be constant, that another mark
/// contradicts, or that is written to, is an error at the function.
llvm::FailureOr<llvm::SmallVector<ConstantTier>>
readMarks(mlir::FunctionOpInterface function);

void eraseMarks(mlir::FunctionOpInterface function);

} // namespace onnxfold

#endif // ONNXFOLD_TENSORFOLDING_INTERNAL_MARKS_H
