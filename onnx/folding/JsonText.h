//===- JsonText.h - JSON of files that may be hostile -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_FOLDING_JSONTEXT_H
#define ONNXFOLD_ONNX_FOLDING_JSONTEXT_H

#include "llvm/Support/JSON.h"

namespace onnxfold {

/// Parses JSON as llvm::json::parse does, which takes stack for each level of
/// nested arrays and objects. More than `maxDepth` levels are an error, like a
/// text that is no JSON. (Freeing a parsed value takes as much stack.)
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            unsigned maxDepth = 200);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_JSONTEXT_H
