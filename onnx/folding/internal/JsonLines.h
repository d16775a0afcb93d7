//===- JsonLines.h - Where in a JSON text a value is ------------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_FOLDING_INTERNAL_JSONLINES_H
#define ONNXFOLD_ONNX_FOLDING_INTERNAL_JSONLINES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace onnxfold {

/// A member of an object, or (a name that is empty) an element of an array.
struct JsonStep {
  llvm::StringRef member;
  size_t element = 0;
};

/// The line, from 1 on, of a value, or of the innermost one around it that
/// exists. REQUIRES: the text is JSON.
unsigned lineInJson(llvm::StringRef text, llvm::ArrayRef<JsonStep> path);

/// How deep arrays and objects stand in each other. The text may be anything:
/// LLVM's parser takes stack for each.
unsigned depthOfJson(llvm::StringRef text);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_INTERNAL_JSONLINES_H
