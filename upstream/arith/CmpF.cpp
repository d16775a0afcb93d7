//===- CmpF.cpp - Constant kernel of arith.cmpf -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Compares floats: each predicate is a set of outcomes.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

static FoldResult foldArithCmpF(FoldContext &cx) {
  // In the order of the enumeration.
  static constexpr uint8_t sets[] = {
      0, 1,  2,  3,  4,  5,  6, 7, // false oeq ogt oge olt ole one ord
      9, 10, 11, 12, 13, 14,       // ueq ugt uge ult ule une
      8, 15};                      // uno true
  enum : uint8_t { equal = 1, greater = 2, less = 4, unordered = 8 };
  uint8_t set = sets[cx.integer("predicate").value_or(0) & 15];
  Elements x = computable(cx.input(0)), y = computable(cx.input(1));
  if (!isFloat(x.type()))
    return Elements();
  return withFlags(cx, ops::zipTo<bool>(x, y, [set](auto a, auto b) {
                     return (set & (a == b  ? equal
                                    : a > b ? greater
                                    : a < b ? less
                                            : unordered)) != 0;
                   }));
}

namespace onnxfold::upstream {
void registerArithCmpF(KernelRegistry &registry) {
  registry.add("cmpf", {1}, foldArithCmpF);
}
} // namespace onnxfold::upstream
