//===- Text.h - Small matrices as text --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Thread safety: pure. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_SUPPORT_TEXT_H
#define ONNXFOLD_DML_SUPPORT_TEXT_H

#include "onnxfold/dml/syntax/Syntax.h"

namespace onnxfold::dml {

/// matrix("3 1 2", rows=1, cols=3): a row of integers.
Expr rowText(llvm::ArrayRef<int64_t> values);
/// The same for several rows, all of the same length.
Expr matrixText(llvm::ArrayRef<int64_t> values, int64_t rows);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_SUPPORT_TEXT_H
