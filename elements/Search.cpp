//===- Search.cpp - ArgMax, TopK, NonZero ---------------------------------===//

#include "onnxfold/elements/DataMovement.h"
#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Parallel.h"
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/elements/Window.h"
#include <algorithm>
#include <numeric>

using namespace onnxfold;

/// Elements that one thread takes at a time.
static constexpr int64_t pieceElements = 64 << 10;

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

Elements onnxfold::argReduce(const Elements &x, int64_t axis, bool keepDims,
                             bool largest, bool selectLast) {
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
      parallelFor(rows.size() / n, std::max<int64_t>(1, pieceElements / n),
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

//===----------------------------------------------------------------------===//
// TopK
//===----------------------------------------------------------------------===//

/// A total order of the elements of a row: the best first, NaN as the largest
/// number, the lower index first among equals.
template <bool largest, class T> struct BetterFirst {
  const T *row;
  bool operator()(int64_t i, int64_t j) const {
    T a = row[i], b = row[j];
    bool aNan = isNan(a), bNan = isNan(b);
    if (aNan || bNan)
      return aNan == bNan ? i < j : aNan == largest;
    if (a == b)
      return i < j;
    return largest ? a > b : a < b;
  }
};

template <class T>
static void bestIndices(const T *row, int64_t n, int64_t k, bool largest,
                        std::vector<int64_t> &order, int64_t *out) {
  std::iota(order.begin(), order.end(), 0);
  auto sort = [&](auto better) {
    if (k == n)
      std::sort(order.begin(), order.end(), better);
    else
      std::partial_sort(order.begin(), order.begin() + k, order.end(), better);
  };
  if (largest)
    sort(BetterFirst<true, T>{row});
  else
    sort(BetterFirst<false, T>{row});
  std::copy_n(order.begin(), k, out);
}

TopK onnxfold::topK(const Elements &x, int64_t k, int64_t axis, bool largest) {
  if (x.isWide()) {
    TopK result = topK(x.unrounded(), k, axis, largest);
    result.values = gatherElements(x, result.indices, axis);
    return result;
  }
  int64_t n = x.dim(axis);
  assert(k >= 0 && k <= n);
  TopK result;
  Elements rows = moveAxisLast(x, axis);
  Shape shape(rows.shape());
  shape.back() = k;
  visitOrdered(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    auto compute = [rows, n, k, largest](char *out) {
      if (rows.size() == 0 || k == 0)
        return;
      auto *to = reinterpret_cast<int64_t *>(out);
      Elements::Reader reader(rows);
      DataType from =
          rows.type() == DataType::Bool ? orderedType<T> : rows.type();
      parallelFor(rows.size() / n, std::max<int64_t>(1, pieceElements / n),
                  [&](int64_t begin, int64_t end) {
                    Window window(reader, rows.size(), from, orderedType<T>);
                    std::vector<int64_t> order(n);
                    for (int64_t row = begin; row < end; ++row)
                      bestIndices(window.get<T>(row * n, n), n, k, largest,
                                  order, to + row * k);
                  });
    };
    Elements best = Elements::deferred(DataType::Int64, shape, rows, compute);
    result.indices = moveLastTo(best, axis);
    result.values = gatherElements(x, result.indices, axis);
  });
  return result;
}

//===----------------------------------------------------------------------===//
// NonZero
//===----------------------------------------------------------------------===//

/// x != 0 as bool; of a string, whether it has characters.
static Elements isNonZero(const Elements &x) {
  if (isConvertible(DataType::Bool, x.type()))
    return cast(x, DataType::Bool);
  if (x.type() == DataType::Complex64)
    return mapAs<bool, std::complex<float>>(
        x, [](std::complex<float> v) { return v != 0.0f; });
  if (x.type() == DataType::Complex128)
    return mapAs<bool, std::complex<double>>(
        x, [](std::complex<double> v) { return v != 0.0; });
  assert(x.type() == DataType::String && "symbols have no values");
  return mapAs<bool, llvm::StringRef>(
      x, [](llvm::StringRef v) { return !v.empty(); });
}

Elements onnxfold::nonZero(const Elements &x) {
  if (Elements r = movedInWide(x, [&](auto e) { return nonZero(e[0]); }))
    return r;
  ElementsArray<bool> mask(isNonZero(x));
  int64_t size = x.size(), rank = x.rank();
  constexpr int64_t piece = pieceElements;
  // Where the results of each piece begin.
  std::vector<int64_t> starts((size + piece - 1) / piece + 1, 0);
  parallelFor(size, piece, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin; first < end; first += piece)
      starts[first / piece + 1] =
          std::count(mask.begin() + first,
                     mask.begin() + std::min(end, first + piece), true);
  });
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  int64_t count = starts.back();
  return Elements::build<int64_t>(
      {rank, count}, [&](llvm::MutableArrayRef<int64_t> out) {
        if (rank == 0)
          return;
        parallelFor(size, piece, [&](int64_t begin, int64_t end) {
          int64_t next = starts[begin / piece];
          Shape index = indexOf(begin, x.shape());
          for (int64_t i = begin; i < end; ++i) {
            if (mask[i]) {
              for (int64_t d = 0; d < rank; ++d)
                out[d * count + next] = index[d];
              ++next;
            }
            for (int64_t d = rank - 1; d >= 0 && ++index[d] == x.dim(d); --d)
              index[d] = 0;
          }
        });
      });
}
