//===- Concat.cpp - Constant kernel of tosa.concat -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The inputs one after the other along an axis.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaConcat(FoldContext &cx) {
  ReasonOr<int64_t> axis = axisOf(cx);
  if (!axis)
    return axis.reason();
  llvm::SmallVector<Elements> parts;
  for (unsigned i = 0; i < cx.numInputs(); ++i)
    parts.push_back(cx.input(i));
  return ops::concat(parts, *axis);
}

namespace onnxfold::upstream {
void registerTosaConcat(KernelRegistry &registry) {
  registry.add("concat", {1}, foldTosaConcat);
}
} // namespace onnxfold::upstream
