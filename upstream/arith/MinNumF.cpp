//===- MinNumF.cpp - Constant kernel of arith.minnumf -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The smaller of two floats; of a number and a NaN the number. Of two zeros
// the documentation allows either: the first.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMinNumF(FoldContext &cx) {
  return zipFloats(
      cx, [](auto a, auto b) { return ops::isNan(a) || a > b ? b : a; });
}

namespace onnxfold::upstream {
void registerArithMinNumF(KernelRegistry &registry) {
  registry.add("minnumf", {1}, foldArithMinNumF);
}
} // namespace onnxfold::upstream
