//===- Unique.cpp - Kernel of com.microsoft.Unique ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The different elements of a vector as each first occurs, which of them each
// element is, and how often each occurs.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldMicrosoftUnique(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{float32}}))
    return wrong;
  const Elements &x = cx.input(0);
  if (x.rank() != 1)
    return invalid("input #0 has shape " + toString(x.shape()) +
                   ", expected a vector");
  constexpr double unitsOfElement = 600;
  if (Reason large = cx.checkWork(double(x.size()), unitsOfElement))
    return large;
  if (Reason large = cx.checkResult(DataType::Int64, x.shape()))
    return large;
  if (firstWhere<float>(x.narrowed(), [](float v) { return v != v; }))
    return undefined("there is a NaN among the elements");
  Unique found = unique(x.narrowed(), {.sorted = false});
  llvm::SmallVector<Elements, 1> results = {found.values, found.inverse,
                                            found.counts};
  results.resize(cx.numResults());
  return results;
}

namespace onnxfold {
void registerMicrosoftUnique(KernelRegistry &registry) {
  registry.add("microsoft.Unique", {1}, foldMicrosoftUnique);
}
} // namespace onnxfold
