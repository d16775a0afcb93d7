//===- RandomWindows.cpp - Pooling and convolution, tap by tap ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RandomCase.h"
#include "onnxfold/elements/nn/Convolution.h"
#include "onnxfold/elements/nn/Pooling.h"
#include "llvm/ADT/STLExtras.h"
#include <cfloat>

using namespace onnxfold;
using namespace onnxfold::ops;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Windows of one to three dimensions that fit.
static SlidingWindows someWindows(Case &c) {
  SlidingWindows w;
  for (int64_t d = c.random.integer(1, 3); d > 0; --d) {
    w.kernel.push_back(c.random.integer(1, 3));
    w.strides.push_back(c.random.integer(1, 3));
    w.dilations.push_back(c.random.integer(1, 2));
    w.padsBegin.push_back(c.random.integer(0, 2));
    w.padsEnd.push_back(c.random.integer(0, 2));
    int64_t extent = (w.kernel.back() - 1) * w.dilations.back() + 1;
    int64_t pads = w.padsBegin.back() + w.padsEnd.back();
    w.image.push_back(std::max(c.random.integer(1, 7), extent - pads));
    w.positions.push_back((w.image.back() + pads - extent) / w.strides.back() +
                          1);
  }
  return w;
}

static std::string toText(const SlidingWindows &w) {
  return "kernel " + toString(w.kernel) + " strides " + toString(w.strides) +
         " dilations " + toString(w.dilations) + " pads " +
         toString(w.padsBegin) + toString(w.padsEnd) + " image " +
         toString(w.image);
}

/// [first, second, rest...]
static Shape join(int64_t first, int64_t second, ShapeRef rest) {
  Shape result = {first, second};
  result.append(rest.begin(), rest.end());
  return result;
}

/// Calls visit(tap, image element) for the taps of a window that meet the
/// image.
static void forEachTap(const SlidingWindows &w, ShapeRef position,
                       const std::function<void(ShapeRef, ShapeRef)> &visit) {
  forEachIndex(w.kernel, [&](ShapeRef tap) {
    Shape element;
    for (size_t d = 0; d < w.rank(); ++d) {
      int64_t i =
          position[d] * w.strides[d] + tap[d] * w.dilations[d] - w.padsBegin[d];
      if (i < 0 || i >= w.image[d])
        return;
      element.push_back(i);
    }
    visit(tap, element);
  });
}

namespace {
/// A sum in double and the error that it may have.
struct Sum {
  long double exact = 0, magnitude = 0;
  int64_t terms = 2;

  void add(long double value) {
    exact += value;
    magnitude += std::isfinite(value) ? std::fabs(value) : 0;
    ++terms;
  }
  Bound bound() const {
    if (magnitude > DBL_MAX / 2)
      return {exact, NAN};
    return {exact, std::isfinite(exact)
                       ? terms * (magnitude * 0x1p-53L + 0x1p-1074L)
                       : 0};
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Types that double holds.
static bool isInDouble(DataType type) {
  return isFullFloat(type) || (isFullInteger(type) && bitWidth(type) <= 32);
}

static bool windowSumsOf(Case &c) {
  SlidingWindows w = someWindows(c);
  DataType type = c.type(isInDouble);
  int64_t batch = c.random.integer(0, 2), channels = c.random.integer(1, 3);
  Pair x = c.fresh(type, join(batch, channels, w.image));
  std::vector<Bound> bounds;
  Shape shape = join(batch, channels, w.positions);
  forEachIndex(shape, [&](ShapeRef i) {
    Sum sum;
    forEachTap(w, i.drop_front(2), [&](ShapeRef, ShapeRef element) {
      sum.add(wideOf(type, x.naive.at(join(i[0], i[1], element))));
    });
    bounds.push_back(sum.bound());
  });
  c.addWithin("windowSums, " + toText(w), windowSums(x.actual, w),
              DataType::Float64, shape, bounds);
  return true;
}

static bool windowCountsOf(Case &c) {
  SlidingWindows w = someWindows(c);
  bool withPads = c.chance(50);
  c.add("windowCounts, " + toText(w), windowCounts(w, withPads),
        AnyTensor::make(DataType::Float64, w.positions, [&](ShapeRef position) {
          double count = 0;
          if (withPads)
            count = double(numElements(w.kernel)); // these windows fit
          else
            forEachTap(w, position, [&](ShapeRef, ShapeRef) { ++count; });
          return cellOf(count);
        }));
  return true;
}

static bool windowMaximaOf(Case &c) {
  SlidingWindows w = someWindows(c);
  if (w.hasEmptyWindow(false))
    return false;
  DataType type = c.type(isInDouble);
  int64_t batch = c.random.integer(0, 2), channels = c.random.integer(1, 3);
  Pair x = c.fresh(type, join(batch, channels, w.image));
  Shape shape = join(batch, channels, w.positions);
  c.add("windowMaxima, " + toText(w), windowMaxima(x.actual, w),
        AnyTensor::make(DataType::Int64, shape, [&](ShapeRef i) {
          const Cell *best = nullptr;
          forEachTap(w, i.drop_front(2), [&](ShapeRef, ShapeRef element) {
            const Cell &cell = x.naive.at(join(i[0], i[1], element));
            if (!best || orderOfCells(type, cell, *best) > 0)
              best = &cell;
          });
          return cellOf(int64_t(best - x.naive.cells.data()));
        }));
  return true;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Sums for each element of an image, in any order of the terms.
static std::vector<Bound> boundsOf(llvm::ArrayRef<Sum> sums) {
  std::vector<Bound> bounds;
  for (const Sum &sum : sums)
    bounds.push_back(sum.bound());
  return bounds;
}

static int64_t numberIn(ShapeRef shape, ShapeRef index) {
  int64_t number = 0;
  for (size_t d = 0; d < shape.size(); ++d)
    number = number * shape[d] + index[d];
  return number;
}

/// Both directions: x and the result change places.
static bool convolutionOf(Case &c) {
  SlidingWindows w = someWindows(c);
  bool transposed = c.chance(50);
  int64_t groups = c.random.integer(1, 3), batch = c.random.integer(0, 2);
  int64_t inGroup = c.random.integer(1, 3), outGroup = c.random.integer(1, 3);
  ShapeRef from = transposed ? w.positions : w.image;
  ShapeRef to = transposed ? w.image : w.positions;
  Shape shape = join(batch, groups * outGroup, to);
  // Weights: [filters, channels of a group] or [channels, filters of a group].
  Shape kernel = transposed ? join(groups * inGroup, outGroup, w.kernel)
                            : join(groups * outGroup, inGroup, w.kernel);
  if (!c.fits(shape) || !c.fits(join(batch, groups * inGroup, from)))
    return false;
  Pair x = c.fresh(DataType::Float64, join(batch, groups * inGroup, from));
  Pair weights = c.fresh(DataType::Float64, kernel);
  std::vector<Sum> sums(numElements(shape));
  auto value = [](const AnyTensor &t, ShapeRef i) -> long double {
    return valueOf<double>(t.at(i));
  };
  forEachIndex(join(batch, groups, w.positions), [&](ShapeRef i) {
    forEachTap(w, i.drop_front(2), [&](ShapeRef tap, ShapeRef element) {
      for (int64_t in = i[1] * inGroup; in < (i[1] + 1) * inGroup; ++in)
        for (int64_t out = i[1] * outGroup; out < (i[1] + 1) * outGroup;
             ++out) {
          ShapeRef position = i.drop_front(2);
          long double factor =
              transposed ? value(weights.naive, join(in, out % outGroup, tap))
                         : value(weights.naive, join(out, in % inGroup, tap));
          long double operand =
              value(x.naive, join(i[0], in, transposed ? position : element));
          sums[numberIn(shape,
                        join(i[0], out, transposed ? element : position))]
              .add(factor * operand);
        }
    });
  });
  // Padding is 0, which times infinity would be NaN: whether it is multiplied
  // at all is open.
  bool isFinite = true;
  for (const AnyTensor *t : {&x.naive, &weights.naive})
    for (const Cell &cell : t->cells)
      isFinite &= std::isfinite(valueOf<double>(cell));
  std::vector<Bound> bounds = boundsOf(sums);
  for (Bound &bound : bounds)
    if (!isFinite)
      bound.slack = NAN;
  auto *f = transposed ? convolveTransposed : convolve;
  c.addWithin(std::string(transposed ? "convolveTransposed" : "convolve") +
                  " in " + std::to_string(groups) + " groups, " + toText(w),
              f(x.actual, weights.actual, w, groups), DataType::Float64, shape,
              bounds);
  return true;
}

/// The real and the imaginary part, or the number.
static llvm::SmallVector<long double, 2> widePartsOf(DataType type,
                                                     const Cell &cell) {
  if (type == DataType::Complex64) {
    auto z = valueOf<std::complex<float>>(cell);
    return {z.real(), z.imag()};
  }
  if (type == DataType::Complex128) {
    auto z = valueOf<std::complex<double>>(cell);
    return {z.real(), z.imag()};
  }
  return {wideOf(type, cell)};
}

static bool sumOverlapsOf(Case &c) {
  SlidingWindows w = someWindows(c);
  DataType type = c.type(anyType);
  int64_t batch = c.random.integer(0, 2), channels = c.random.integer(1, 3);
  int64_t taps = numElements(w.kernel), count = numElements(w.positions);
  Pair x = c.fresh(type, {batch, channels * taps, count});
  Elements actual = sumOverlaps(x.actual, w);
  std::string what = "sumOverlaps, " + toText(w);
  if (!isOrdered(type) && !isComplex(type)) {
    c.expectNull(what, actual);
    return true;
  }
  bool isInexact = isFloat(type) || isComplex(type);
  size_t parts = isComplex(type) ? 2 : 1;
  Shape shape = join(batch, channels, w.image);
  std::vector<Sum> sums(numElements(shape) * parts);
  std::vector<Integer> integers(sums.size());
  forEachIndex(join(batch, channels, w.positions), [&](ShapeRef i) {
    forEachTap(w, i.drop_front(2), [&](ShapeRef tap, ShapeRef element) {
      const Cell &cell =
          x.naive.at({i[0], i[1] * taps + numberIn(w.kernel, tap),
                      numberIn(w.positions, i.drop_front(2))});
      int64_t number = numberIn(shape, join(i[0], i[1], element));
      if (isInexact)
        for (auto [part, value] : llvm::enumerate(widePartsOf(type, cell)))
          sums[number * parts + part].add(value);
      else if (type == DataType::Bool)
        integers[number] |= integerOf(type, cell);
      else
        integers[number] += integerOf(type, cell);
    });
  });
  if (isInexact) {
    c.addWithin(what, actual, type, shape, boundsOf(sums));
    return true;
  }
  AnyTensor expected{type, shape, {}};
  for (Integer sum : integers)
    expected.cells.push_back(integerCell(type, sum));
  c.add(what, actual, expected);
  return true;
}

void onnxfold::addWindowOperations(OperationList &list) {
  list.insert(list.end(), {{"windowSums", windowSumsOf},
                           {"windowCounts", windowCountsOf},
                           {"windowMaxima", windowMaximaOf},
                           {"convolution", convolutionOf},
                           {"sumOverlaps", sumOverlapsOf}});
}
