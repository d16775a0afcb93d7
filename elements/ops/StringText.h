//===- StringText.h - The characters of string tensors ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of text, on string tensors or on one element. Text is UTF-8. A byte
// that is not part of a valid UTF-8 sequence counts as one character.
//
//   Elements z = concatStrings(x, y);
//   forEachPiece("a, b", ",", 1, [](llvm::StringRef piece) { ... });
//
// StringCast.h converts between numbers and text. Thread safety: pure
// functions. REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_STRINGTEXT_H
#define ONNXFOLD_ELEMENTS_OPS_STRINGTEXT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// The number of bytes of the characters of all elements.
/// REQUIRES: x has type String.
int64_t characterCount(const Elements &x);

/// x[i] followed by y[i], computed at once. REQUIRES: both have type String and
/// the same shape.
Elements concatStrings(const Elements &x, const Elements &y);

/// `text` without the whitespace at its ends, as Python's str.strip removes it.
llvm::StringRef trimWhitespace(llvm::StringRef text);

/// Calls f with the parts of `text` between occurrences of `delimiter`, as
/// Python's str.split gives them; parts may be empty. After `most` parts
/// (negative: no limit) f gets the rest as one part. If `delimiter` is empty,
/// the parts are those between whitespace, none of which is empty or has
/// whitespace at its ends.
void forEachPiece(llvm::StringRef text, llvm::StringRef delimiter, int64_t most,
                  llvm::function_ref<void(llvm::StringRef)> f);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_STRINGTEXT_H
