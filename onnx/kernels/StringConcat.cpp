//===- StringConcat.cpp - Constant kernel of onnx.StringConcat ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x followed by y, element by element. Spec: onnx StringConcat, version 20.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/StringText.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldStringConcat(FoldContext &cx) {
  return foldBinary(cx,
                    [&](const Elements &x, const Elements &y) -> FoldResult {
                      if (x.type() != DataType::String)
                        return Elements();
                      // Broadcasting repeats characters.
                      int64_t bytes = characterCount(x) + characterCount(y);
                      if (auto large = cx.checkText(bytes))
                        return large;
                      return concatStrings(x, y);
                    });
}

namespace onnxfold {
void registerStringConcat(KernelRegistry &registry) {
  registry.add("StringConcat", {20}, foldStringConcat);
}
} // namespace onnxfold
