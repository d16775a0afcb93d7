//===- IntegerProducts.cpp - Products of quantised matrices ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/IntegerProducts.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"
#include "onnxfold/onnx/kernels/support/Normalization.h"
#include "onnxfold/onnx/kernels/support/ZeroPoints.h"

using namespace onnxfold;
using namespace onnxfold::ops;

bool onnxfold::broadcastsToColumns(const Elements &x, ShapeRef shape) {
  return x.size() == 1
             ? x.rank() <= 1
             : x.rank() == 1 && !shape.empty() && x.dim(0) == shape.back();
}

static Elements zeroOr(const Elements &zero) {
  return zero ? zero : Elements::splat<double>({}, 0);
}

ReasonOr<Elements> onnxfold::integerProduct(FoldContext &cx, const Elements &a,
                                            const Elements &b,
                                            const Elements &zeroA,
                                            const Elements &zeroB) {
  if (zeroA && (zeroA.size() != 1 || zeroA.rank() > 1))
    return invalid("the zero point of A has shape " + toString(zeroA.shape()) +
                   ", expected one element");
  if (zeroB && !broadcastsToColumns(zeroB, b.shape()))
    return invalid("the zero point of B has shape " + toString(zeroB.shape()) +
                   ", B " + toString(b.shape()));
  ReasonOr<MatrixProduct> product = planProduct(cx, a, b, DataType::Int32);
  if (!product)
    return product.reason();
  return cast(
      wrapped(matmul(centred(a, zeroOr(zeroA).rank() == 1 ? zeroA.reshape({})
                                                          : zeroOr(zeroA)),
                     centred(b, zeroOr(zeroB)))),
      DataType::Float64);
}

FoldResult onnxfold::scaledIntegerProduct(FoldContext &cx, const Elements &a,
                                          const Elements &scaleA,
                                          const ScaledProduct &inputs,
                                          DataType type) {
  auto given = [&](unsigned i) {
    return i != 0 && cx.hasInput(i) ? cx.input(i) : Elements();
  };
  Elements zeroA = inputs.knownZeroA ? inputs.knownZeroA : given(inputs.zeroA);
  ReasonOr<Elements> sums =
      integerProduct(cx, a, cx.input(inputs.b), zeroA, given(inputs.zeroB));
  if (!sums)
    return sums.reason();
  for (unsigned i : {inputs.scaleB, inputs.bias})
    if (given(i) && !broadcastsToColumns(given(i), sums->shape()))
      return invalid("input #" + llvm::Twine(i) + " has shape " +
                     toString(given(i).shape()) + ", the product " +
                     toString(sums->shape()));
  if (scaleA.size() != 1)
    return invalid("the scale of A has shape " + toString(scaleA.shape()) +
                   ", expected one element");
  auto inDoubles = [](const Elements &x) {
    return x ? cast(x, DataType::Float64) : x;
  };
  Elements scale =
      scaledBy(inDoubles(scaleA.reshape({})), inDoubles(given(inputs.scaleB)));
  return roundedResult(
      cx, shiftedBy(scaledBy(*sums, scale), inDoubles(given(inputs.bias))),
      type);
}
