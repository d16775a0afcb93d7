//===- StringText.h - The characters of string tensors ----------*- C++ -*-===//
//
// Functions of text, on string tensors or on one element. Text is UTF-8; where
// it is not, bytes that are no character are characters of their own.
//
//   Elements z = concatStrings(x, y);
//   forEachPiece("a, b", ",", 1, [](llvm::StringRef piece) { ... });
//
// Numbers from and to text: StringCast.h. Thread safety: pure functions.
// REQUIRES clauses are asserted.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_STRINGTEXT_H
#define ONNXFOLD_ELEMENTS_OPS_STRINGTEXT_H

#include "onnxfold/elements/Elements.h"

namespace onnxfold::ops {

/// Bytes of the characters of all elements. REQUIRES: x has type String.
int64_t characterCount(const Elements &x);

/// x[i] followed by y[i]. Computed at once. REQUIRES: both have type String,
/// and one shape.
Elements concatStrings(const Elements &x, const Elements &y);

/// `text` without the whitespace at its ends: that of Python's str.strip.
llvm::StringRef trimWhitespace(llvm::StringRef text);

/// The parts of `text` between occurrences of `delimiter`, of which there may
/// be empty ones, as Python's str.split has it; after `most` of them (negative:
/// no limit) the rest. Without a delimiter the parts between whitespace, none
/// of which is empty or has whitespace at its ends.
void forEachPiece(llvm::StringRef text, llvm::StringRef delimiter, int64_t most,
                  llvm::function_ref<void(llvm::StringRef)> f);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_STRINGTEXT_H
