//===- NamedOptions.h - FoldOptions by the names of flags -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Sets a member of FoldOptions by the name of the tool's flag, for callers that
// have only texts (libonnxfold.so).
//
//   if (llvm::Error error = setOption(options, "max-growth", "10%")) ...
//
// Thread safety: the functions have no state. Errors name the option, its
// value, and what was expected.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_NAMEDOPTIONS_H
#define ONNXFOLD_ONNX_DRIVER_NAMEDOPTIONS_H

#include "onnxfold/onnx/driver/FoldOptions.h"

namespace onnxfold {

/// Parses 12, 12K, 12M, 12G (powers of 1024). Nothing for any other text.
std::optional<uint64_t> parseByteSize(llvm::StringRef text);

/// Parses a size, N% or unlimited. Nothing for any other text.
std::optional<GrowthLimit> parseGrowthLimit(llvm::StringRef text);

/// The number of random inputs of a verification that says none.
constexpr unsigned defaultTrials = 3;

/// Sets an option. Names are those of docs/reference.md without dashes, and
/// "level" for -O (options/Options.td). The value of an option that may be
/// repeated is added to earlier ones. A switch takes "" or "true", or "false".
/// After an error some of the options may be changed.
llvm::Error setOption(FoldOptions &options, llvm::StringRef name,
                      llvm::StringRef value);

/// Whether setOption knows the name.
bool isFoldOption(llvm::StringRef name);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_NAMEDOPTIONS_H
