//===- Select.cpp - Constant kernel of arith.select ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// One of two values; the condition may be one for all elements.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;

static FoldResult foldArithSelect(FoldContext &cx) {
  return ops::select(cx.input(0), cx.input(1), cx.input(2));
}

namespace onnxfold::upstream {
void registerArithSelect(KernelRegistry &registry) {
  registry.add("select", {1}, foldArithSelect);
}
} // namespace onnxfold::upstream
