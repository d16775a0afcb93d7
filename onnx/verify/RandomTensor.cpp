//===- RandomTensor.cpp - Numbers that are the same everywhere ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/RandomTensor.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/verify/internal/ModelNumbers.h"
#include <complex>
#include <limits>

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::StringRef;

namespace {

/// The limits of a float type.
struct FloatLimits {
  double most, leastNormal, least, epsilon;
};

/// Draws single numbers for a tensor.
class Drawing {
public:
  Drawing(DataType type, int64_t size, const Draw &draw, Random &random)
      : type(type), draw(draw), random(random) {
    // One NaN is enough to make a sum NaN: large tensors have a few.
    rate = size <= 32 ? 0.4 : 12.0 / double(size);
  }

  double real();
  int64_t integer();
  StringRef text();

private:
  bool isRare() { return random.real() < rate; }
  double moderate();
  double wide();
  double special();
  double sameReal();
  double modelReal();
  int64_t modelInteger();
  int64_t moderateInteger();
  int64_t wideInteger();
  int64_t specialInteger();
  int64_t boundInteger();
  int64_t most() const;
  int64_t least() const;
  int64_t fitted(int64_t value) const;

  DataType type;
  const Draw &draw;
  Random &random;
  double rate;
};

} // namespace

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static FloatLimits limitsOf(DataType type) {
  switch (type) {
  case DataType::Float16:
    return {65504, 0x1p-14, 0x1p-24, 0x1p-10};
  case DataType::BFloat16:
    return {0x1.fep127, 0x1p-126, 0x1p-133, 0x1p-7};
  case DataType::Float64:
    return {std::numeric_limits<double>::max(), 0x1p-1022, 0x1p-1074, 0x1p-52};
  case DataType::Float32:
    return {std::numeric_limits<float>::max(), 0x1p-126, 0x1p-149, 0x1p-23};
  default: // 8 bits and fewer
    return {6, 0.25, 0.125, 0.25};
  }
}

/// One of the model's, or the number next to it.
double Drawing::modelReal() {
  if (!draw.model || draw.model->floats.empty())
    return random.real({-4, 4});
  double value = draw.model->floats[random.below(draw.model->floats.size())];
  double step = limitsOf(type).epsilon;
  switch (random.below(6)) {
  case 0:
    return value * (1 + step);
  case 1:
    return value * (1 - step / 2);
  case 2:
    return -value;
  default:
    return value;
  }
}

double Drawing::moderate() {
  switch (random.below(16)) {
  case 0:
    return 0.0;
  case 1:
    return -0.0;
  case 2:
  case 3:
  case 4:
  case 5:
    return modelReal();
  case 6:
  case 7:
    return double(random.integer({-8, 8}));
  case 8:
    return double(random.integer({-8, 8})) + 0.5;
  case 9:
  case 10:
  case 11:
  case 12:
    return random.real({-10, 10});
  default:
    return random.real(draw.usual);
  }
}

double Drawing::wide() {
  if (random.below(4) == 0)
    return moderate();
  FloatLimits limits = limitsOf(type);
  // Products of two do not overflow, mostly.
  double part = random.below(4) == 0 ? 0.98 : random.below(2) ? 0.4 : 0.1;
  double magnitude = std::exp2(random.real(
      {std::log2(limits.leastNormal) * part, std::log2(limits.most) * part}));
  return random.below(2) ? magnitude : -magnitude;
}

/// A number of Special. `which` is less than 14.
static double specialNumber(unsigned which, DataType type) {
  FloatLimits limits = limitsOf(type);
  const double numbers[] = {0.0,
                            -0.0,
                            NAN,
                            INFINITY,
                            -INFINITY,
                            limits.most,
                            -limits.most,
                            limits.least,
                            -limits.least,
                            limits.leastNormal,
                            -limits.leastNormal,
                            1.0,
                            -1.0,
                            2.0};
  return numbers[which % std::size(numbers)];
}

double Drawing::special() {
  return isRare() ? specialNumber(random.below(14), type) : moderate();
}

double Drawing::sameReal() {
  unsigned which = draw.round / 2;
  if (draw.round % 2 == 0 || !draw.model || draw.model->floats.empty())
    return specialNumber(which, type);
  return draw.model->floats[which % draw.model->floats.size()];
}

double Drawing::real() {
  if (draw.isBound)
    return random.real(draw.usual);
  switch (draw.numbers) {
  case Numbers::Usual:
    return random.real(draw.usual);
  case Numbers::Moderate:
    return moderate();
  case Numbers::Sparse:
    return isRare() ? moderate() : 0.0;
  case Numbers::Wide:
    return wide();
  case Numbers::Special:
    return special();
  case Numbers::Same:
    return sameReal();
  }
  llvm_unreachable("all kinds are listed");
}

//===----------------------------------------------------------------------===//
// Integers, conditions and texts
//===----------------------------------------------------------------------===//

int64_t Drawing::most() const {
  if (type == DataType::Bool)
    return 1;
  if (type == DataType::UInt64) // the conversion wraps -1
    return -1;
  return bitWidth(type) == 64
             ? std::numeric_limits<int64_t>::max()
             : (int64_t(1) << (bitWidth(type) - isSigned(type))) - 1;
}

int64_t Drawing::least() const {
  if (!isSigned(type))
    return 0;
  return bitWidth(type) == 64 ? std::numeric_limits<int64_t>::min()
                              : -(int64_t(1) << (bitWidth(type) - 1));
}

/// Within the range of the type.
int64_t Drawing::fitted(int64_t value) const {
  if (type == DataType::Bool)
    return value & 1;
  if (bitWidth(type) == 64)
    return !isSigned(type) && value < 0 ? -(value + 1) : value;
  if (value >= least() && value <= most())
    return value;
  return least() + (value & ((int64_t(1) << bitWidth(type)) - 1));
}

int64_t Drawing::modelInteger() {
  if (!draw.model || draw.model->integers.empty())
    return random.integer({-4, 4});
  int64_t value =
      draw.model->integers[random.below(draw.model->integers.size())];
  return int64_t(uint64_t(value) + random.below(3) - 1);
}

int64_t Drawing::moderateInteger() {
  return random.below(4) == 0 ? modelInteger() : random.integer({-9, 9});
}

int64_t Drawing::wideInteger() {
  if (random.below(4) == 0)
    return moderateInteger();
  return int64_t(random.next()) >> random.below(64);
}

/// A number of Special. `which` is less than 14.
static int64_t specialInteger(unsigned which, int64_t least, int64_t most) {
  const int64_t numbers[] = {0,
                             1,
                             least ? -1 : 2,
                             most,
                             least,
                             most - 1,
                             least + 1,
                             int64_t(1) << 31,
                             -(int64_t(1) << 31),
                             int64_t(1) << 32,
                             (int64_t(1) << 53) + 1,
                             2,
                             3,
                             least ? -3 : 4};
  return numbers[which % std::size(numbers)];
}

int64_t Drawing::specialInteger() {
  return isRare() ? ::specialInteger(random.below(14), least(), most())
                  : moderateInteger();
}

/// Counted from the end, or from the start.
int64_t Drawing::boundInteger() {
  int64_t value =
      draw.numbers == Numbers::Same
          ? int64_t(draw.round % 2 ? draw.usual.most : draw.usual.least)
          : random.integer(draw.usual);
  bool isNegative = draw.wraps && isSigned(type) &&
                    draw.numbers != Numbers::Usual && random.below(3) == 0;
  return isNegative ? value - int64_t(draw.usual.most) - 1 : value;
}

int64_t Drawing::integer() {
  if (draw.isBound)
    return boundInteger();
  switch (draw.numbers) {
  case Numbers::Usual:
    return random.integer(draw.usual);
  case Numbers::Moderate:
    return fitted(moderateInteger());
  case Numbers::Sparse:
    return isRare() ? fitted(moderateInteger()) : 0;
  case Numbers::Wide:
    return fitted(wideInteger());
  case Numbers::Special:
    return fitted(specialInteger());
  case Numbers::Same:
    return fitted(draw.round % 2 || !draw.model || draw.model->integers.empty()
                      ? ::specialInteger(draw.round / 2, least(), most())
                      : draw.model->integers[draw.round / 2 %
                                             draw.model->integers.size()]);
  }
  llvm_unreachable("all kinds are listed");
}

StringRef Drawing::text() {
  static const StringRef words[] = {"", "a", "onnx", "fold", "0.5", "17"};
  if (draw.numbers != Numbers::Usual && draw.model &&
      !draw.model->texts.empty() && random.below(2))
    return draw.model->texts[random.below(draw.model->texts.size())];
  return words[random.below(std::size(words))];
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

template <class T, class Function>
static Elements filled(ShapeRef shape, Function &&function) {
  std::vector<T> values(numElements(shape));
  for (T &value : values)
    value = function();
  return Elements::fromValues<T>(shape, values);
}

Elements onnxfold::randomTensor(DataType type, ShapeRef shape, const Draw &draw,
                                Random &random) {
  int64_t size = numElements(shape);
  if (type == DataType::String) {
    Drawing drawing(type, size, draw, random);
    std::vector<StringRef> texts(size);
    for (StringRef &text : texts)
      text = drawing.text();
    return Elements::fromStrings(shape, texts);
  }
  if (isComplex(type)) {
    DataType part =
        byteWidth(type) == 8 ? DataType::Float32 : DataType::Float64;
    Drawing drawing(part, size, draw, random);
    return cast(filled<std::complex<double>>(shape,
                                             [&] {
                                               double real = drawing.real();
                                               return std::complex<double>(
                                                   real, drawing.real());
                                             }),
                type);
  }
  Drawing drawing(type, size, draw, random);
  if (isFloat(type))
    return cast(filled<double>(shape, [&] { return drawing.real(); }), type);
  return cast(filled<int64_t>(shape, [&] { return drawing.integer(); }), type);
}

template <class T>
static Elements movedFloats(const Elements &value, Random &random) {
  std::vector<T> values = value.values<T>();
  for (T &one : values)
    one = std::nextafter(one, random.below(2) ? T(INFINITY) : T(-INFINITY));
  return Elements::fromValues<T>(value.shape(), values);
}

Elements onnxfold::movedByOneUnit(const Elements &value, Random &random) {
  switch (value.type()) {
  case DataType::Float32:
    return movedFloats<float>(value, random);
  case DataType::Float64:
    return movedFloats<double>(value, random);
  case DataType::Float16:
  case DataType::BFloat16: {
    double step = limitsOf(value.type()).epsilon;
    std::vector<double> values =
        cast(value, DataType::Float64).values<double>();
    for (double &one : values)
      one *= 1 + (random.below(2) ? step : -step / 2);
    return cast(Elements::fromValues<double>(value.shape(), values),
                value.type());
  }
  default:
    return {};
  }
}
