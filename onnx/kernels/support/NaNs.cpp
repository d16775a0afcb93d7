//===- NaNs.cpp - Operators in which the place of a NaN decides -----------===//

#include "onnxfold/onnx/kernels/support/NaNs.h"
#include "onnxfold/elements/ops/Elementwise.h"

using namespace onnxfold;
using namespace onnxfold::ops;

bool onnxfold::mustDecide(FoldContext &cx) { return cx.hasAttribute(runsName); }

Reason onnxfold::checkNoNaN(FoldContext &cx, unsigned i) {
  const Elements &x = cx.input(i);
  if (!isFloat(x.type()) || x.size() == 0 || mustDecide(cx))
    return {};
  Elements seen = x.isSplat() ? x.slice(Shape(x.rank(), 0), Shape(x.rank(), 1),
                                        Shape(x.rank(), 1))
                              : x;
  auto nan = firstWhere<double>(cast(seen, DataType::Float64),
                                [](double v) { return isNan(v); });
  if (!nan)
    return {};
  return undefined("element " + toString(indexOf(*nan, seen.shape())) +
                   " of input #" + llvm::Twine(i) +
                   " is NaN, which runtimes do not order in one way");
}
