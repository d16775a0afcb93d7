//===- Reciprocal.cpp - Constant kernel of tosa.reciprocal ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = 1 / x.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaReciprocal(FoldContext &cx) {
  return ops::mapFloat(cx.input(0), [](auto a) { return decltype(a)(1) / a; });
}

namespace onnxfold::upstream {
void registerTosaReciprocal(KernelRegistry &registry) {
  registry.add("reciprocal", {1}, foldTosaReciprocal);
}
} // namespace onnxfold::upstream
