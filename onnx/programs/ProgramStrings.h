//===- ProgramStrings.h - Texts as elements of programs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A compiled program has no strings: an element of a tensor of strings is the
// number of its text, an i64. Equal texts have the same number, so elements are
// copied, chosen and compared like integers. Texts are kept until the process
// ends.
//
// Thread safety: any number of threads.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_PROGRAMS_PROGRAMSTRINGS_H
#define ONNXFOLD_ONNX_PROGRAMS_PROGRAMSTRINGS_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace onnxfold {

/// The number of a text; that of the empty text is 0.
int64_t numberOfText(llvm::StringRef text);

/// The text of a number, whose characters are never moved; nothing if no text
/// has the number.
std::optional<llvm::StringRef> textOfNumber(int64_t number);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_PROGRAMSTRINGS_H
