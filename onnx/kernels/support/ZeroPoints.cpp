//===- ZeroPoints.cpp - Zero points and scales of products ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/ZeroPoints.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "onnxfold/onnx/kernels/support/ConvolutionKernels.h"

using namespace onnxfold;
using namespace onnxfold::ops;

ReasonOr<Elements> onnxfold::readParameter(FoldContext &cx, unsigned input,
                                           const Elements &x, int64_t axis) {
  if (!cx.hasInput(input))
    return Elements::splat<double>({}, 0);
  const Elements &value = cx.input(input);
  if (value.size() == 1 && value.rank() <= 1)
    return value.reshape({});
  if (axis >= 0 && value.rank() == 1 && value.dim(0) == x.dim(axis))
    return alongAxis(value, axis, x.rank());
  // Zero points of the other dimension of a matrix would not leave the sum.
  int64_t inner = axis == x.rank() - 1 ? x.rank() - 2 : x.rank() - 1;
  bool isMatrix = axis >= 0 && axis >= x.rank() - 2;
  if (isMatrix && value.rank() == x.rank() && value.dim(inner) == 1 &&
      broadcastShapes(value.shape(), x.shape()) == Shape(x.shape()))
    return value;
  return invalid(
      "input #" + llvm::Twine(input) + " has shape " + toString(value.shape()) +
      ", which does not fit its operand of shape " + toString(x.shape()));
}

double onnxfold::workOfProducts(ShapeRef product, const Elements &a) {
  constexpr double unitsOfElement = 50, unitsOfMatrix = 2000,
                   unitsOfIntegers = 10;
  double each = isInteger(a.type()) ? unitsOfIntegers : unitsOfMultiplyAdd;
  double matrices =
      numElements(product.drop_back(std::min<size_t>(product.size(), 2)));
  return double(numElements(product)) *
             (each * a.dim(a.rank() - 1) + unitsOfElement) +
         matrices * unitsOfMatrix;
}

ReasonOr<MatrixProduct> onnxfold::planProduct(FoldContext &cx,
                                              const Elements &a,
                                              const Elements &b,
                                              DataType type) {
  std::optional<Shape> shape = matmulShape(a.shape(), b.shape());
  if (!shape)
    return invalid("shapes " + toString(a.shape()) + " and " +
                   toString(b.shape()) + " do not multiply");
  if (Reason limit = cx.checkResult(type, *shape))
    return limit;
  if (Reason limit = cx.checkWork(workOfProducts(*shape, a), 1))
    return limit;
  return MatrixProduct{*shape};
}

bool MatrixProduct::scales(const Elements &scale) const {
  return broadcastShapes(scale.shape(), shape) == shape;
}

FoldResult onnxfold::requantized(const Elements &accumulated,
                                 const Elements &scaleA, const Elements &scaleB,
                                 const Elements &scaleY, const Elements &zero) {
  auto times = [](auto a, auto b) { return multiply(a, b); };
  auto over = [](auto a, auto b) { return a / b; };
  Elements scale =
      cast(zip(zip(scaleA, scaleB, times), scaleY, over), DataType::Float64);
  Elements y = zipAs<double, double, double>(
      accumulated, scale, [](double v, double s) { return v * s; });
  Elements one = Elements::splat<double>({}, 1);
  QuantizeOptions options{.to = zero.type()};
  if (isInteger(zero.type()))
    if (auto bad = firstNotQuantizable(y, one, options))
      return undefined("element " + toString(indexOf(*bad, y.shape())) +
                       " divided by its scale is NaN");
  return quantize(y, one, zero, options);
}
