//===- Identity.cpp - Constant kernel of onnx.Identity --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The input itself, not a copy. Spec: onnx Identity, versions 1, 13, 14
// (sequences), 16 (optionals), 19, 21, 23, 24, 25.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/constprop/KernelRegistry.h"

using namespace onnxfold;

static FoldResult foldIdentity(FoldContext &cx) {
  if (cx.isSymbolic())
    return cx.input(0);
  return cx.anyInput(0);
}

namespace onnxfold {
void registerIdentity(KernelRegistry &registry) {
  registry.add("Identity", {1, 13, 14, 16, 19, 21, 23, 24, 25}, foldIdentity)
      .movesSymbols(0)
      .takesSequences();
}
} // namespace onnxfold
