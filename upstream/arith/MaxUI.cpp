//===- MaxUI.cpp - Constant kernel of arith.maxui -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The larger of two numbers without a sign.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMaxUI(FoldContext &cx) {
  return zipBits<uint64_t>(
      cx, [](uint64_t a, uint64_t b) { return a < b ? b : a; });
}

namespace onnxfold::upstream {
void registerArithMaxUI(KernelRegistry &registry) {
  registry.add("maxui", {1}, foldArithMaxUI);
}
} // namespace onnxfold::upstream
