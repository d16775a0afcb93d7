//===- Pow.cpp - Constant kernel of onnx.Pow ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// x to the power of y, broadcast. Spec: onnx Pow, versions 1 (attributes
// `broadcast` and `axis`), 7 (numpy broadcasting), 12 (integers; types
// differ), 13, 15.
// The result has the type of x. Floats: in double, rounded once. Integers to
// integers: exact, and wrap; negative exponents are kept, as numpy refuses
// them, but in a run the fraction is cut off. Integers to floats: in double,
// then the fraction is cut off.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/onnx/kernels/support/ElementwiseKernels.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"
#include <algorithm>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::ops;

/// 1 / base to that power, without the fraction; of 0 what a cast of an infinity
/// is in ONNX Runtime.
template <class T> static T inversePower(T base, uint64_t exponent) {
  if (base == 0)
    return std::numeric_limits<T>::min();
  if (base == -1)
    return exponent & 1 ? -1 : 1;
  return base == 1;
}

template <class T> static T power(T base, uint64_t exponent) {
  T result = 1;
  for (; exponent != 0; exponent >>= 1) {
    if (exponent & 1)
      result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

template <class T>
static Elements integerPower(const Elements &x, const Elements &y) {
  if (isSigned(y.type()))
    return zipAs<T, T, int64_t>(
        x, cast(y, DataType::Int64), [](T b, int64_t n) {
          return n < 0 ? inversePower<T>(b, uint64_t(n)) : power<T>(b, n);
        });
  return zipAs<T, T, uint64_t>(x, cast(y, DataType::UInt64), power<T>);
}

static FoldResult foldIntegerPower(FoldContext &cx, const Elements &x,
                                   const Elements &y) {
  if (isSigned(y.type()) && !mustDecide(cx))
    if (auto bad = firstWhere<int64_t>(cast(y, DataType::Int64),
                                       [](int64_t n) { return n < 0; }))
      return undefined("exponent element " +
                       toString(indexOf(*bad, y.shape())) + " is " +
                       llvm::Twine(y.number(*bad).to<int64_t>()) +
                       " and the base is " + name(x.type()));
  return x.type() == DataType::Int32 ? integerPower<int32_t>(x, y)
                                     : integerPower<int64_t>(x, y);
}

static FoldResult foldPow(FoldContext &cx) {
  ReasonOr<BroadcastOperands> operands = broadcastOperands(cx);
  if (!operands)
    return operands.reason();
  const Elements &x = operands->x, &y = operands->y;
  if (isFloat(x.type()))
    return zipWide(x, y, wide::pow);
  if (!isNumeric(y.type()) ||
      (x.type() != DataType::Int32 && x.type() != DataType::Int64))
    return Elements();
  if (isInteger(y.type()))
    return foldIntegerPower(cx, x, y);
  Elements z = zipWide(cast(x, DataType::Float64), y, wide::pow).materialize();
  if (mustDecide(cx))
    return castOfAnyRange(z, x.type());
  if (Reason outside = findOutOfRange(z, x.type()))
    return outside;
  return cast(z, x.type());
}

namespace onnxfold {
void registerPow(KernelRegistry &registry) {
  registry.add("Pow", {1, 7, 12, 13, 15}, foldPow).costs(unitsOfComposite);
}
} // namespace onnxfold
