//===- MlirText.h - Text that MLIR's parser cannot be given -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// For whoever parses textual IR. MLIR 22's parser ends the process on
// `array<index: 1>`, and on `linalg.transpose` with an empty permutation
// (docs/upstream-bugs.md); what it cannot be given gets a message first. Names
// with escapes (`"linalg\2etranspose"`) are not looked for.
//
//   if (llvm::Error error = checkMlirText(*buffer))
//     return error; // "line 3, column 17: array<index: ...> ... expected"
//
// Thread safety: a function of its argument.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_UPSTREAM_MLIRTEXT_H
#define ONNXFOLD_UPSTREAM_MLIRTEXT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace onnxfold {

/// An error that has line and column of what ends MLIR's parser, if the text has
/// it. Bytecode has no text to parse.
llvm::Error checkMlirText(llvm::StringRef text);

} // namespace onnxfold

#endif // ONNXFOLD_UPSTREAM_MLIRTEXT_H
