//===- Shape.cpp - Constant kernel of onnx.Shape --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The dimensions of the input as int64. Spec: onnx Shape, versions 1, 13, 15
// (start, end: clamped slices), 19, 21, 23, 24, 25. Only the input's shape
// counts, so this folds where its value is not constant; dimensions that are
// not known are symbols.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"
#include <algorithm>

using namespace onnxfold;

static FoldResult foldShape(FoldContext &cx) {
  auto dims = cx.inputShape(0);
  if (!dims)
    return notFolded(ReasonCode::InputNotConstant,
                     "the rank of input #0 is not known");
  int64_t rank = dims->size();
  auto clamped = [&](llvm::StringRef name, int64_t byDefault) {
    int64_t v = cx.integer(name).value_or(byDefault);
    return std::clamp<int64_t>(v < 0 ? v + rank : v, 0, rank);
  };
  int64_t start = clamped("start", 0), end = clamped("end", rank);
  auto part = dims->slice(start, std::max<int64_t>(0, end - start));
  return Elements::fromValues<DimExpr>({int64_t(part.size())}, part);
}

namespace onnxfold {
void registerShape(KernelRegistry &registry) {
  registry.add("Shape", {1, 13, 15, 19, 21, 23, 24, 25}, foldShape)
      .ignoresValue(0);
}
} // namespace onnxfold
