//===- JsonText.cpp - JSON of files that may be hostile -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/JsonText.h"
#include "onnxfold/onnx/folding/internal/JsonLines.h"

llvm::Expected<llvm::json::Value> onnxfold::parseJson(llvm::StringRef text,
                                                      unsigned maxDepth) {
  if (unsigned depth = depthOfJson(text); depth > maxDepth)
    return llvm::createStringError("values stand " + llvm::Twine(depth) +
                                   " deep in each other, expected at most " +
                                   llvm::Twine(maxDepth));
  return llvm::json::parse(text);
}
