//===- AnyTensor.cpp - Tensors of any type, element by element ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "AnyTensor.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>

using namespace onnxfold;
using llvm::APFloat;
using llvm::APInt;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// -1, which std::vector::at refuses, for an index that is not inside.
static int64_t numberOf(ShapeRef index, ShapeRef shape) {
  if (index.size() != shape.size())
    return -1;
  int64_t number = 0;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (index[d] < 0 || index[d] >= shape[d])
      return -1;
    number = number * shape[d] + index[d];
  }
  return number;
}

const Cell &AnyTensor::at(ShapeRef index) const {
  return cells.at(numberOf(index, shape));
}

Cell &AnyTensor::at(ShapeRef index) { return cells.at(numberOf(index, shape)); }

void onnxfold::forEachIndex(ShapeRef shape,
                            const std::function<void(ShapeRef)> &visit) {
  for (int64_t d : shape)
    if (d == 0)
      return;
  Shape index(shape.size(), 0);
  while (true) {
    visit(index);
    size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1])
      index[--d] = 0;
    if (d == 0)
      return;
  }
}

AnyTensor AnyTensor::make(DataType type, ShapeRef shape,
                          const std::function<Cell(ShapeRef)> &f) {
  AnyTensor result{type, Shape(shape), {}};
  forEachIndex(shape, [&](ShapeRef i) { result.cells.push_back(f(i)); });
  return result;
}

void onnxfold::forEachRow(ShapeRef shape, int64_t axis,
                          const std::function<void(ShapeRef)> &visit) {
  Shape first(shape);
  first[axis] = 1;
  forEachIndex(first, visit);
}

Shape onnxfold::shapeWithout(ShapeRef shape, ShapeRef axes, bool keepDims) {
  Shape result;
  for (size_t d = 0; d < shape.size(); ++d) {
    bool isLeft = std::find(axes.begin(), axes.end(), int64_t(d)) == axes.end();
    if (isLeft || keepDims)
      result.push_back(isLeft ? shape[d] : 1);
  }
  return result;
}

std::vector<std::vector<Cell>> onnxfold::groupsOf(const AnyTensor &x,
                                                  ShapeRef axes) {
  Shape kept = shapeWithout(x.shape, axes, true);
  std::vector<std::vector<Cell>> groups(numElements(kept));
  forEachIndex(x.shape, [&](ShapeRef i) {
    Shape target(i);
    for (int64_t axis : axes)
      target[axis] = 0;
    groups.at(numberOf(target, kept)).push_back(x.at(i));
  });
  return groups;
}

Elements AnyTensor::elements() const {
  Elements result;
  visitType(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    std::unique_ptr<T[]> values(new T[cells.size()]);
    for (size_t i = 0; i < cells.size(); ++i)
      values[i] = valueOf<T>(cells[i]);
    result = Elements::fromValues<T>(
        shape, llvm::ArrayRef<T>(values.get(), cells.size()));
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

static uint64_t bitsOf(const Cell &cell) { return valueOf<uint64_t>(cell); }

Integer onnxfold::integerOf(DataType type, const Cell &cell) {
  assert(isInteger(type) || type == DataType::Bool);
  unsigned bits = type == DataType::Bool ? 1 : bitWidth(type);
  Integer value = bitsOf(cell) & (~uint64_t(0) >> (64 - bits));
  if (isSigned(type) && (value >> (bits - 1)) & 1)
    value -= Integer(1) << bits;
  return value;
}

Cell onnxfold::integerCell(DataType type, Integer value) {
  assert(isInteger(type) || type == DataType::Bool);
  unsigned bits = type == DataType::Bool ? 1 : bitWidth(type);
  auto low = static_cast<uint64_t>(value) & (~uint64_t(0) >> (64 - bits));
  // Sub-byte integers are extended to a byte.
  bool negative = isSigned(type) && (low >> (bits - 1)) & 1;
  if (negative && bits < 8)
    low = (low | (0xffu << bits)) & 0xff;
  return cellOf(low);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(DataType type) {
  switch (type) {
  case DataType::Float64:
    return APFloat::IEEEdouble();
  case DataType::Float16:
    return APFloat::IEEEhalf();
  case DataType::BFloat16:
    return APFloat::BFloat();
  case DataType::Float8E4M3FN:
    return APFloat::Float8E4M3FN();
  case DataType::Float8E4M3FNUZ:
    return APFloat::Float8E4M3FNUZ();
  case DataType::Float8E5M2:
    return APFloat::Float8E5M2();
  case DataType::Float8E5M2FNUZ:
    return APFloat::Float8E5M2FNUZ();
  case DataType::Float6E2M3:
    return APFloat::Float6E2M3FN();
  case DataType::Float6E3M2:
    return APFloat::Float6E3M2FN();
  case DataType::Float4E2M1:
    return APFloat::Float4E2M1FN();
  default:
    return APFloat::IEEEsingle();
  }
}

static bool hasNoSpecials(DataType type) {
  return isSubByte(type) && isFloat(type);
}

APFloat onnxfold::floatOf(DataType type, const Cell &cell) {
  assert(isFloat(type));
  if (type == DataType::Float8E8M0) {
    int exponent = static_cast<uint8_t>(cell.bytes[0]);
    if (exponent == 255)
      return APFloat::getNaN(APFloat::IEEEsingle());
    return llvm::scalbn(APFloat(1.0f), exponent - 127, nearestEven);
  }
  uint64_t bits = bitsOf(cell) & (~uint64_t(0) >> (64 - bitWidth(type)));
  return APFloat(semanticsOf(type), APInt(bitWidth(type), bits));
}

/// f8E8M0: the power of two at or beside `value`, negative numbers are NaN.
static Cell exponentCell(const APFloat &value, const CastOptions &options) {
  constexpr uint8_t nan = 255, largest = 254;
  if (value.isNaN() || (value.isNegative() && !value.isZero()))
    return cellOf(nan);
  if (value.isInfinity())
    return cellOf(options.saturate ? largest : nan);
  if (value.isZero())
    return cellOf(options.saturate ? uint8_t(0) : nan);
  // value = 2^exponent * fraction, 1 <= fraction < 2
  int exponent = llvm::ilogb(value);
  APFloat fraction = llvm::scalbn(value, -exponent, nearestEven);
  APFloat one(fraction.getSemantics(), 1);
  APFloat half = llvm::scalbn(one, -1, nearestEven);
  APFloat threeHalves = one;
  threeHalves.add(half, nearestEven);
  if (exponent < -127)
    return cellOf(options.saturate ? uint8_t(0) : nan);
  bool beyond = exponent > 127 || (exponent == 127 && fraction > one);
  if (beyond)
    return cellOf(options.saturate ? largest : nan);
  bool up = options.roundMode == CastOptions::RoundMode::Up
                ? fraction > one
                : options.roundMode == CastOptions::RoundMode::Nearest &&
                      fraction >= threeHalves;
  return cellOf(uint8_t(exponent + up + 127));
}

static Cell cellOfPattern(const APFloat &value) {
  return cellOf(value.bitcastToAPInt().getZExtValue());
}

Cell onnxfold::floatCell(DataType type, APFloat value,
                         const CastOptions &options) {
  assert(isFloat(type));
  if (type == DataType::Float8E8M0)
    return exponentCell(value, options);
  const llvm::fltSemantics &format = semanticsOf(type);
  bool negative = value.isNegative(), wasInfinite = value.isInfinity();
  if (hasNoSpecials(type)) {
    // NaN becomes -0 and -NaN becomes 0, as ONNX's test data has it.
    if (value.isNaN())
      return cellOfPattern(APFloat::getZero(format, !negative));
    if (wasInfinite)
      return cellOfPattern(APFloat::getLargest(format, negative));
  }
  bool lost;
  bool wasNumber = !value.isNaN();
  value.convert(format, nearestEven, &lost);
  bool isNumber = !value.isNaN() && !value.isInfinity();
  if (typeClass(type) == TypeClass::SmallFloat && wasNumber && !isNumber &&
      options.saturate)
    value = APFloat::getLargest(format, negative);
  return cellOfPattern(value);
}

static long double toLongDouble(APFloat value) {
  bool lost;
  value.convert(APFloat::x87DoubleExtended(), nearestEven, &lost);
  APInt bits = value.bitcastToAPInt();
  long double result = 0;
  std::memcpy(&result, bits.getRawData(), 10);
  return result;
}

static APFloat fromLongDouble(long double value) {
  uint64_t words[2] = {};
  std::memcpy(words, &value, 10);
  return APFloat(APFloat::x87DoubleExtended(), APInt(80, words));
}

long double onnxfold::wideOf(DataType type, const Cell &cell) {
  if (isFloat(type))
    return toLongDouble(floatOf(type, cell));
  return static_cast<long double>(integerOf(type, cell));
}

Cell onnxfold::wideCell(DataType type, long double value) {
  return floatCell(type, fromLongDouble(value));
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

static Cell truncated(DataType to, const APFloat &value) {
  // To sub-byte types the number wraps as int64.
  unsigned bits = isSubByte(to) ? 64 : bitWidth(to);
  llvm::APSInt result(bits, /*isUnsigned=*/isUnsigned(to) && !isSubByte(to));
  bool exact;
  if (value.convertToInteger(result, APFloat::rmTowardZero, &exact) &
      APFloat::opInvalidOp)
    return Cell();
  return integerCell(to, result.isSigned() ? Integer(result.getSExtValue())
                                           : Integer(result.getZExtValue()));
}

static Cell castPart(DataType to, DataType from, const char *bytes) {
  Cell part;
  std::memcpy(part.bytes, bytes, byteWidth(from));
  return castCell(to, from, part);
}

Cell onnxfold::castCell(DataType to, DataType from, const Cell &cell,
                        const CastOptions &options) {
  if (to == from)
    return cell;
  if (isComplex(from)) {
    bool narrows = from == DataType::Complex128;
    DataType part = narrows ? DataType::Float64 : DataType::Float32;
    DataType toPart = narrows ? DataType::Float32 : DataType::Float64;
    unsigned width = byteWidth(part), toWidth = byteWidth(toPart);
    Cell real = castPart(toPart, part, cell.bytes);
    Cell imaginary = castPart(toPart, part, cell.bytes + width);
    Cell result;
    std::memcpy(result.bytes, real.bytes, toWidth);
    std::memcpy(result.bytes + toWidth, imaginary.bytes, toWidth);
    return result;
  }
  if (isFloat(from)) {
    APFloat value = floatOf(from, cell);
    if (to == DataType::Bool)
      return cellOf(!value.isZero());
    return isFloat(to) ? floatCell(to, value, options) : truncated(to, value);
  }
  Integer value = integerOf(from, cell);
  if (to == DataType::Bool)
    return cellOf(value != 0);
  if (!isFloat(to))
    return integerCell(to, value);
  APFloat exact(APFloat::IEEEquad());
  auto words = static_cast<unsigned __int128>(value);
  exact.convertFromAPInt(APInt(128, {uint64_t(words), uint64_t(words >> 64)}),
                         true, nearestEven);
  return floatCell(to, exact, options);
}

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

bool onnxfold::isNaN(DataType type, const Cell &cell) {
  if (type == DataType::Complex64) {
    auto z = valueOf<std::complex<float>>(cell);
    return z != z;
  }
  if (type == DataType::Complex128) {
    auto z = valueOf<std::complex<double>>(cell);
    return z != z;
  }
  return isFloat(type) && floatOf(type, cell).isNaN();
}

int onnxfold::compareCells(DataType type, const Cell &a, const Cell &b) {
  if (!isFloat(type)) {
    Integer x = integerOf(type, a), y = integerOf(type, b);
    return x < y ? -1 : x > y;
  }
  switch (floatOf(type, a).compare(floatOf(type, b))) {
  case APFloat::cmpLessThan:
    return -1;
  case APFloat::cmpEqual:
    return 0;
  case APFloat::cmpGreaterThan:
    return 1;
  case APFloat::cmpUnordered:
    break;
  }
  return 2;
}

int onnxfold::orderOfCells(DataType type, const Cell &a, const Cell &b) {
  if (type == DataType::String)
    return valueOf<llvm::StringRef>(a).compare(valueOf<llvm::StringRef>(b));
  if (isComplex(type)) {
    unsigned width = byteWidth(type) / 2;
    DataType part = width == 4 ? DataType::Float32 : DataType::Float64;
    for (unsigned at : {0u, width}) {
      Cell x, y;
      std::memcpy(x.bytes, a.bytes + at, width);
      std::memcpy(y.bytes, b.bytes + at, width);
      if (int result = orderOfCells(part, x, y))
        return result;
    }
    return 0;
  }
  bool aNaN = isNaN(type, a), bNaN = isNaN(type, b);
  return aNaN || bNaN ? int(aNaN) - int(bNaN) : compareCells(type, a, b);
}

bool onnxfold::sameCell(DataType type, const Cell &a, const Cell &b,
                        bool anyZero) {
  if (type == DataType::String)
    return valueOf<llvm::StringRef>(a) == valueOf<llvm::StringRef>(b);
  if (std::memcmp(a.bytes, b.bytes, byteWidth(type)) == 0)
    return true;
  if (isComplex(type)) {
    unsigned width = byteWidth(type) / 2;
    DataType part = width == 4 ? DataType::Float32 : DataType::Float64;
    Cell halves[2][2];
    for (int i : {0, 1}) {
      std::memcpy(halves[0][i].bytes, a.bytes + i * width, width);
      std::memcpy(halves[1][i].bytes, b.bytes + i * width, width);
    }
    return sameCell(part, halves[0][0], halves[1][0], anyZero) &&
           sameCell(part, halves[0][1], halves[1][1], anyZero);
  }
  if (!isFloat(type))
    return false;
  return (isNaN(type, a) && isNaN(type, b)) ||
         (anyZero && compareCells(type, a, b) == 0);
}

std::string onnxfold::toText(DataType type, const Cell &cell) {
  if (type == DataType::String)
    return "\"" + valueOf<llvm::StringRef>(cell).str() + "\"";
  std::string text;
  if (isNumeric(type) || type == DataType::Bool)
    text = std::to_string(wideOf(type, cell)) + " ";
  return text + "0x" +
         llvm::toHex(llvm::StringRef(cell.bytes, byteWidth(type)), true);
}
