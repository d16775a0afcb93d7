//===- Identity.cpp - Constant kernel of tosa.identity -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// y = x.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaIdentity(FoldContext &cx) { return cx.input(0); }

namespace onnxfold::upstream {
void registerTosaIdentity(KernelRegistry &registry) {
  registry.add("identity", {1}, foldTosaIdentity);
}
} // namespace onnxfold::upstream
