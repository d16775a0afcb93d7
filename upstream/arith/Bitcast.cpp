//===- Bitcast.cpp - Constant kernel of arith.bitcast -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The same bits as another type of their width.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TensorKernels.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithBitcast(FoldContext &cx) {
  return sameBits(cx.input(0), cx.resultType());
}

namespace onnxfold::upstream {
void registerArithBitcast(KernelRegistry &registry) {
  registry.add("bitcast", {1}, foldArithBitcast);
}
} // namespace onnxfold::upstream
