//===- RandomQuantization.cpp - Linear quantisation -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/Quantize.h"
#include "llvm/ADT/APSInt.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using llvm::APFloat;

namespace {
/// Where the parameters of each element are.
struct Layout {
  Shape shape; // of the parameters
  int64_t axis = 0, blockSize = 0;

  const Cell &at(const AnyTensor &parameter, ShapeRef i) const {
    if (parameter.size() == 1 && parameter.rank() <= 1)
      return parameter.cells[0];
    if (blockSize == 0)
      return parameter.at({i[axis]});
    Shape index(i);
    index[axis] /= blockSize;
    return parameter.at(index);
  }
};
} // namespace

/// Per tensor, per axis, per block.
static Layout layoutFor(Case &c, const Pair &x) {
  Layout layout;
  if (x.naive.rank() > 0)
    layout.axis = c.random.integer(0, x.naive.rank() - 1);
  int64_t form = x.naive.rank() == 0 ? 0 : c.random.integer(0, 2);
  if (form == 0) {
    layout.shape = Shape(c.random.integer(0, 1), 1);
  } else if (form == 1) {
    layout.shape = {x.naive.shape[layout.axis]};
  } else {
    layout.blockSize = c.random.integer(1, 4);
    layout.shape = x.naive.shape;
    int64_t &n = layout.shape[layout.axis];
    n = (n + layout.blockSize - 1) / layout.blockSize;
  }
  return layout;
}

/// Scales that are numbers; sometimes 0, negative or huge.
static Pair scaleFor(Case &c, DataType type, ShapeRef shape) {
  bool tame = c.chance(70);
  return c.disguised(AnyTensor::make(type, shape, [&](ShapeRef) {
    if (type == DataType::Float8E8M0)
      return cellOf(uint8_t(c.random.integer(120, 135)));
    if (tame)
      return wideCell(type, c.random.integer(1, 40) / 16.0L);
    Cell cell = c.cell(type);
    return isNaN(type, cell) ? Cell() : cell;
  }));
}

static bool isScale(DataType type) {
  return isFullFloat(type) || type == DataType::Float8E8M0;
}

//===----------------------------------------------------------------------===//
// quantize
//===----------------------------------------------------------------------===//

/// x / scale, rounded to the type of the division.
static APFloat quotient(DataType precision, DataType xType, const Cell &x,
                        DataType scaleType, const Cell &scale) {
  APFloat a = floatOf(precision, castCell(precision, xType, x));
  a.divide(floatOf(precision, castCell(precision, scaleType, scale)),
           nearestEven);
  return a;
}

static Cell saturated(DataType to, APFloat value, Integer zero) {
  Integer low = isSigned(to) ? -(Integer(1) << (bitWidth(to) - 1)) : 0;
  Integer high = (Integer(1) << (bitWidth(to) - isSigned(to))) - 1;
  if (value.isNaN())
    return integerCell(to, std::clamp(zero, low, high));
  value.roundToIntegral(nearestEven);
  // 2^62 is beyond all types.
  bool isLarge =
      value.isInfinity() || (!value.isZero() && llvm::ilogb(value) > 61);
  Integer rounded;
  if (isLarge) {
    rounded = (Integer(1) << 62) * (value.isNegative() ? -1 : 1);
  } else {
    llvm::APSInt result(64, /*isUnsigned=*/false);
    bool exact;
    value.convertToInteger(result, APFloat::rmTowardZero, &exact);
    rounded = result.getSExtValue();
  }
  return integerCell(to, std::clamp(rounded + zero, low, high));
}

static bool quantizeOf(Case &c) {
  Pair x = c.operand(anyType);
  Layout layout = layoutFor(c, x);
  DataType scaleType = c.type(isScale);
  DataType to = c.type([](DataType type) {
    return (isInteger(type) && bitWidth(type) <= 32) ||
           typeClass(type) == TypeClass::SmallFloat;
  });
  if (c.chance(10))
    to = DataType::Int64; // which quantisation does not give
  QuantizeOptions options;
  options.axis = layout.axis;
  options.blockSize = layout.blockSize;
  options.cast.saturate = c.chance(50);
  Pair scale = scaleFor(c, scaleType, layout.shape), zero;
  if (c.chance(60) && (isInteger(to) || isSubByte(to)))
    zero = c.fresh(to, layout.shape);
  if (!zero.actual || c.chance(50))
    options.to = to;
  DataType precision = isFullFloat(scaleType) ? scaleType : DataType::Float32;
  if (c.chance(30))
    precision = options.precision = c.type(isFullFloat);
  std::string what = "quantize to " + name(to).str() + " in " +
                     name(precision).str() + ", axis " +
                     toString({layout.axis, layout.blockSize});
  bool known = isFullFloat(x.naive.type) || x.naive.type == DataType::Int32;
  if (!known || to == DataType::Int64) {
    c.expectNull(what, quantize(x.actual, scale.actual, zero.actual, options));
    return true;
  }
  c.expectSame("checkQuantization",
               checkQuantization(x.actual, scale.actual, zero.actual, options)
                   .value_or(""),
               std::string());
  bool undefinedSign = false;
  auto expected = AnyTensor::make(to, x.naive.shape, [&](ShapeRef i) {
    APFloat value = quotient(precision, x.naive.type, x.naive.at(i), scaleType,
                             layout.at(scale.naive, i));
    undefinedSign |= value.isNaN();
    if (!isInteger(to) && isSubByte(to)) {
      if (!zero.actual)
        return floatCell(to, value, options.cast);
      long double shift = wideOf(to, layout.at(zero.naive, i));
      bool lost;
      value.convert(APFloat::IEEEdouble(), nearestEven, &lost);
      return floatCell(to, APFloat(value.convertToDouble() + double(shift)),
                       options.cast);
    }
    if (!isInteger(to))
      return floatCell(to, value, options.cast);
    return saturated(to, value,
                     zero.actual ? integerOf(to, layout.at(zero.naive, i)) : 0);
  });
  // Floats without NaN keep its sign, which is not known.
  if (undefinedSign && isSubByte(to) && !isInteger(to))
    return false;
  c.add(what, quantize(x.actual, scale.actual, zero.actual, options), expected);
  return true;
}

static bool notQuantizable(Case &c) {
  Pair x = c.operand(isFullFloat);
  Layout layout = layoutFor(c, x);
  DataType scaleType = c.type(isFullFloat);
  Pair scale = c.fresh(scaleType, layout.shape);
  QuantizeOptions options;
  options.axis = layout.axis;
  options.blockSize = layout.blockSize;
  std::optional<int64_t> expected;
  int64_t number = 0;
  forEachIndex(x.naive.shape, [&](ShapeRef i) {
    long double value = wideOf(x.naive.type, x.naive.at(i)) /
                        wideOf(scaleType, layout.at(scale.naive, i));
    if (std::isnan(value) && !expected)
      expected = number;
    ++number;
  });
  c.expectSame("firstNotQuantizable",
               firstNotQuantizable(x.actual, scale.actual, options), expected);
  return true;
}

//===----------------------------------------------------------------------===//
// dequantize
//===----------------------------------------------------------------------===//

static bool dequantizeOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  Layout layout = layoutFor(c, x);
  DataType scaleType = c.type(isScale), to = scaleType;
  QuantizeOptions options;
  options.axis = layout.axis;
  options.blockSize = layout.blockSize;
  Pair scale = scaleFor(c, scaleType, layout.shape), zero;
  if (c.chance(60) && isNumeric(type))
    zero = c.fresh(type, layout.shape);
  if (c.chance(30))
    to = options.to = c.type(isFullFloat);
  std::string what = "dequantize to " + name(to).str() + ", axis " +
                     toString({layout.axis, layout.blockSize});
  Elements actual = dequantize(x.actual, scale.actual, zero.actual, options);
  if (!isNumeric(type) || !isFullFloat(to)) {
    c.expectNull(what, actual);
    return true;
  }
  c.add(what, actual, AnyTensor::make(to, x.naive.shape, [&](ShapeRef i) {
          // In double by definition.
          auto value = double(wideOf(type, x.naive.at(i)));
          auto factor = double(wideOf(scaleType, layout.at(scale.naive, i)));
          if (zero.actual)
            value -= double(wideOf(type, layout.at(zero.naive, i)));
          return floatCell(to, APFloat(value * factor));
        }));
  return true;
}

void onnxfold::addQuantizationOperations(OperationList &list) {
  list.insert(list.end(), {{"quantize", quantizeOf},
                           {"firstNotQuantizable", notQuantizable},
                           {"dequantize", dequantizeOf}});
}
