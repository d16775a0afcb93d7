//===- Select.cpp - Constant kernel of tosa.select -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = condition ? a : b; all broadcast.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaSelect(FoldContext &cx) {
  return ops::select(cx.input(0), cx.input(1), cx.input(2));
}

namespace onnxfold::upstream {
void registerTosaSelect(KernelRegistry &registry) {
  registry.add("select", {1}, foldTosaSelect);
}
} // namespace onnxfold::upstream
