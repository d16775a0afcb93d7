//===- ExtF.cpp - Constant kernel of arith.extf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To a wider float type, which holds every number of the narrow one.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithExtF(FoldContext &cx) {
  return withFlags(cx, ops::cast(cx.input(0), cx.resultType()));
}

namespace onnxfold::upstream {
void registerArithExtF(KernelRegistry &registry) {
  registry.add("extf", {1}, foldArithExtF);
}
} // namespace onnxfold::upstream
