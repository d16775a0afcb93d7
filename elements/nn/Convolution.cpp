//===- Convolution.cpp - Convolutions of doubles --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/elements/ops/MatMul.h"
#include "onnxfold/elements/ops/internal/Window.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/Support/MathExtras.h"
#include <complex>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Positions and products of channels and taps that a block has at most (at
/// least one channel): a megabyte of doubles.
static constexpr int64_t blockColumns = 256, blockDepth = 512;

/// The place in a block decides which of two NaNs a sum has: all become one.
static void unifyNan(double *values, int64_t count) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (int64_t i = 0; i < count; ++i)
    values[i] = isNan(values[i]) ? nan : values[i];
}

namespace {

/// Sizes of one convolution, either way; channels and filters are those of a
/// group.
struct Convolution {
  Convolution(const SlidingWindows &windows, int64_t batches, int64_t groups,
              int64_t channels, int64_t filters)
      : windows(windows), batches(batches), groups(groups), channels(channels),
        filters(filters), taps(numElements(windows.kernel)),
        positions(numElements(windows.positions)),
        image(numElements(windows.image)), steps(windows.rank(), 0) {
    atOnce = std::max<int64_t>(1, blockDepth / taps);
  }

  void run(const double *x, const double *w, double *y) const;
  void runTransposed(const double *x, const double *w, double *y) const;

private:
  void gatherBlock(const double *x, int64_t count, int64_t begin, int64_t end,
                   double *columns) const;
  void scatterBlock(const double *columns, int64_t count, int64_t begin,
                    int64_t end, double *y) const;
  void convolveBlock(const double *x, const double *w, int64_t begin,
                     double *columns, double *y) const;
  void spreadFilters(const double *x, const double *w, int64_t first,
                     double *memory, double *y) const;

  /// Tasks that are worth a thread's while.
  int64_t grain(double work) const {
    return std::clamp<double>((1 << 18) / work, 1, 1 << 18);
  }

  SlidingWindows windows;
  int64_t batches, groups, channels, filters, taps, positions, image;
  int64_t atOnce; // channels (transposed: filters) in a block
  Shape steps;
};

} // namespace

/// im2col: row c * taps + t has what tap t meets in channel c at the positions
/// [begin, end).
void Convolution::gatherBlock(const double *x, int64_t count, int64_t begin,
                              int64_t end, double *columns) const {
  int64_t stride = windows.strides.back();
  Odometer tap(windows.kernel, steps, 0);
  for (int64_t t = 0; t < taps; ++t, tap.next())
    windows.forEachRun(tap, begin, end, [&](int64_t p, int64_t at, int64_t n) {
      for (int64_t c = 0; c < count; ++c) {
        double *to = columns + (c * taps + t) * (end - begin) + (p - begin);
        const double *from = x + c * image + at;
        if (at < 0)
          std::fill_n(to, n, 0.0);
        else if (stride == 1)
          std::copy_n(from, n, to);
        else
          for (int64_t i = 0; i < n; ++i)
            to[i] = from[i * stride];
      }
    });
}

/// col2im: adds row f * taps + t to what tap t meets in image f.
void Convolution::scatterBlock(const double *columns, int64_t count,
                               int64_t begin, int64_t end, double *y) const {
  int64_t stride = windows.strides.back();
  Odometer tap(windows.kernel, steps, 0);
  for (int64_t t = 0; t < taps; ++t, tap.next())
    windows.forEachRun(tap, begin, end, [&](int64_t p, int64_t at, int64_t n) {
      if (at < 0)
        return;
      for (int64_t f = 0; f < count; ++f) {
        const double *from =
            columns + (f * taps + t) * (end - begin) + (p - begin);
        double *to = y + f * image + at;
        for (int64_t i = 0; i < n; ++i)
          to[i * stride] += from[i];
      }
    });
}

/// All filters of a group at the positions from `begin` on. x, w, y: those of
/// the group.
void Convolution::convolveBlock(const double *x, const double *w, int64_t begin,
                                double *columns, double *y) const {
  int64_t end = std::min(positions, begin + blockColumns);
  for (int64_t f = 0; f < filters; ++f)
    std::fill_n(y + f * positions + begin, end - begin, 0.0);
  for (int64_t c = 0; c < channels; c += atOnce) {
    int64_t count = std::min(atOnce, channels - c), depth = count * taps;
    gatherBlock(x + c * image, count, begin, end, columns);
    multiplyAdd(y + begin, positions,
                {w + c * taps, filters, depth, channels * taps},
                {columns, depth, end - begin, end - begin});
  }
  for (int64_t f = 0; f < filters; ++f)
    unifyNan(y + f * positions + begin, end - begin);
}

void Convolution::run(const double *x, const double *w, double *y) const {
  int64_t blocks = llvm::divideCeil(positions, blockColumns);
  double work = double(std::min(positions, blockColumns)) * filters *
                std::max<int64_t>(1, channels) * taps;
  parallelFor(batches * groups * blocks, grain(work),
              [&](int64_t begin, int64_t end) {
                std::vector<double> columns(atOnce * taps *
                                            std::min(positions, blockColumns));
                for (int64_t i = begin; i < end; ++i) {
                  int64_t both = i / blocks, group = both % groups;
                  convolveBlock(x + both * channels * image,
                                w + group * filters * channels * taps,
                                i % blocks * blockColumns, columns.data(),
                                y + both * filters * positions);
                }
              });
}

/// Images of the filters from `first` on. x, w, y: those of the group.
void Convolution::spreadFilters(const double *x, const double *w, int64_t first,
                                double *memory, double *y) const {
  int64_t count = std::min(atOnce, filters - first), rows = count * taps;
  double *weights = memory, *columns = memory + rows * channels;
  for (int64_t c = 0; c < channels; ++c)
    for (int64_t r = 0; r < rows; ++r)
      weights[r * channels + c] = w[(c * filters + first) * taps + r];
  std::fill_n(y + first * image, count * image, 0.0);
  for (int64_t p = 0; p < positions; p += blockColumns) {
    int64_t end = std::min(positions, p + blockColumns), cols = end - p;
    std::fill_n(columns, rows * cols, 0.0);
    multiplyAdd(columns, cols, {weights, rows, channels, channels},
                {x + p, channels, cols, positions});
    scatterBlock(columns, count, p, end, y + first * image);
  }
  unifyNan(y + first * image, count * image);
}

void Convolution::runTransposed(const double *x, const double *w,
                                double *y) const {
  int64_t blocks = llvm::divideCeil(filters, atOnce);
  double work = double(positions) * std::max<int64_t>(1, channels) * taps *
                std::min(atOnce, filters);
  parallelFor(
      batches * groups * blocks, grain(work), [&](int64_t begin, int64_t end) {
        std::vector<double> memory(
            atOnce * taps * (channels + std::min(positions, blockColumns)));
        for (int64_t i = begin; i < end; ++i) {
          int64_t both = i / blocks, group = both % groups;
          spreadFilters(x + both * channels * positions,
                        w + group * channels * filters * taps,
                        i % blocks * atOnce, memory.data(),
                        y + both * filters * image);
        }
      });
}

using Runner = void (Convolution::*)(const double *, const double *,
                                     double *) const;

static Elements deferConvolution(const Elements &x, const Elements &w,
                                 const Convolution &convolution, Runner run,
                                 ShapeRef shape) {
  assert(x.type() == DataType::Float64 && w.type() == DataType::Float64);
  return Elements::deferred(
      DataType::Float64, shape, {x, w}, [x, w, convolution, run](char *out) {
        ElementsArray<double> left(x), right(w);
        (convolution.*run)(left.data(), right.data(),
                           reinterpret_cast<double *>(out));
      });
}

Elements ops::convolve(const Elements &x, const Elements &w,
                       const SlidingWindows &windows, int64_t groups) {
  if (!x || !w)
    return {};
  Convolution convolution(windows, x.dim(0), groups, w.dim(1),
                          w.dim(0) / groups);
  assert(x.dim(1) == groups * w.dim(1) && w.dim(0) % groups == 0);
  Shape shape = {x.dim(0), w.dim(0)};
  shape.append(windows.positions);
  return deferConvolution(x, w, convolution, &Convolution::run, shape);
}

Elements ops::convolveTransposed(const Elements &x, const Elements &w,
                                 const SlidingWindows &windows,
                                 int64_t groups) {
  if (!x || !w)
    return {};
  Convolution convolution(windows, x.dim(0), groups, x.dim(1) / groups,
                          w.dim(1));
  assert(x.dim(1) == w.dim(0) && x.dim(1) % groups == 0);
  Shape shape = {x.dim(0), w.dim(1) * groups};
  shape.append(windows.image);
  return deferConvolution(x, w, convolution, &Convolution::runTransposed,
                          shape);
}

//===----------------------------------------------------------------------===//
// Col2Im
//===----------------------------------------------------------------------===//

/// One image: sums in `to`, of rows of `from`, one for each tap.
template <class T>
static void addOverlaps(const SlidingWindows &w, const T *from, T *to) {
  Shape steps(w.rank(), 0);
  int64_t taps = numElements(w.kernel), positions = numElements(w.positions);
  int64_t stride = w.strides.back();
  Odometer tap(w.kernel, steps, 0);
  for (int64_t t = 0; t < taps; ++t, tap.next(), from += positions)
    w.forEachRun(tap, 0, positions, [&](int64_t p, int64_t at, int64_t n) {
      if (at >= 0)
        for (int64_t i = 0; i < n; ++i)
          to[at + i * stride] = add(to[at + i * stride], from[p + i]);
    });
}

/// Images that are summed as T, a type that `type` converts to and from.
template <class T>
static void sumImages(const Elements &x, const SlidingWindows &w, char *out) {
  constexpr DataType sumType = dataTypeOf<T>;
  Elements::Reader reader(x);
  int64_t columns = numElements(w.kernel) * numElements(w.positions);
  int64_t image = numElements(w.image), width = byteWidth(x.type());
  parallelFor(x.size() / columns, 1, [&](int64_t begin, int64_t end) {
    Window window(reader, x.size(), x.type(), sumType);
    std::vector<T> sums(image);
    for (int64_t i = begin; i < end; ++i) {
      std::fill(sums.begin(), sums.end(), T(0));
      addOverlaps(w, window.get<T>(i * columns, columns), sums.data());
      convertBlock(x.type(), out + i * image * width, sumType, sums.data(),
                   image);
    }
  });
}

Elements ops::sumOverlaps(const Elements &x, const SlidingWindows &w) {
  if (!x)
    return {};
  if (Elements r = inWide(x, [&](auto e) { return sumOverlaps(e[0], w); }))
    return r;
  bool isFloat = typeClass(x.type()) == TypeClass::Float;
  if (!isFloat && !isComplex(x.type()) && x.type() != DataType::Bool &&
      !visitInteger(x.type(), [](auto) {}))
    return {};
  Shape shape = {x.dim(0), x.dim(1) / numElements(w.kernel)};
  shape.append(w.image);
  return Elements::deferred(x.type(), shape, {x}, [x, w, isFloat](char *out) {
    if (isFloat)
      return sumImages<double>(x, w, out);
    if (isComplex(x.type()))
      return sumImages<std::complex<double>>(x, w, out);
    // Low bits of sums are sums of low bits; of bools, whether any is 1.
    return x.type() == DataType::Bool ? sumImages<uint64_t>(x, w, out)
                                      : sumImages<int64_t>(x, w, out);
  });
}
