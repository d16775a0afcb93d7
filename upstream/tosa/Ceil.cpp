//===- Ceil.cpp - Constant kernel of tosa.ceil ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = ceil(x).
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaCeil(FoldContext &cx) {
  return ops::mapFloat(cx.input(0), [](auto a) { return std::ceil(a); });
}

namespace onnxfold::upstream {
void registerTosaCeil(KernelRegistry &registry) {
  registry.add("ceil", {1}, foldTosaCeil);
}
} // namespace onnxfold::upstream
