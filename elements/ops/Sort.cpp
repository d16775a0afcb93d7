//===- Sort.cpp - Sorting along an axis -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Sort.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/internal/SortKeys.h"
#include "llvm/ADT/STLExtras.h"
#include <complex>
#include <numeric>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Calls sortRow(first row, end row) for rows of n elements: in parallel if
/// there are several for a thread, else one after the other, each in parallel.
static void forRows(int64_t rows, int64_t n,
                    llvm::function_ref<void(int64_t, int64_t)> sortRows) {
  if (n > parallelGrain)
    return sortRows(0, rows);
  parallelFor(rows, std::max<int64_t>(1, parallelGrain / n), sortRows);
}

//===----------------------------------------------------------------------===//
// What becomes of the order of a row
//===----------------------------------------------------------------------===//

static int64_t numberOf(int64_t number) { return number; }
template <class Item> static int64_t numberOf(const Item &item) {
  return item.number();
}

namespace {

struct IndexWriter {
  int64_t n;
  int64_t *out;

  template <class Item> void write(int64_t row, const Item *sorted) {
    for (int64_t i = 0; i < n; ++i)
      out[row * n + i] = numberOf(sorted[i]);
  }
};

/// Copies the elements of a row in their order; one per thread.
struct ValueWriter {
  int64_t n;
  unsigned width;
  char *out;
  Window window;

  template <class Item> void write(int64_t row, const Item *sorted) {
    visitByteWidth(width, [&](auto tag) {
      using T = typename decltype(tag)::type;
      copy(window.get<T>(row * n, n), sorted, n,
           reinterpret_cast<T *>(out) + row * n);
    });
  }

private:
  template <class T, class Item>
  static void copy(const T *in, const Item *sorted, int64_t n, T *out) {
    for (int64_t i = 0; i < n; ++i)
      out[i] = in[numberOf(sorted[i])];
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// Finding the order of rows
//===----------------------------------------------------------------------===//

template <class MakeWriter>
static void orderByKeys(const Elements &rows, bool descending,
                        MakeWriter makeWriter) {
  int64_t n = rows.shape().back();
  SortKeys keys(rows, descending);
  auto sortAs = [&](auto keyTag, auto itemTag) {
    using Key = typename decltype(keyTag)::type;
    using Item = typename decltype(itemTag)::type;
    forRows(rows.size() / n, n, [&](int64_t begin, int64_t end) {
      SortKeys::Window<Key> window(keys);
      auto writer = makeWriter();
      auto memory = llvm::makeIntrusiveRefCnt<HeapBuffer>(2 * n * sizeof(Item));
      auto *items = reinterpret_cast<Item *>(memory->data());
      for (int64_t row = begin; row < end; ++row) {
        const Key *key = window.get(row * n, n);
        for (int64_t i = 0; i < n; ++i)
          items[i] = Item(key[i], i);
        writer.write(row, sortItems(items, items + n, n, keys.type()));
      }
    });
  };
  visitSortKey(keys.type(), [&](auto keyTag) {
    visitSortItem(keys.type(), n,
                  [&](auto itemTag) { sortAs(keyTag, itemTag); });
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

template <class T, class MakeWriter>
static void orderByValues(const Elements &rows, bool descending,
                          MakeWriter makeWriter) {
  int64_t n = rows.shape().back();
  ElementsArray<T> values(rows);
  forRows(rows.size() / n, n, [&](int64_t begin, int64_t end) {
    auto writer = makeWriter();
    std::vector<int64_t> order(n);
    for (int64_t row = begin; row < end; ++row) {
      const T *value = values.data() + row * n;
      std::iota(order.begin(), order.end(), 0);
      llvm::stable_sort(order, [&](int64_t i, int64_t j) {
        return descending ? before(value[j], value[i])
                          : before(value[i], value[j]);
      });
      writer.write(row, order.data());
    }
  });
}

template <class MakeWriter>
static void order(const Elements &rows, bool descending,
                  MakeWriter makeWriter) {
  if (rows.size() == 0)
    return;
  switch (rows.type()) {
  case DataType::String:
    return orderByValues<llvm::StringRef>(rows, descending, makeWriter);
  case DataType::Complex64:
    return orderByValues<std::complex<float>>(rows, descending, makeWriter);
  case DataType::Complex128:
    return orderByValues<std::complex<double>>(rows, descending, makeWriter);
  default:
    return orderByKeys(rows, descending, makeWriter);
  }
}

//===----------------------------------------------------------------------===//
// The operations
//===----------------------------------------------------------------------===//

Elements ops::argSort(const Elements &x, int64_t axis, bool descending) {
  if (!x)
    return {};
  if (x.type() == DataType::Opaque)
    return {};
  if (Elements r = movedInWide(
          x, [&](auto e) { return argSort(e[0], axis, descending); }))
    return r;
  Elements rows = moveAxisLast(x, axis);
  Elements indices = Elements::deferred(
      DataType::Int64, rows.shape(), rows, [rows, descending](char *out) {
        auto *to = reinterpret_cast<int64_t *>(out);
        order(rows, descending, [&] {
          return IndexWriter{rows.shape().back(), to};
        });
      });
  return moveLastTo(indices, axis);
}

Elements ops::sort(const Elements &x, int64_t axis, bool descending) {
  if (!x)
    return {};
  if (x.type() == DataType::Opaque)
    return {};
  if (Elements r =
          movedInWide(x, [&](auto e) { return sort(e[0], axis, descending); }))
    return r;
  Elements rows = moveAxisLast(x, axis);
  Elements sorted = Elements::deferred(
      x.type(), rows.shape(), rows, [rows, descending](char *out) {
        DataType type = rows.type();
        Elements::Reader reader(rows);
        order(rows, descending, [&] {
          return ValueWriter{rows.shape().back(), byteWidth(type), out,
                             Window(reader, rows.size(), type, type)};
        });
      });
  return moveLastTo(sorted, axis);
}
