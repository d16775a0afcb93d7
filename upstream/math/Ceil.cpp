//===- Ceil.cpp - Constant kernel of math.ceil --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The next whole number above.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathCeil(FoldContext &cx) {
  return mapFloats(cx, [](auto a) { return decltype(a)(std::ceil(a)); });
}

namespace onnxfold::upstream {
void registerMathCeil(KernelRegistry &registry) {
  registry.add("ceil", {1}, foldMathCeil);
}
} // namespace onnxfold::upstream
