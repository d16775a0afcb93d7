//===- SubI.cpp - Constant kernel of arith.subi -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Differences modulo 2^width. With nsw or nuw an overflow is poison.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Integers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithSubI(FoldContext &cx) {
  auto exact = [](auto a, auto b, auto *r) {
    return __builtin_sub_overflow(a, b, r);
  };
  if (Reason poison = checkOverflowFlags(cx, exact))
    return poison;
  return zipBits<uint64_t>(cx, [](uint64_t a, uint64_t b) { return a - b; });
}

namespace onnxfold::upstream {
void registerArithSubI(KernelRegistry &registry) {
  registry.add("subi", {1}, foldArithSubI);
}
} // namespace onnxfold::upstream
