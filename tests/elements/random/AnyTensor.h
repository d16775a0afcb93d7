//===- AnyTensor.h - Tensors of any type, element by element ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The reference of the random tests: a list of cells and a shape. Indices are
// arithmetic on one element at a time, integers are __int128 wrapped at the
// end, floats are llvm::APFloat or long double rounded once: no code of
// elements/ and no conversion of widenum/ is used, so that their mistakes are
// not repeated here.
//
//   AnyTensor y = AnyTensor::make(x.type, {2, 3}, [&](ShapeRef i) {
//     return x.at({i[1], i[0]});
//   });
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_TESTS_ELEMENTS_ANYTENSOR_H
#define ONNXFOLD_TESTS_ELEMENTS_ANYTENSOR_H

#include "onnxfold/elements/Elements.h"
#include "llvm/ADT/APFloat.h"
#include <functional>
#include <vector>

namespace onnxfold {

inline constexpr auto nearestEven = llvm::APFloat::rmNearestTiesToEven;

/// One element: its bytes, zeros behind them. The characters of a string live
/// for ever.
struct Cell {
  alignas(16) char bytes[16] = {};
};

struct AnyTensor {
  DataType type = DataType::Undefined;
  Shape shape;
  std::vector<Cell> cells; // row-major

  int64_t rank() const { return shape.size(); }
  int64_t size() const { return cells.size(); }
  const Cell &at(ShapeRef index) const;
  Cell &at(ShapeRef index);

  /// The tensor whose element at `index` is f(index).
  static AnyTensor make(DataType type, ShapeRef shape,
                        const std::function<Cell(ShapeRef)> &f);

  /// The same, for the library.
  Elements elements() const;
};

/// Calls visit(index) for all indices of `shape` in row-major order.
void forEachIndex(ShapeRef shape, const std::function<void(ShapeRef)> &visit);

/// Calls visit(index of the first element) for all rows along `axis`, those of
/// length 0 too.
void forEachRow(ShapeRef shape, int64_t axis,
                const std::function<void(ShapeRef)> &visit);

/// The elements of x that agree in all indices but those of `axes`, in
/// row-major order: a list for each element of the shape that is left.
std::vector<std::vector<Cell>> groupsOf(const AnyTensor &x, ShapeRef axes);

/// The shape without the axes, or with 1 in their place.
Shape shapeWithout(ShapeRef shape, ShapeRef axes, bool keepDims);

//===--- numbers ----------------------------------------------------------===//

using Integer = __int128;

/// Of complex numbers: whether one part is.
bool isNaN(DataType type, const Cell &cell);

/// The value of an integer or bool.
Integer integerOf(DataType type, const Cell &cell);
/// The low bits of `value` as an integer type; a bool must be 0 or 1.
Cell integerCell(DataType type, Integer value);

/// The value of a float, in the format of its type (f8E8M0: of f32).
llvm::APFloat floatOf(DataType type, const Cell &cell);
/// `value` rounded once, by the rules of Cast.
Cell floatCell(DataType type, llvm::APFloat value,
               const CastOptions &options = {});

/// Any number or bool, exactly.
long double wideOf(DataType type, const Cell &cell);
/// `value` rounded once to a float type.
Cell wideCell(DataType type, long double value);

/// Cast, for every pair of types that has one.
Cell castCell(DataType to, DataType from, const Cell &cell,
              const CastOptions &options = {});

/// a < b: -1, a == b: 0, a > b: 1; 2 if one is NaN. Numbers and bool.
int compareCells(DataType type, const Cell &a, const Cell &b);

/// The order of sort, topK and unique: -1, 0, 1. NaN is the largest of all.
/// All types but symbols.
int orderOfCells(DataType type, const Cell &a, const Cell &b);

/// Whether a test takes one for the other: the same bytes or characters, or
/// both NaN. `anyZero`: 0 and -0 too.
bool sameCell(DataType type, const Cell &a, const Cell &b,
              bool anyZero = false);

/// For messages.
std::string toText(DataType type, const Cell &cell);

template <class T> Cell cellOf(T value) {
  Cell cell;
  std::memcpy(cell.bytes, &value, sizeof(T));
  return cell;
}
template <class T> T valueOf(const Cell &cell) {
  T value;
  std::memcpy(&value, cell.bytes, sizeof(T));
  return value;
}

} // namespace onnxfold

#endif // ONNXFOLD_TESTS_ELEMENTS_ANYTENSOR_H
