//===- ShippedRules.cpp - The sets of rules of the program ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/Rule.h"

using namespace onnxfold;
using llvm::StringRef;

std::optional<StringRef> onnxfold::shippedRules(StringRef name) {
  static constexpr StringRef fusions =
#include "onnxfold/onnx/transforms/rules/fusions.inc"
      ;
  static constexpr StringRef decompose =
#include "onnxfold/onnx/transforms/rules/decompose.inc"
      ;
  static constexpr StringRef rewrites =
#include "onnxfold/onnx/transforms/rules/rewrites.inc"
      ;
  if (name == "rewrites")
    return rewrites;
  if (name == "fusions")
    return fusions;
  if (name == "decompose")
    return decompose;
  return std::nullopt;
}
