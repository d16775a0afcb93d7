//===- Signal.cpp - What signal kernels share -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/Signal.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include <numbers>

using namespace onnxfold;
using namespace onnxfold::ops;

ReasonOr<int64_t> onnxfold::integerInput(FoldContext &cx, unsigned input) {
  const Elements &x = cx.input(input);
  if (x.size() == 1 && isInteger(x.type()))
    return cx.intsOf(input)[0];
  return invalid("input #" + llvm::Twine(input) + " has type " +
                 name(x.type()) + " and shape " + toString(x.shape()) +
                 ", expected one integer");
}

ReasonOr<DataType> onnxfold::outputType(FoldContext &cx) {
  int64_t number =
      cx.integer("output_datatype").value_or(int64_t(DataType::Float32));
  if (isDataType(number) && visitArithmetic(DataType(number), [](auto) {}))
    return DataType(number);
  return invalid("attribute 'output_datatype' is " + llvm::Twine(number) +
                 ", expected the number of a numeric type");
}

Reason onnxfold::checkSignal(const Elements &x, int64_t leastRank,
                             const FourierTransform &transform) {
  if (typeClass(x.type()) != TypeClass::Float || x.rank() < leastRank ||
      (x.shape().back() != 1 && x.shape().back() != 2))
    return invalid("the signal has type " + name(x.type()) + " and shape " +
                   toString(x.shape()) +
                   ", expected floats with 1 or 2 as the last dimension");
  int64_t needed = transform.inverse ? 2 : 1;
  if (transform.half && x.shape().back() != needed)
    return invalid("the last dimension is " + llvm::Twine(x.shape().back()) +
                   ", a one-sided transform needs " + llvm::Twine(needed));
  return {};
}

Reason onnxfold::checkTransform(FoldContext &cx, DataType type, int64_t rows,
                                const FourierTransform &transform) {
  int64_t length = transform.length;
  if (length <= 0)
    return invalid("the transform has length " + llvm::Twine(length));
  if (length > FourierTransform::maxLength ||
      cx.checkResult(DataType::UInt8, {int64_t(transform.memory())}))
    return notFolded(ReasonCode::WorkLimit,
                     "a transform of length " + llvm::Twine(length) +
                         " needs more memory than a result may have");
  if (auto large =
          cx.checkResult(type, {rows, transform.bins(), transform.parts()}))
    return large;
  return cx.checkWork(double(rows) * transform.work(), 60);
}

Elements onnxfold::madeInDouble(DataType type, ShapeRef shape,
                                DoublesMaker fill) {
  return Elements::fromReader(
      type, shape, [=](int64_t first, int64_t count, void *out) {
        constexpr int64_t block = 1024;
        double values[block];
        for (int64_t i = 0; i < count; i += block) {
          int64_t size = std::min(block, count - i);
          fill(first + i, size, values);
          convertBlockFromDouble(type,
                                 static_cast<char *>(out) + i * byteWidth(type),
                                 values, size);
        }
      });
}

/// sin^2(pi * k / period) for `count` k from `first` on.
static void squaredSines(int64_t first, int64_t count, double period,
                         double *out) {
  // Near 0 the square of a sine, elsewhere 1/2 - sin(pi/2 - 2a) / 2, which is
  // exact where it matters. Both halves of the window have the same bits.
  auto near = [&](int64_t i) {
    double k = double(first + i);
    return k < period - k ? k : period - k;
  };
  auto isSmall = [&](int64_t i) { return 6 * near(i) < period; };
  for (int64_t i = 0; i < count; ++i) {
    double part = isSmall(i) ? near(i) : 0.5 * (period - 4 * near(i));
    out[i] = std::numbers::pi * (part / period);
  }
  wide::sin(out, count);
  for (int64_t i = 0; i < count; ++i)
    out[i] = isSmall(i) ? out[i] * out[i] : 0.5 - 0.5 * out[i];
}

FoldResult onnxfold::foldCosineWindow(FoldContext &cx, double constant,
                                      double linear, double square) {
  ReasonOr<int64_t> size = integerInput(cx, 0);
  if (!size)
    return size.reason();
  ReasonOr<DataType> output = outputType(cx);
  if (!output)
    return output.reason();
  if (*size <= 0)
    return invalid("the size is " + llvm::Twine(*size) +
                   ", expected more than 0");
  if (Reason large = cx.checkResult(*output, {*size}))
    return large;
  bool periodic = cx.integer("periodic").value_or(1) != 0;
  double period = double(periodic ? *size : *size - 1);
  if (period == 0 && isInteger(*output))
    return undefined("a symmetric window of one element is 0 / 0");

  return madeInDouble(
      *output, {*size}, [=](int64_t first, int64_t count, double *out) {
        squaredSines(first, count, period, out);
        for (int64_t i = 0; i < count; ++i)
          out[i] = constant + out[i] * (linear + out[i] * square);
      });
}
