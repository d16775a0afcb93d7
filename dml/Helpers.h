//===- Helpers.h - Functions of DML that lowerings call ---------*- C++ -*-===//
//
// What takes a loop, or a formula of many lines, is a function in the script,
// written only if it is called. helpers/<name>.dml holds one function and the
// comment above it, as they appear in the script; it may call others. A new one
// needs only its file.
//
// Those that move values let NaN and infinities pass: a product with a table of
// zeros and ones would turn 0 * Inf into NaN; weigh_columns does not.
// Matrices are read row by row, whatever their size.
//
// Thread safety: pure. Errors: none.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DML_HELPERS_H
#define ONNXFOLD_DML_HELPERS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"

namespace onnxfold::dml {

/// The names of all, sorted: no variable may have one.
llvm::ArrayRef<llvm::StringRef> helperNames();

/// REQUIRES: one of helperNames().
llvm::StringRef helperText(llvm::StringRef name);

/// Adds the helper, and before it those that it calls.
void addHelper(llvm::StringRef name, llvm::SetVector<llvm::StringRef> &helpers);

} // namespace onnxfold::dml

#endif // ONNXFOLD_DML_HELPERS_H
