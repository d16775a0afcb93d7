//===- RemF.cpp - Constant kernel of arith.remf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Remainders with the sign of the dividend, as fmod; exact.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithRemF(FoldContext &cx) {
  return zipFloats(cx, [](auto a, auto b) {
    return decltype(a)(std::fmod(double(a), double(b)));
  });
}

namespace onnxfold::upstream {
void registerArithRemF(KernelRegistry &registry) {
  registry.add("remf", {1}, foldArithRemF);
}
} // namespace onnxfold::upstream
