//===- Generate.cpp - Tensors made from a rule ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// range
//===----------------------------------------------------------------------===//

std::optional<int64_t> ops::rangeCount(WideNum start, WideNum limit,
                                       WideNum delta) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  if (delta.kind == WideKind::Double) {
    double count =
        std::ceil((limit.to<double>() - start.to<double>()) / delta.asDouble);
    if (delta.asDouble == 0 || std::isnan(count) || count >= 0x1p63)
      return std::nullopt;
    return count > 0 ? int64_t(count) : 0;
  }
  if (delta == WideNum::widen(0))
    return std::nullopt;
  // The distance and the step as magnitudes, which 64 bits hold.
  bool up = delta > WideNum::widen(0);
  if (up ? !(start < limit) : !(limit < start))
    return 0;
  uint64_t from = start.to<uint64_t>(), to = limit.to<uint64_t>();
  uint64_t by = delta.to<uint64_t>();
  uint64_t distance = up ? to - from : from - to;
  uint64_t step = up ? by : -by;
  uint64_t count = (distance - 1) / step + 1;
  return count > uint64_t(most) ? std::nullopt : std::optional<int64_t>(count);
}

template <class T>
static void fillRange(WideNum start, WideNum delta, int64_t begin, int64_t end,
                      char *out) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    auto *to = reinterpret_cast<T *>(out);
    uint64_t first = start.to<uint64_t>(), step = delta.to<uint64_t>();
    for (int64_t i = begin; i < end; ++i)
      to[i] = T(U(first + uint64_t(i) * step));
  } else {
    constexpr int64_t piece = 256;
    double values[piece], a = start.to<double>(), d = delta.to<double>();
    for (int64_t first = begin; first < end; first += piece) {
      int64_t n = std::min(piece, end - first);
      for (int64_t i = 0; i < n; ++i)
        values[i] = a + double(first + i) * d;
      convertBlockFromDouble(dataTypeOf<T>, out + first * int64_t(sizeof(T)),
                             values, n);
    }
  }
}

Elements ops::range(DataType type, WideNum start, WideNum delta,
                    int64_t count) {
  Elements result;
  visitArithmetic(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    result =
        Elements::deferred(type, {count}, {}, [start, delta, count](char *out) {
          parallelFor(count, parallelGrain, [&](int64_t begin, int64_t end) {
            fillRange<T>(start, delta, begin, end, out);
          });
        });
  });
  return result;
}

//===----------------------------------------------------------------------===//
// Index tensors and masks
//===----------------------------------------------------------------------===//

Elements ops::iota(ShapeRef shape, int64_t axis) {
  Shape column(shape.size(), 1);
  column[axis] = shape[axis];
  return range(DataType::Int64, WideNum::widen(0), WideNum::widen(1),
               shape[axis])
      .reshape(column)
      .expand(shape);
}

Elements ops::oneHot(const Elements &indices, int64_t depth, int64_t axis,
                     const Elements &off, const Elements &on) {
  if (!indices || !off || !on)
    return {};
  assert(off.type() == on.type() && off.size() == 1 && on.size() == 1);
  Elements column = indices.unsqueeze({axis});
  Shape classes(column.rank(), 1);
  classes[axis] = depth;
  Elements numbers = iota(classes, axis), hot;
  if (indices.type() == DataType::UInt64) // as i64 the largest would be -1
    hot = zipAs<bool, uint64_t, int64_t>(column, numbers,
                                         [](uint64_t index, int64_t number) {
                                           return index == uint64_t(number);
                                         });
  else
    hot = zipAs<bool, int64_t, int64_t>(cast(column, DataType::Int64), numbers,
                                        [depth](int64_t index, int64_t number) {
                                          // index + depth cannot overflow where
                                          // index is negative
                                          return (index < 0 ? index + depth
                                                            : index) == number;
                                        });
  return select(hot, on.reshape({}), off.reshape({}));
}

Elements ops::eye(DataType type, ShapeRef shape, int64_t k) {
  assert(shape.size() == 2);
  Elements ones = zipAs<bool, int64_t, int64_t>(
      iota({shape[0], 1}, 0), iota({shape[1]}, 0),
      [k](int64_t row, int64_t col) { return col - row == k; });
  return cast(ones, type);
}
