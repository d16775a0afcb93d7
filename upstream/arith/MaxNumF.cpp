//===- MaxNumF.cpp - Constant kernel of arith.maxnumf -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The larger of two floats; of a number and a NaN the number. Of two zeros the
// documentation allows either: the first.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithMaxNumF(FoldContext &cx) {
  return zipFloats(
      cx, [](auto a, auto b) { return ops::isNan(a) || a < b ? b : a; });
}

namespace onnxfold::upstream {
void registerArithMaxNumF(KernelRegistry &registry) {
  registry.add("maxnumf", {1}, foldArithMaxNumF);
}
} // namespace onnxfold::upstream
