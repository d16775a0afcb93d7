//===- CtPop.cpp - Constant kernel of math.ctpop ------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of bits that are set.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathCtPop(FoldContext &cx) {
  Elements x = widened<uint64_t>(cx.input(0));
  if (!x)
    return Elements();
  auto f = [](uint64_t a) { return uint64_t(std::popcount(a)); };
  return lowBits(ops::mapAs<uint64_t, uint64_t>(x, f), cx.input(0).type());
}

namespace onnxfold::upstream {
void registerMathCtPop(KernelRegistry &registry) {
  registry.add("ctpop", {1}, foldMathCtPop);
}
} // namespace onnxfold::upstream
