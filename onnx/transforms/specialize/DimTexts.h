//===- DimTexts.h - Names of dimensions that are expressions ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Exporters name a dimension that follows from others by a formula:
// "past_sequence_length + sequence_length", "2*s0", "floor(height/2)".
//
//   auto sizeOf = [&](StringRef name) { return sizes.lookup(name); };
//   DimText text = evaluateDimText("past + seq", sizeOf);
//   if (text.kind == DimText::Kind::Known) ... text.size ...
//
// A formula has names, whole numbers, + - * / // and parentheses, and the
// functions floor, ceiling, Min, Max and Mod. A minus between two letters is a
// part of a name ("batch-size"), and a name alone is no formula. `/` is exact,
// `//` rounds down.
//
// Thread safety: pure functions. There are no errors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_DIMTEXTS_H
#define ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_DIMTEXTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

namespace onnxfold {

struct DimText {
  enum class Kind {
    None,      ///< no formula
    Open,      ///< some name in it has no size
    Known,     ///< it is `size`
    Impossible ///< it is no size: negative, or no whole number
  };
  Kind kind = Kind::None;
  int64_t size = 0;
};

/// The value of a formula in which names have the sizes that `sizeOf` returns.
DimText evaluateDimText(
    llvm::StringRef text,
    llvm::function_ref<std::optional<int64_t>(llvm::StringRef)> sizeOf);

/// The text is a formula that has the name.
bool mentionsDim(llvm::StringRef text, llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_TRANSFORMS_SPECIALIZE_DIMTEXTS_H
