//===- NaNs.cpp - Operators for which a NaN or infinity decides -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

bool onnxfold::mustDecide(FoldContext &cx) { return cx.hasAttribute(runsName); }

/// A reason if the predicate holds for an element of input #i, a float.
template <class F>
static Reason checkNone(FoldContext &cx, unsigned i, F predicate,
                        llvm::StringRef what) {
  const Elements &x = cx.input(i);
  if (!isFloat(x.type()) || x.size() == 0 || mustDecide(cx))
    return {};
  Elements seen = x.isSplat() ? x.slice(Shape(x.rank(), 0), Shape(x.rank(), 1),
                                        Shape(x.rank(), 1))
                              : x;
  auto found = firstWhere<double>(cast(seen, DataType::Float64), predicate);
  if (!found)
    return {};
  return undefined("element " + toString(indexOf(*found, seen.shape())) +
                   " of input #" + llvm::Twine(i) + " is " + what);
}

Reason onnxfold::checkNoNaN(FoldContext &cx, unsigned i) {
  return checkNone(
      cx, i, [](double v) { return isNan(v); },
      "NaN, which runtimes do not order in one way");
}

Reason onnxfold::checkFinite(FoldContext &cx, unsigned i) {
  return checkNone(
      cx, i, [](double v) { return !std::isfinite(v); },
      "not finite: runtimes do not agree on what it gives with a weight of 0");
}

Reason onnxfold::checkNoInfinity(FoldContext &cx, unsigned i) {
  return checkNone(
      cx, i, [](double v) { return v == HUGE_VAL; },
      "infinite, and what runtimes make of its group differs");
}
