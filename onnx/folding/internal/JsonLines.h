//===- JsonLines.h - Where in a JSON text a value is ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_JSONLINES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_JSONLINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// A member of an object, or, if the name is empty, an element of an array.
struct JsonStep {
  llvm::StringRef member;
  size_t element = 0;
};

/// The line, from 1 on, of the value at `path`; if it does not exist, that of
/// the innermost value on the path that does. REQUIRES: the text is JSON.
unsigned lineInJson(llvm::StringRef text, llvm::ArrayRef<JsonStep> path);

/// How deep arrays and objects are nested, for each of which LLVM's parser
/// takes stack. The text need not be JSON.
unsigned depthOfJson(llvm::StringRef text);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_JSONLINES_H
