//===- Scan.cpp - Running sums and softmax along one axis -----------------===//

#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Math.h"
#include "onnxfold/elements/Monoid.h"
#include "onnxfold/elements/Parallel.h"
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/elements/ReduceWith.h"
#include "onnxfold/elements/Window.h"

using namespace onnxfold;

/// Elements that one thread takes at a time.
static constexpr int64_t pieceElements = 64 << 10;

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
  // Whoever goes backwards through long rows reads nothing ahead.
  int64_t ahead = inner > slice            ? 1
                  : n * inner <= 8 * piece ? 8 * piece
                                           : piece;
  parallelFor(
      outer * slices(), std::max<int64_t>(1, pieceElements / (n * width)),
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

Elements detail::scanMonoid(const Elements &x, int64_t axis, bool exclusive,
                            bool reverse, Monoid monoid) {
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
  return detail::scanMonoid(x, axis, exclusive, reverse, std::move(monoid));
}

Elements onnxfold::cumulativeSum(const Elements &x, int64_t axis,
                                 bool exclusive, bool reverse) {
  return cumulate(x, axis, exclusive, reverse, MonoidKind::Sum);
}

Elements onnxfold::cumulativeProduct(const Elements &x, int64_t axis,
                                     bool exclusive, bool reverse) {
  return cumulate(x, axis, exclusive, reverse, MonoidKind::Product);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// A function of whole rows: reads `n` values in `type`, writes as many.
using RowFunction = std::function<void(const char *in, char *out, int64_t n)>;

/// Applies `f` to all rows along `axis`, read in and written from `compute`.
static Elements mapRows(const Elements &x, int64_t axis, DataType compute,
                        RowFunction f) {
  Elements rows = moveAxisLast(x, axis);
  int64_t n = x.dim(axis);
  Elements result = Elements::deferred(
      x.type(), rows.shape(), rows, [rows, n, compute, f](char *out) {
        if (rows.size() == 0)
          return;
        Elements::Reader reader(rows);
        int64_t width = byteWidth(rows.type());
        parallelFor(
            rows.size() / n, std::max<int64_t>(1, pieceElements / n),
            [&](int64_t begin, int64_t end) {
              Window window(reader, rows.size(), rows.type(), compute, 8 << 10);
              auto result =
                  llvm::makeIntrusiveRefCnt<HeapBuffer>(n * byteWidth(compute));
              for (int64_t row = begin; row < end; ++row) {
                f(window.get(row * n, n), result->data(), n);
                convertBlock(rows.type(), out + row * n * width, compute,
                             result->data(), n);
              }
            });
      });
  return moveLastTo(result, axis);
}

/// out = x - max(x); returns the sum of exp(out), whose terms are in `exps`.
static double shiftedExps(const double *x, double *out, double *exps,
                          int64_t n) {
  double top;
  monoidOf(MonoidKind::Max, DataType::Float64).fold(&top, x, n);
  for (int64_t i = 0; i < n; ++i)
    exps[i] = out[i] = x[i] - top;
  wide::exp(exps, n);
  return pairwiseSum(exps, n);
}

Elements onnxfold::softmax(const Elements &x, int64_t axis) {
  if (Elements r = inWide(x, [&](auto e) { return softmax(e[0], axis); }))
    return r;
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  return mapRows(
      x, axis, DataType::Float64, [](const char *in, char *out, int64_t n) {
        auto *y = reinterpret_cast<double *>(out);
        double sum = shiftedExps(reinterpret_cast<const double *>(in), y, y, n);
        for (int64_t i = 0; i < n; ++i)
          y[i] /= sum;
      });
}

Elements onnxfold::logSoftmax(const Elements &x, int64_t axis) {
  if (Elements r = inWide(x, [&](auto e) { return logSoftmax(e[0], axis); }))
    return r;
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  return mapRows(x, axis, DataType::Float64,
                 [](const char *in, char *out, int64_t n) {
                   auto *y = reinterpret_cast<double *>(out);
                   std::vector<double> exps(n);
                   double logSum = shiftedExps(
                       reinterpret_cast<const double *>(in), y, exps.data(), n);
                   wide::log(&logSum, 1);
                   for (int64_t i = 0; i < n; ++i)
                     y[i] -= logSum;
                 });
}
