//===- Range.cpp - Kernel of com.microsoft.Range --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// start, start + delta ... below limit (above, if delta is negative); delta is
// 1 if it is left out.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static constexpr TypeSet rangeTypes = {DataType::Int16, DataType::Int32,
                                       DataType::Int64, DataType::Float32,
                                       DataType::Float64};

static FoldResult foldMicrosoftRange(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{rangeTypes},
                                      {rangeTypes, 0},
                                      {rangeTypes, 0, InputRule::Optional}}))
    return wrong;
  Elements delta = cx.hasInput(2) ? cx.input(2)
                                  : Elements::splat(cx.input(0).type(), {},
                                                    WideNum::widen(int64_t(1)));
  return runStandard(cx, "Range", 11, {cx.input(0), cx.input(1), delta});
}

namespace onnxfold {
void registerMicrosoftRange(KernelRegistry &registry) {
  registry.add("microsoft.Range", {1}, foldMicrosoftRange);
}
} // namespace onnxfold
