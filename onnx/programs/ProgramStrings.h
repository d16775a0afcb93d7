//===- ProgramStrings.h - Texts as elements of programs ---------*- C++ -*-===//
//
// A compiled program has no strings: an element of a tensor of strings is the
// number of its text, an i64. Equal texts have one number, so that it is copied,
// chosen and compared as any integer is. Texts are kept until the process ends.
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

/// That of the empty text is 0.
int64_t numberOfText(llvm::StringRef text);

/// The text, whose characters are never moved; nothing if no text has the
/// number.
std::optional<llvm::StringRef> textOfNumber(int64_t number);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_PROGRAMS_PROGRAMSTRINGS_H
