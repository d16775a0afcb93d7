//===- Fourier.cpp - Constant kernel of fft -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Transforms of the last one to three dimensions, computed in double one
// dimension after the other and rounded once.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/nn/Fourier.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/stablehlo/ir/Fields.h"
#include "onnxfold/stablehlo/support/Complex.h"
#include "onnxfold/stablehlo/support/Operands.h"
#include "mlir/IR/Operation.h"

using namespace onnxfold;
using namespace onnxfold::hlo;

/// f64 [rows, n, parts] of a tensor whose dimension `dim` is moved to the end.
static Elements rowsOf(const Elements &x, int64_t dim) {
  int64_t last = x.rank() - 1, n = x.dim(dim);
  Shape order;
  for (int64_t d = 0; d <= last; ++d)
    if (d != dim)
      order.push_back(d);
  order.push_back(dim);
  Elements moved = x.transpose(order).reshape({x.size() / n, n});
  if (!isComplex(x.type()))
    return ops::cast(moved, DataType::Float64).unsqueeze({2});
  auto part = [&](auto f) {
    return ops::mapAs<double, Complex>(inDouble(moved), f).unsqueeze({2});
  };
  return ops::concat({part([](Complex a) { return a.real(); }),
                      part([](Complex a) { return a.imag(); })},
                     2);
}

/// The inverse of rowsOf: x has the shape before, but for `dim`.
static Elements fromRows(const Elements &rows, const Elements &x, int64_t dim) {
  Elements values;
  if (rows.dim(2) == 2)
    values = ops::zipAs<Complex, double, double>(
        rows.slice(2, 0, 1), rows.slice(2, 1, 1),
        [](double a, double b) { return Complex(a, b); });
  else
    values = rows;
  Shape shape, back;
  for (int64_t d = 0; d < x.rank(); ++d)
    if (d != dim)
      shape.push_back(x.dim(d));
  shape.push_back(rows.dim(1));
  for (int64_t d = 0; d < x.rank(); ++d)
    back.push_back(d < dim ? d : d == dim ? x.rank() - 1 : d - 1);
  return values.reshape(shape).transpose(back);
}

static Elements transformed(const Elements &x, int64_t dim,
                            const ops::FourierTransform &transform) {
  return fromRows(ops::fourier(rowsOf(x, dim), transform), x, dim);
}

/// The size of the spectrum of real numbers, without what is conjugate.
static int64_t halfOf(int64_t length) { return length ? length / 2 + 1 : 0; }

static FoldResult foldFft(FoldContext &cx) {
  if (Reason wrong = checkCount(cx, 1))
    return wrong;
  llvm::StringRef kind = wordOf(cx.operation()->getAttr("fft_type"));
  ReasonOr<Shape> lengths = listOf(cx, "fft_length", -1);
  if (!lengths)
    return lengths.reason();
  Elements x = cx.input(0);
  int64_t count = lengths->size(), rank = x.rank();
  bool isInverse = kind == "IFFT" || kind == "IRFFT";
  bool takesReal = kind == "RFFT", givesReal = kind == "IRFFT";
  if ((!isInverse && !takesReal && kind != "FFT") || count < 1 ||
      count > rank || isComplex(x.type()) == takesReal)
    return invalid("'fft_type' is '" + kind + "' of " + name(x.type()));
  if (typeClass(x.type()) != TypeClass::Float && !isComplex(x.type()))
    return Elements();
  for (int64_t i = 0; i < count; ++i) {
    int64_t length = (*lengths)[i], dim = rank - count + i;
    bool isHalf = givesReal && i == count - 1;
    if (length < 0 || length > ops::FourierTransform::maxLength ||
        x.dim(dim) != (isHalf ? halfOf(length) : length))
      return invalid("'fft_length' is " + toString(*lengths) + " for shape " +
                     toString(x.shape()));
    if (length == 0) // as JAX writes for a dimension of no elements
      continue;
    ops::FourierTransform transform{.length = length};
    if (Reason much =
            cx.checkWork(transform.work() * double(x.size()) / double(length)))
      return much;
  }
  DataType part = isComplex(x.type()) ? partType(x.type()) : x.type();
  DataType complex =
      part == DataType::Float64 ? DataType::Complex128 : DataType::Complex64;
  DataType type = givesReal ? part : complex;
  if (x.size() == 0) {
    Shape shape(x.shape());
    if (takesReal)
      shape.back() = halfOf(lengths->back());
    else if (givesReal)
      shape.back() = lengths->back();
    return zerosOf(type, shape);
  }
  // Half a spectrum is that of the last dimension: first or last to compute.
  if (takesReal)
    x = transformed(x, rank - 1, {.length = lengths->back(), .half = true});
  for (int64_t i = 0; i < count - (takesReal || givesReal); ++i)
    x = transformed(x, rank - count + i,
                    {.length = (*lengths)[i], .inverse = isInverse});
  if (givesReal)
    x = transformed(x, rank - 1,
                    {.length = lengths->back(), .inverse = true, .half = true});
  return x ? ops::cast(x, type) : Elements();
}

namespace onnxfold::hlo {
void registerFourier(KernelRegistry &registry) {
  registry.add("fft", {1}, foldFft);
}
} // namespace onnxfold::hlo
