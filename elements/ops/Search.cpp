//===- Search.cpp - ArgMax and ArgMin -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/internal/Window.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Calls visitor with TypeTag<T>, T being the type in which elements of `type`
/// are compared; false if they have no order.
template <class V> static bool visitOrdered(DataType type, V &&visitor) {
  if (type == DataType::Bool) {
    visitor(TypeTag<uint8_t>{});
    return true;
  }
  return visitArithmetic(type, [&](auto tag) {
    visitor(TypeTag<ComputeType<typename decltype(tag)::type>>{});
  });
}

template <class T> static constexpr DataType orderedType = dataTypeOf<T>;

/// True if a beats b strictly. NaN beats every number in ArgMax and ArgMin.
template <bool largest, class T> static bool beats(T a, T b) {
  if (isNan(b))
    return false;
  return isNan(a) || (largest ? a > b : a < b);
}

template <bool largest, class T>
static int64_t bestOf(const T *row, int64_t n, bool selectLast) {
  int64_t best = 0;
  for (int64_t i = 1; i < n; ++i)
    if (selectLast ? !beats<largest>(row[best], row[i])
                   : beats<largest>(row[i], row[best]))
      best = i;
  return best;
}

Elements ops::argReduce(const Elements &x, int64_t axis, bool keepDims,
                        bool largest, bool selectLast) {
  if (!x)
    return {};
  if (Elements r = movedInWide(x, [&](auto e) {
        return argReduce(e[0], axis, keepDims, largest, selectLast);
      }))
    return r;
  Elements result;
  Elements rows = moveAxisLast(x, axis);
  int64_t n = x.dim(axis);
  assert(n > 0 || reducedShape(x.shape(), {axis}, true) == x.shape());
  visitOrdered(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto compute = [rows, n, largest, selectLast](char *out) {
      if (rows.size() == 0)
        return;
      auto *to = reinterpret_cast<int64_t *>(out);
      Elements::Reader reader(rows);
      DataType from =
          rows.type() == DataType::Bool ? orderedType<T> : rows.type();
      parallelFor(rows.size() / n, std::max<int64_t>(1, parallelGrain / n),
                  [&](int64_t begin, int64_t end) {
                    Window window(reader, rows.size(), from, orderedType<T>);
                    for (int64_t row = begin; row < end; ++row) {
                      const T *values = window.get<T>(row * n, n);
                      to[row] = largest ? bestOf<true>(values, n, selectLast)
                                        : bestOf<false>(values, n, selectLast);
                    }
                  });
    };
    result = Elements::deferred(DataType::Int64,
                                reducedShape(x.shape(), {axis}, keepDims), rows,
                                compute);
  });
  return result;
}
