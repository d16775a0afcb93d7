//===- Functions.cpp - Constant kernels of functions of a float in tosa ---===//
// SPDX-License-Identifier: Apache-2.0
//
// Functions of one operand. Those that are not exact are computed in double and
// rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/TosaNumbers.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

template <auto f> static FoldResult foldWide(FoldContext &cx) {
  return ops::mapWide(cx.input(0), f);
}

static void reciprocalRoot(double *values, size_t count) {
  for (size_t i = 0; i < count; ++i)
    values[i] = 1 / std::sqrt(values[i]);
}

namespace onnxfold::upstream {
void registerTosaFunctions(KernelRegistry &registry) {
  registry.add("ceil", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::mapFloat(cx.input(0), [](auto a) { return std::ceil(a); });
  });
  registry.add("floor", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::mapFloat(cx.input(0), [](auto a) { return std::floor(a); });
  });
  registry.add("exp", {1}, foldWide<ops::wide::exp>);
  registry.add("log", {1}, foldWide<ops::wide::log>);
  registry.add("erf", {1}, foldWide<ops::wide::erf>);
  registry.add("sin", {1}, foldWide<ops::wide::sin>);
  registry.add("cos", {1}, foldWide<ops::wide::cos>);
  registry.add("tanh", {1}, foldWide<ops::wide::tanh>);
  registry.add("sigmoid", {1}, foldWide<ops::wide::sigmoid>);
  // y = 1 / x.
  registry.add("reciprocal", {1}, [](FoldContext &cx) -> FoldResult {
    return ops::mapFloat(cx.input(0),
                         [](auto a) { return decltype(a)(1) / a; });
  });
  registry.add("rsqrt", {1}, foldWide<reciprocalRoot>);
}
} // namespace onnxfold::upstream
