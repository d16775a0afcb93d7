//===- Scan.cpp - Running sums and softmax along one axis -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Monoid.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/elements/ops/internal/Window.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// Elements of short rows that are worked on together: they stay in L1.
static constexpr int64_t blockElements = 1 << 10;

//===----------------------------------------------------------------------===//
// Running sums, products and others
//===----------------------------------------------------------------------===//

namespace {
/// A scan of x, seen as [outer, n, inner], along n.
struct ScanLoop {
  Monoid monoid;
  DataType type; // of x and of the result
  int64_t outer, n, inner;
  bool exclusive, reverse;

  static constexpr int64_t slice = 2048;      // columns at a time
  static constexpr int64_t piece = 2 * slice; // elements at a time

  void run(const Elements &x, char *out) const;

private:
  int64_t slices() const { return (inner - 1) / slice + 1; }
  /// Whole rows lie one after the other, slices of them do not.
  int64_t rowsAtATime() const {
    return inner <= slice ? std::max<int64_t>(1, piece / inner) : 1;
  }
  void runUnit(Window &window, int64_t unit, char *acc, char *scratch,
               char *out) const;
};
} // namespace

/// One slice of columns of one of the outer ones.
void ScanLoop::runUnit(Window &window, int64_t unit, char *acc, char *scratch,
                       char *out) const {
  int64_t col = unit % slices() * slice, cols = std::min(slice, inner - col);
  int64_t first = unit / slices() * n * inner + col, step = rowsAtATime();
  int64_t width = byteWidth(type), accWidth = byteWidth(monoid.accumulator);
  bool inPlace = type == monoid.accumulator;
  monoid.setNeutral(acc, cols);
  for (int64_t done = 0; done < n; done += step) {
    int64_t rows = std::min(step, n - done);
    int64_t row = reverse ? n - done - rows : done;
    const char *in = window.get(first + row * inner, rows * cols);
    char *to = out + (first + row * inner) * width;
    char *results = inPlace ? to : scratch;
    monoid.scan(acc, in, results, {rows, cols, exclusive, reverse});
    if (exclusive && done == 0)
      monoid.setEmpty(results + (reverse ? rows - 1 : 0) * cols * accWidth,
                      cols);
    if (!inPlace)
      convertBlock(type, to, monoid.accumulator, results, rows * cols);
  }
}

void ScanLoop::run(const Elements &x, char *out) const {
  if (x.size() == 0)
    return;
  std::optional<Elements::Reader> reader(x);
  if (reader->isTransposing())
    reader.emplace(x.materialize()); // pieces would be read slowly
  int64_t width = std::min(inner, slice);
  // A scan backwards through long rows reads nothing ahead.
  int64_t ahead = inner > slice            ? 1
                  : n * inner <= 8 * piece ? 8 * piece
                                           : piece;
  parallelFor(
      outer * slices(), std::max<int64_t>(1, parallelGrain / (n * width)),
      [&](int64_t begin, int64_t end) {
        Window window(*reader, x.size(), type, monoid.elementType, ahead);
        int64_t accWidth = byteWidth(monoid.accumulator);
        auto memory = llvm::makeIntrusiveRefCnt<HeapBuffer>(
            (width + rowsAtATime() * width) * accWidth);
        for (int64_t unit = begin; unit < end; ++unit)
          runUnit(window, unit, memory->data(),
                  memory->data() + width * accWidth, out);
      });
}

Elements ops::detail::scanMonoid(const Elements &x, int64_t axis,
                                 bool exclusive, bool reverse, Monoid monoid) {
  if (!x)
    return {};
  ScanLoop loop;
  loop.monoid = std::move(monoid);
  loop.type = x.type();
  loop.outer = numElements(x.shape().take_front(axis));
  loop.n = x.dim(axis);
  loop.inner = numElements(x.shape().drop_front(axis + 1));
  loop.exclusive = exclusive;
  loop.reverse = reverse;
  return Elements::deferred(x.type(), x.shape(), x,
                            [x, loop](char *out) { loop.run(x, out); });
}

static Elements cumulate(const Elements &x, int64_t axis, bool exclusive,
                         bool reverse, MonoidKind kind) {
  if (Elements r = inWide(x, [&](auto e) {
        return cumulate(e[0], axis, exclusive, reverse, kind);
      }))
    return r;
  Monoid monoid = monoidOf(kind, x.type());
  if (monoid.accumulator == DataType::Undefined)
    return {};
  return ops::detail::scanMonoid(x, axis, exclusive, reverse,
                                 std::move(monoid));
}

Elements ops::cumulativeSum(const Elements &x, int64_t axis, bool exclusive,
                            bool reverse) {
  if (!x)
    return {};
  return cumulate(x, axis, exclusive, reverse, MonoidKind::Sum);
}

Elements ops::cumulativeProduct(const Elements &x, int64_t axis, bool exclusive,
                                bool reverse) {
  if (!x)
    return {};
  return cumulate(x, axis, exclusive, reverse, MonoidKind::Product);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

namespace {
/// Some rows of `n` elements, read in double; `y` is what becomes of them.
struct RowsOfDoubles {
  const double *x;
  double *y, *scratch; // as many elements
  int64_t count, n;
};
} // namespace

using RowsFunction = void (*)(const RowsOfDoubles &);

/// Applies `f` to all rows along `axis`, computed in double. Short rows come
/// together, so that transcendental functions have enough to do.
static Elements mapRows(const Elements &x, int64_t axis, RowsFunction f) {
  Elements rows = moveAxisLast(x, axis);
  int64_t n = x.dim(axis);
  Elements result =
      Elements::deferred(x.type(), rows.shape(), rows, [rows, n, f](char *out) {
        if (rows.size() == 0)
          return;
        Elements::Reader reader(rows);
        int64_t width = byteWidth(rows.type());
        int64_t block = std::max<int64_t>(1, blockElements / n);
        parallelFor(rows.size() / n, std::max<int64_t>(1, parallelGrain / n),
                    [&](int64_t begin, int64_t end) {
                      Window window(reader, rows.size(), rows.type(),
                                    DataType::Float64, 8 << 10);
                      int64_t most = std::min(block, end - begin);
                      auto memory = llvm::makeIntrusiveRefCnt<HeapBuffer>(
                          2 * most * n * sizeof(double));
                      auto *y = reinterpret_cast<double *>(memory->data());
                      for (int64_t row = begin; row < end; row += block) {
                        int64_t count = std::min(block, end - row);
                        f({window.get<double>(row * n, count * n), y,
                           y + most * n, count, n});
                        convertBlock(rows.type(), out + row * n * width,
                                     DataType::Float64, y, count * n);
                      }
                    });
      });
  return moveLastTo(result, axis);
}

/// y = x - max(x), row by row, so that exp does not overflow.
static void shiftRows(const RowsOfDoubles &rows) {
  static const Monoid max = monoidOf(MonoidKind::Max, DataType::Float64);
  for (int64_t r = 0; r < rows.count; ++r) {
    const double *x = rows.x + r * rows.n;
    double *y = rows.y + r * rows.n, top;
    max.fold(&top, x, rows.n);
    for (int64_t i = 0; i < rows.n; ++i)
      y[i] = x[i] - top;
  }
}

static void softmaxRows(const RowsOfDoubles &rows) {
  shiftRows(rows);
  wide::exp(rows.y, rows.count * rows.n);
  for (int64_t r = 0; r < rows.count; ++r) {
    double *y = rows.y + r * rows.n, sum = pairwiseSum(y, rows.n);
    for (int64_t i = 0; i < rows.n; ++i)
      y[i] /= sum;
  }
}

static void logSoftmaxRows(const RowsOfDoubles &rows) {
  shiftRows(rows);
  double *exps = rows.scratch;
  std::copy_n(rows.y, rows.count * rows.n, exps);
  wide::exp(exps, rows.count * rows.n);
  // Sums take the place of terms that are not needed any more.
  for (int64_t r = 0; r < rows.count; ++r)
    exps[r] = pairwiseSum(exps + r * rows.n, rows.n);
  wide::log(exps, rows.count);
  for (int64_t r = 0; r < rows.count; ++r)
    for (int64_t i = 0; i < rows.n; ++i)
      rows.y[r * rows.n + i] -= exps[r];
}

/// f along an axis of a float tensor.
static Elements mapFloatRows(const Elements &x, int64_t axis, RowsFunction f) {
  if (Elements r = inWide(x, [&](auto e) { return mapRows(e[0], axis, f); }))
    return r;
  return typeClass(x.type()) == TypeClass::Float ? mapRows(x, axis, f)
                                                 : Elements();
}

Elements ops::softmax(const Elements &x, int64_t axis) {
  if (!x)
    return {};
  return mapFloatRows(x, axis, softmaxRows);
}

Elements ops::logSoftmax(const Elements &x, int64_t axis) {
  if (!x)
    return {};
  return mapFloatRows(x, axis, logSoftmaxRows);
}
