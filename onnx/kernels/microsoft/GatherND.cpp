//===- GatherND.cpp - Kernel of com.microsoft.GatherND --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Slices of data at tuples of indices: the standard's without batches.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/Contributed.h"

using namespace onnxfold;

static FoldResult foldMicrosoftGatherND(FoldContext &cx) {
  if (Reason wrong = checkInputs(cx, {{anyType}, {ints32And64}}))
    return wrong;
  if (cx.input(1).rank() == 0)
    return invalid("the indices have rank 0, expected 1 or more");
  return runStandard(cx, "GatherND", 11, {cx.input(0), cx.input(1)});
}

namespace onnxfold {
void registerMicrosoftGatherND(KernelRegistry &registry) {
  registry.add("microsoft.GatherND", {1}, foldMicrosoftGatherND);
}
} // namespace onnxfold
