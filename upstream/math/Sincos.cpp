//===- Sincos.cpp - Constant kernel of math.sincos ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The sine and the cosine.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldMathSincos(FoldContext &cx) {
  FoldResult sine = mapDoubles(cx, ops::wide::sin);
  FoldResult cosine = mapDoubles(cx, ops::wide::cos);
  if (!sine || !cosine)
    return sine ? cosine : sine;
  return llvm::SmallVector<FoldedValue, 1>{sine.values()[0],
                                           cosine.values()[0]};
}

namespace onnxfold::upstream {
void registerMathSincos(KernelRegistry &registry) {
  registry.add("sincos", {1}, foldMathSincos);
}
} // namespace onnxfold::upstream
