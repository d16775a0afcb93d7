//===- Clz.cpp - Constant kernel of tosa.clz -----------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The number of leading zero bits of an i32.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldTosaClz(FoldContext &cx) {
  if (cx.input(0).type() != DataType::Int32)
    return Elements();
  return ops::mapAs<int32_t, int32_t>(
      cx.input(0), [](int32_t a) { return std::countl_zero(uint32_t(a)); });
}

namespace onnxfold::upstream {
void registerTosaClz(KernelRegistry &registry) {
  registry.add("clz", {1}, foldTosaClz);
}
} // namespace onnxfold::upstream
