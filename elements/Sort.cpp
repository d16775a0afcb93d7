//===- Sort.cpp - Sorting along an axis -----------------------------------===//

#include "onnxfold/elements/Sort.h"
#include "onnxfold/elements/DataMovement.h"
#include "onnxfold/elements/Parallel.h"
#include "onnxfold/elements/SortKeys.h"
#include "llvm/ADT/STLExtras.h"
#include <complex>
#include <numeric>

using namespace onnxfold;

/// Elements that one thread takes at a time.
static constexpr int64_t pieceElements = 64 << 10;

/// Calls sortRow(first row, end row) for rows of n elements: in parallel if
/// there are several for a thread, else one after the other, each in parallel.
static void forRows(int64_t rows, int64_t n,
                    llvm::function_ref<void(int64_t, int64_t)> sortRows) {
  if (n > pieceElements)
    return sortRows(0, rows);
  parallelFor(rows, std::max<int64_t>(1, pieceElements / n), sortRows);
}

static void orderByKeys(const Elements &rows, bool descending, int64_t *out) {
  int64_t n = rows.shape().back();
  SortKeys keys(rows, descending);
  visitSortKey(keys.type(), [&](auto keyTag) {
    using Key = typename decltype(keyTag)::type;
    visitSortItem(keys.type(), n, [&](auto itemTag) {
      using Item = typename decltype(itemTag)::type;
      forRows(rows.size() / n, n, [&](int64_t begin, int64_t end) {
        SortKeys::Window<Key> window(keys);
        auto memory =
            llvm::makeIntrusiveRefCnt<HeapBuffer>(2 * n * sizeof(Item));
        auto *items = reinterpret_cast<Item *>(memory->data());
        for (int64_t row = begin; row < end; ++row) {
          const Key *key = window.get(row * n, n);
          for (int64_t i = 0; i < n; ++i)
            items[i] = Item(key[i], i);
          Item *sorted = sortItems(items, items + n, n, keys.type());
          for (int64_t i = 0; i < n; ++i)
            out[row * n + i] = sorted[i].number();
        }
      });
    });
  });
}

/// The order of complex numbers: by parts, NaN as the largest part.
template <class T> static bool before(std::complex<T> a, std::complex<T> b) {
  auto less = [](T a, T b) { return a < b || (a == a && b != b); };
  if (less(a.real(), b.real()) || less(b.real(), a.real()))
    return less(a.real(), b.real());
  return less(a.imag(), b.imag());
}

static bool before(llvm::StringRef a, llvm::StringRef b) { return a < b; }

template <class T>
static void orderByValues(const Elements &rows, bool descending, int64_t *out) {
  int64_t n = rows.shape().back();
  ElementsArray<T> values(rows);
  forRows(rows.size() / n, n, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      const T *value = values.data() + row * n;
      int64_t *order = out + row * n;
      std::iota(order, order + n, 0);
      std::stable_sort(order, order + n, [&](int64_t i, int64_t j) {
        return descending ? before(value[j], value[i])
                          : before(value[i], value[j]);
      });
    }
  });
}

static void order(const Elements &rows, bool descending, int64_t *out) {
  if (rows.size() == 0)
    return;
  switch (rows.type()) {
  case DataType::String:
    return orderByValues<llvm::StringRef>(rows, descending, out);
  case DataType::Complex64:
    return orderByValues<std::complex<float>>(rows, descending, out);
  case DataType::Complex128:
    return orderByValues<std::complex<double>>(rows, descending, out);
  default:
    return orderByKeys(rows, descending, out);
  }
}

Elements onnxfold::argSort(const Elements &x, int64_t axis, bool descending) {
  if (x.type() == DataType::Symbol)
    return {};
  if (Elements r = movedInWide(
          x, [&](auto e) { return argSort(e[0], axis, descending); }))
    return r;
  Elements rows = moveAxisLast(x, axis);
  Elements indices = Elements::deferred(
      DataType::Int64, rows.shape(), rows, [rows, descending](char *out) {
        order(rows, descending, reinterpret_cast<int64_t *>(out));
      });
  return moveLastTo(indices, axis);
}

Elements onnxfold::sort(const Elements &x, int64_t axis, bool descending) {
  Elements order = argSort(x, axis, descending);
  return order ? gatherElements(x, order, axis) : Elements();
}
