//===- NamedOptions.h - FoldOptions by the names of flags -------*- C++ -*-===//
//
// Sets a member of FoldOptions by the name of the tool's flag, for callers that
// have texts only (libonnxfold.so).
//
//   if (llvm::Error error = setOption(options, "max-growth", "10%")) ...
//
// Stateless, thread safe. Errors name the option, what it has, and what was
// expected.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_DRIVER_NAMEDOPTIONS_H
#define ONNXFOLD_ONNX_DRIVER_NAMEDOPTIONS_H

#include "onnxfold/onnx/driver/FoldOptions.h"

namespace onnxfold {

/// 12, 12K, 12M, 12G (powers of 1024); nothing if it is none of these.
std::optional<uint64_t> parseByteSize(llvm::StringRef text);

/// A size, N% or unlimited; nothing if it is none of these.
std::optional<GrowthLimit> parseGrowthLimit(llvm::StringRef text);

/// FILE,shard=SIZE,threshold=SIZE,align=SIZE; each of them may be missing.
llvm::Error readExternalData(FoldOptions &options, llvm::StringRef text);

/// The names of docs/reference.md without dashes, "level" for -O, and "report"
/// with "nodes". What may be repeated is added. A switch takes "" or "true", or
/// "false". After an error the options may be changed in part.
llvm::Error setOption(FoldOptions &options, llvm::StringRef name,
                      llvm::StringRef value);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_DRIVER_NAMEDOPTIONS_H
