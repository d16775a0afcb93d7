//===- JsonText.h - JSON of files that may be hostile -----------*- C++ -*-===//
#ifndef ONNXFOLD_ONNX_FOLDING_JSONTEXT_H
#define ONNXFOLD_ONNX_FOLDING_JSONTEXT_H

#include "llvm/Support/JSON.h"

namespace onnxfold {

/// llvm::json::parse, which takes stack for each array and object that stands in
/// another: more than `maxDepth` are an error, as what is no JSON is. (Parsed,
/// they would take as much to be freed.)
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text,
                                            unsigned maxDepth = 200);

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_FOLDING_JSONTEXT_H
