//===- Helpers.h - Functions of DML that lowerings call ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A computation that takes a loop, or a formula of many lines, is a helper
// function. The script contains the helpers that it calls, and no others.
// helpers/<name>.dml holds one helper and the comment above it, as they appear
// in the script. A helper may call others. A new helper needs only its file.
//
// Helpers that move values keep NaN and infinities. (A product with a table of
// zeros and ones would turn 0 * Inf into NaN; weigh_columns does not.) Matrices
// are read row by row, whatever their size.
//
// Thread safety: pure. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_EXPORT_HELPERS_H
#define ONNXFOLD_DML_EXPORT_HELPERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"

namespace onnxfold::dml {

/// The names of all helpers, sorted. No variable may have one of these names.
llvm::ArrayRef<llvm::StringRef> helperNames();

/// The text of a helper. REQUIRES: `name` is one of helperNames().
llvm::StringRef helperText(llvm::StringRef name);

/// Adds the helper, and before it the helpers that it calls.
void addHelper(llvm::StringRef name, llvm::SetVector<llvm::StringRef> &helpers);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_EXPORT_HELPERS_H
