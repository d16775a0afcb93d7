//===- RandomGenerators.cpp - Ranges, masks, one-hot ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/Generate.h"

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// range
//===----------------------------------------------------------------------===//

static bool rangeOf(Case &c) {
  DataType type = c.type(anyType);
  int64_t count = c.random.integer(0, c.chance(5) ? c.room() : 40);
  if (!isArithmetic(type)) {
    c.expectNull("range",
                 range(type, WideNum::widen(0), WideNum::widen(1), count));
    return true;
  }
  AnyTensor expected{type, {count}, {}};
  if (isFloat(type)) {
    double start = c.random.real(-9, 9), delta = c.random.real(-2, 2);
    for (int64_t i = 0; i < count; ++i)
      expected.cells.push_back(
          floatCell(type, llvm::APFloat(start + double(i) * delta)));
    c.add("range",
          range(type, WideNum::widen(start), WideNum::widen(delta), count),
          expected);
    return true;
  }
  Cell start = c.cell(type), delta = c.cell(type);
  for (int64_t i = 0; i < count; ++i)
    expected.cells.push_back(integerCell(
        type, Integer((unsigned __int128)integerOf(type, delta) * i +
                      (unsigned __int128)integerOf(type, start))));
  c.add("range",
        range(type, WideNum::from(type, start.bytes),
              WideNum::from(type, delta.bytes), count),
        expected);
  return true;
}

/// How many numbers a loop from `start` by `delta` meets before `limit`.
static bool rangeCountOf(Case &c) {
  DataType type = c.type(isArithmetic);
  Cell cells[3] = {c.cell(type), c.cell(type), c.cell(type)};
  WideNum n[3];
  for (int i = 0; i < 3; ++i)
    n[i] = WideNum::from(type, cells[i].bytes);
  std::optional<int64_t> expected;
  if (isFloat(type)) {
    double v[3];
    for (int i = 0; i < 3; ++i)
      v[i] = double(wideOf(type, cells[i]));
    double count = std::ceil((v[1] - v[0]) / v[2]);
    if (v[2] != 0 && count < 0x1p63)
      expected = int64_t(std::max(count, 0.0));
  } else {
    Integer start = integerOf(type, cells[0]),
            limit = integerOf(type, cells[1]);
    Integer delta = integerOf(type, cells[2]);
    if (delta != 0) {
      Integer distance = delta > 0 ? limit - start : start - limit;
      Integer step = delta > 0 ? delta : -delta;
      Integer count = distance > 0 ? (distance + step - 1) / step : 0;
      if (count <= INT64_MAX)
        expected = int64_t(count);
    }
  }
  c.expectSame("rangeCount of " + name(type).str() + " " +
                   toText(type, cells[0]) + ", " + toText(type, cells[1]) +
                   ", " + toText(type, cells[2]),
               rangeCount(n[0], n[1], n[2]), expected);
  return true;
}

//===----------------------------------------------------------------------===//
// Index tensors and masks
//===----------------------------------------------------------------------===//

static bool iotaOf(Case &c) {
  Shape shape = c.shape(1, 5);
  int64_t axis = c.random.integer(0, shape.size() - 1);
  c.add("iota along " + std::to_string(axis), iota(shape, axis),
        AnyTensor::make(DataType::Int64, shape,
                        [&](ShapeRef i) { return cellOf(i[axis]); }));
  return true;
}

static bool oneHotOf(Case &c) {
  Pair indices = c.operand(isAnyInteger, 0, 4);
  DataType type = c.type(anyType);
  Cell off = c.cell(type), on = c.cell(type);
  int64_t depth = c.random.integer(0, 9);
  int64_t axis = c.random.integer(0, indices.naive.rank());
  Shape shape(indices.naive.shape);
  shape.insert(shape.begin() + axis, depth);
  if (!c.fits(shape))
    return false;
  auto one = [&](const Cell &cell) {
    return AnyTensor{type, Shape(c.random.integer(0, 1), 1), {cell}}.elements();
  };
  c.add("oneHot at " + std::to_string(axis),
        oneHot(indices.actual, depth, axis, one(off), one(on)),
        AnyTensor::make(type, shape, [&](ShapeRef i) {
          Shape source(i);
          source.erase(source.begin() + axis);
          Integer index =
              integerOf(indices.naive.type, indices.naive.at(source));
          if (index < 0)
            index += depth;
          return index == i[axis] ? on : off;
        }));
  return true;
}

static bool eyeOf(Case &c) {
  DataType type = c.type(isNumberOrBool);
  Shape shape = {c.random.integer(0, 12), c.random.integer(0, 12)};
  int64_t k = c.random.integer(-13, 13);
  CastOptions options;
  c.add("eye " + std::to_string(k), eye(type, shape, k),
        AnyTensor::make(type, shape, [&](ShapeRef i) {
          return castCell(type, DataType::Bool, cellOf(i[1] - i[0] == k),
                          options);
        }));
  return true;
}

static bool splatOf(Case &c) {
  DataType type = c.type(isNumberOrBool);
  Cell cell = c.cell(type);
  Shape shape = c.shape(0, 5);
  // A NaN may lose its payload on the way.
  c.add("splat", Elements::splat(type, shape, WideNum::from(type, cell.bytes)),
        AnyTensor::make(type, shape, [&](ShapeRef) { return cell; }));
  return true;
}

void onnxfold::addGeneratorOperations(OperationList &list) {
  list.insert(list.end(), {{"range", rangeOf},
                           {"rangeCount", rangeCountOf},
                           {"iota", iotaOf},
                           {"oneHot", oneHotOf},
                           {"eye", eyeOf},
                           {"splat", splatOf}});
}
