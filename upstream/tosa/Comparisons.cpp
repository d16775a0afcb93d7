//===- Comparisons.cpp - Constant kernels of comparisons in tosa ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Comparisons, and the choice by their results.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

namespace onnxfold::upstream {
void registerTosaComparisons(KernelRegistry &registry) {
  // y = a == b; false of NaN.
  registry.add("equal", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::zipTo<bool>(cx.input(0), cx.input(1),
                            [](auto a, auto b) { return a == b; });
  });
  // y = a > b; false of NaN.
  registry.add("greater", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::zipTo<bool>(cx.input(0), cx.input(1),
                            [](auto a, auto b) { return a > b; });
  });
  // y = a >= b; false of NaN.
  registry.add("greater_equal", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::zipTo<bool>(cx.input(0), cx.input(1),
                            [](auto a, auto b) { return a >= b; });
  });
  // y = condition ? a : b; all broadcast.
  registry.add("select", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::select(cx.input(0), cx.input(1), cx.input(2));
  });
}
} // namespace onnxfold::upstream
