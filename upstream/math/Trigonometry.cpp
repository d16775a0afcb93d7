//===- Trigonometry.cpp - Constant kernels of angles in math --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Trigonometric and hyperbolic functions, computed in double and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/elements/ops/ExtraMath.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/upstream/support/Floats.h"

using namespace onnxfold;
using namespace onnxfold::upstream;

/// The sine and the cosine.
static FoldResult foldMathSincos(FoldContext &cx) {
  FoldResult sine = mapDoubles(cx, ops::wide::sin);
  FoldResult cosine = mapDoubles(cx, ops::wide::cos);
  if (!sine || !cosine)
    return sine ? cosine : sine;
  return llvm::SmallVector<FoldedValue, 1>{sine.values()[0],
                                           cosine.values()[0]};
}

namespace onnxfold::upstream {
void registerMathTrigonometry(KernelRegistry &registry) {
  registry.add("sin", {1}, mapDoubles<ops::wide::sin>);
  registry.add("cos", {1}, mapDoubles<ops::wide::cos>);
  registry.add("sincos", {1}, foldMathSincos);
  registry.add("tan", {1}, mapDoubles<ops::wide::tan>);
  registry.add("asin", {1}, mapDoubles<ops::wide::asin>);
  registry.add("acos", {1}, mapDoubles<ops::wide::acos>);
  registry.add("atan", {1}, mapDoubles<ops::wide::atan>);
  // The angle of the point (second operand, first operand), in (-pi, pi].
  registry.add("atan2", {1}, zipDoubles<ops::wide::atan2>);
  registry.add("sinh", {1}, mapDoubles<ops::wide::sinh>);
  registry.add("cosh", {1}, mapDoubles<ops::wide::cosh>);
  registry.add("tanh", {1}, mapDoubles<ops::wide::tanh>);
  registry.add("asinh", {1}, mapDoubles<ops::wide::asinh>);
  registry.add("acosh", {1}, mapDoubles<ops::wide::acosh>);
  registry.add("atanh", {1}, mapDoubles<ops::wide::atanh>);
}
} // namespace onnxfold::upstream
