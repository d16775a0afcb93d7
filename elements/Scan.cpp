//===- Scan.cpp - Running sums and softmax along one axis -----------------===//

#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Math.h"
#include "onnxfold/elements/Monoid.h"
#include "onnxfold/elements/Parallel.h"
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/elements/Window.h"

using namespace onnxfold;

/// Elements that one thread takes at a time.
static constexpr int64_t pieceElements = 64 << 10;

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

//===----------------------------------------------------------------------===//
// Running sums and products
//===----------------------------------------------------------------------===//

template <class T, bool product>
static void scanRow(const char *in, char *out, int64_t n, bool exclusive,
                    bool reverse) {
  const T *x = reinterpret_cast<const T *>(in);
  T *y = reinterpret_cast<T *>(out);
  // Integers wrap in the unsigned type of their width.
  T acc = product ? T(1) : T(0);
  for (int64_t i = 0; i < n; ++i) {
    int64_t at = reverse ? n - 1 - i : i;
    T next = acc;
    if (i == 0)
      next = x[at]; // not 0 + x: -0 stays
    else if constexpr (product)
      next = multiply(acc, x[at]);
    else
      next = add(acc, x[at]);
    y[at] = exclusive ? acc : next;
    acc = next;
  }
}

template <bool product>
static Elements cumulate(const Elements &x, int64_t axis, bool exclusive,
                         bool reverse) {
  if (Elements r = inWide(x, [&](auto e) {
        return cumulate<product>(e[0], axis, exclusive, reverse);
      }))
    return r;
  if (typeClass(x.type()) == TypeClass::Float)
    return mapRows(x, axis, DataType::Float64,
                   [=](const char *in, char *out, int64_t n) {
                     scanRow<double, product>(in, out, n, exclusive, reverse);
                   });
  Elements result;
  visitInteger(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result =
        mapRows(x, axis, x.type(), [=](const char *in, char *out, int64_t n) {
          scanRow<T, product>(in, out, n, exclusive, reverse);
        });
  });
  return result;
}

Elements onnxfold::cumulativeSum(const Elements &x, int64_t axis,
                                 bool exclusive, bool reverse) {
  return cumulate<false>(x, axis, exclusive, reverse);
}

Elements onnxfold::cumulativeProduct(const Elements &x, int64_t axis,
                                     bool exclusive, bool reverse) {
  return cumulate<true>(x, axis, exclusive, reverse);
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

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
