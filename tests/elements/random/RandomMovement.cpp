//===- RandomMovement.cpp - Concatenation, tiling, padding, masks ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/ops/DataMovement.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static bool concatOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  std::vector<Pair> parts = {x};
  Shape shape(x.naive.shape);
  for (int64_t n = c.random.integer(0, 4); n > 0; --n) {
    Shape part(x.naive.shape);
    part[axis] = c.random.integer(0, 4);
    shape[axis] += part[axis];
    Pair fresh = c.fresh(x.naive.type, part);
    parts.insert(parts.begin() + c.random.integer(0, parts.size()), fresh);
  }
  if (!c.fits(shape))
    return false;
  std::vector<Elements> elements;
  for (const Pair &part : parts)
    elements.push_back(part.actual);
  c.add("concat along " + std::to_string(axis), concat(elements, axis),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i);
          for (const Pair &part : parts) {
            if (source[axis] < part.naive.shape[axis])
              return part.naive.at(source);
            source[axis] -= part.naive.shape[axis];
          }
          return Cell();
        }));
  return true;
}

static bool tileOf(Case &c) {
  Pair x = c.operand(anyType);
  Shape repeats, shape;
  for (int64_t n : x.naive.shape) {
    repeats.push_back(c.random.integer(c.chance(95), 3));
    shape.push_back(n * repeats.back());
  }
  if (!c.fits(shape))
    return false;
  c.add("tile " + toString(repeats), tile(x.actual, repeats),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i);
          for (size_t d = 0; d < i.size(); ++d)
            source[d] %= x.naive.shape[d];
          return x.naive.at(source);
        }));
  return true;
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// The source of index i of a dimension of size n that continues beyond its
/// ends, as the walk that the mode describes; -1 for the fill value.
static int64_t padSource(int64_t i, int64_t n, PadMode mode) {
  if (mode == PadMode::Constant)
    return i >= 0 && i < n ? i : -1;
  int64_t at = 0, direction = i < 0 ? -1 : 1;
  for (int64_t step = 0; step < std::abs(i); ++step) {
    int64_t next = at + direction;
    if (next >= 0 && next < n) {
      at = next;
    } else if (mode == PadMode::Wrap) {
      at = direction > 0 ? 0 : n - 1;
    } else if (mode == PadMode::Reflect && n > 1) {
      direction = -direction;
      at += direction;
    }
  }
  return at;
}

static bool padOf(Case &c) {
  Pair x = c.operand(anyType);
  DataType type = x.naive.type;
  auto mode = PadMode(c.random.integer(0, 3));
  bool hasFill =
      mode == PadMode::Constant && type != DataType::Opaque && c.chance(60);
  Shape begins, ends, shape, cropped, kept;
  for (int64_t n : x.naive.shape) {
    // Negative counts crop; outside Constant something must be left.
    int64_t least = mode != PadMode::Constant;
    int64_t crop =
        c.chance(40) ? c.random.integer(0, std::max<int64_t>(0, n - least)) : 0;
    int64_t before = c.random.integer(0, crop);
    int64_t left = n - crop;
    bool grows = left > 0 || mode == PadMode::Constant;
    auto count = [&](int64_t cropped) {
      return cropped > 0 ? -cropped
                         : (grows && c.chance(50) ? c.random.integer(0, 6) : 0);
    };
    begins.push_back(count(before));
    ends.push_back(count(crop - before));
    cropped.push_back(before);
    kept.push_back(left);
    shape.push_back(n + begins.back() + ends.back());
  }
  if (!c.fits(shape))
    return false;
  Cell fill = hasFill ? c.cell(type) : Cell();
  if (!hasFill && type == DataType::String)
    fill = cellOf(llvm::StringRef());
  Elements value =
      hasFill
          ? AnyTensor{type, Shape(c.random.integer(0, 1), 1), {fill}}.elements()
          : Elements();
  c.add("pad " + toString(begins) + toString(ends) + " mode " +
            std::to_string(int(mode)),
        pad(x.actual, begins, ends, mode, value),
        AnyTensor::make(type, shape, [&](ShapeRef i) {
          Shape source(i);
          for (size_t d = 0; d < i.size(); ++d) {
            int64_t at = padSource(i[d] - std::max<int64_t>(0, begins[d]),
                                   kept[d], mode);
            if (at < 0)
              return fill;
            source[d] = at + cropped[d];
          }
          return x.naive.at(source);
        }));
  return true;
}

//===----------------------------------------------------------------------===//
// Triangles and masks
//===----------------------------------------------------------------------===//

static bool triluOf(Case &c) {
  Pair x = c.operand(anyType, 2);
  bool upper = c.chance(50);
  int64_t k = c.random.integer(-6, 6), rank = x.naive.rank();
  Cell zero;
  if (x.naive.type == DataType::String)
    zero = cellOf(llvm::StringRef());
  c.add("trilu " + std::to_string(k), trilu(x.actual, upper, k),
        AnyTensor::make(x.naive.type, x.naive.shape, [&](ShapeRef i) {
          int64_t right = i[rank - 1] - i[rank - 2];
          return (upper ? right >= k : right <= k) ? x.naive.at(i) : zero;
        }));
  return true;
}

static bool compressOf(Case &c) {
  Pair x = c.operand(anyType, 1);
  int64_t axis = c.random.integer(0, x.naive.rank() - 1);
  Pair condition =
      c.fresh(DataType::Bool, {c.random.integer(0, x.naive.shape[axis])});
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < condition.naive.size(); ++i)
    if (valueOf<bool>(condition.naive.cells[i]))
      kept.push_back(i);
  Shape shape(x.naive.shape);
  shape[axis] = kept.size();
  c.add("compress along " + std::to_string(axis),
        compress(x.actual, condition.actual, axis),
        AnyTensor::make(x.naive.type, shape, [&](ShapeRef i) {
          Shape source(i);
          source[axis] = kept[i[axis]];
          return x.naive.at(source);
        }));
  return true;
}

void onnxfold::addMovementOperations(OperationList &list) {
  list.insert(list.end(), {{"concat", concatOf},
                           {"tile", tileOf},
                           {"pad", padOf},
                           {"trilu", triluOf},
                           {"compress", compressOf}});
}
