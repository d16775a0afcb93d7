//===- Interpolation.cpp - Values between elements ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/nn/Interpolation.h"
#include "onnxfold/elements/memory/Parallel.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

double InterpolationFilter::operator()(double distance) const {
  double d = std::fabs(distance);
  if (!cubic)
    return d < 1 ? 1 - d : 0;
  if (d <= 1)
    return ((a + 2) * d - (a + 3)) * d * d + 1;
  return d < 2 ? ((a * d - 5 * a) * d + 8 * a) * d - 4 * a : 0;
}

//===----------------------------------------------------------------------===//
// Along an axis
//===----------------------------------------------------------------------===//

bool AxisWeights::isIdentity(int64_t length) const {
  if (size() != length || int64_t(taps.size()) != length)
    return false;
  for (int64_t i = 0; i < length; ++i)
    if (begins[i] != i || taps[i].index != i || taps[i].weight != 1)
      return false;
  return true;
}

/// Appends the taps around x; false if nothing is left.
static bool appendTaps(AxisWeights &out, double x, int64_t length,
                       const ResamplingOptions &options) {
  double reach = options.filter.radius() * options.stretch;
  auto low = int64_t(std::floor(x - reach)) + 1;
  auto high = int64_t(std::ceil(x + reach)) - 1;
  if (options.excludeOutside) {
    low = std::max<int64_t>(low, 0);
    high = std::min(high, length - 1);
  }
  size_t first = out.taps.size();
  double sum = 0;
  for (int64_t i = low; i <= high; ++i) {
    double weight = options.filter((i - x) / options.stretch);
    if (weight == 0)
      continue;
    int64_t index = std::clamp<int64_t>(i, 0, length - 1);
    sum += weight;
    if (out.taps.size() > first && out.taps.back().index == index)
      out.taps.back().weight += weight;
    else
      out.taps.push_back({index, weight});
  }
  // Weights that are neither stretched nor cut add up to 1 as they are.
  if (options.excludeOutside || options.stretch > 1)
    for (AxisWeights::Tap &tap :
         llvm::MutableArrayRef(out.taps).drop_front(first))
      tap.weight /= sum;
  out.begins.push_back(out.taps.size());
  return out.taps.size() > first && sum != 0;
}

std::optional<AxisWeights> ops::axisWeights(llvm::ArrayRef<double> coordinates,
                                            int64_t length,
                                            const ResamplingOptions &options) {
  AxisWeights result;
  for (double x : coordinates)
    if (!appendTaps(result, x, length, options))
      return std::nullopt;
  return result;
}

namespace {

/// The work along one axis of [outer, length, inner].
struct AxisLoop {
  const AxisWeights &weights;
  int64_t length, inner;

  /// Rows [begin, end) of the result [outer * weights.size()][inner].
  void run(const double *in, double *out, int64_t begin, int64_t end) const {
    int64_t size = weights.size(), i = begin % size;
    const double *slab = in + begin / size * length * inner;
    for (int64_t row = begin; row < end; ++row) {
      auto taps = llvm::ArrayRef(weights.taps)
                      .slice(weights.begins[i],
                             weights.begins[i + 1] - weights.begins[i]);
      if (inner == 1)
        out[row] = sum(slab, taps);
      else
        addRows(slab, taps, out + row * inner);
      if (++i == size) {
        i = 0;
        slab += length * inner;
      }
    }
  }

private:
  using Taps = llvm::ArrayRef<AxisWeights::Tap>;

  // Sums start with the first product and not with 0, so that -0 is kept.
  static double sum(const double *in, Taps taps) {
    double result = taps[0].weight * in[taps[0].index];
    for (const AxisWeights::Tap &tap : taps.drop_front())
      result += tap.weight * in[tap.index];
    return result;
  }

  /// Adds in pieces that stay in the L1 cache from tap to tap.
  void addRows(const double *slab, Taps taps, double *out) const {
    constexpr int64_t piece = 1024;
    for (int64_t first = 0; first < inner; first += piece) {
      int64_t count = std::min(piece, inner - first);
      const double *in = slab + taps[0].index * inner + first;
      double *to = out + first, weight = taps[0].weight;
      for (int64_t j = 0; j < count; ++j)
        to[j] = weight * in[j];
      for (const AxisWeights::Tap &tap : taps.drop_front()) {
        in = slab + tap.index * inner + first;
        weight = tap.weight;
        for (int64_t j = 0; j < count; ++j)
          to[j] += weight * in[j];
      }
    }
  }
};

} // namespace

Elements ops::interpolateAxis(const Elements &x, int64_t axis,
                              AxisWeights weights) {
  if (!x)
    return {};
  assert(x.type() == DataType::Float64);
  Shape shape(x.shape());
  shape[axis] = weights.size();
  auto shared = std::make_shared<const AxisWeights>(std::move(weights));
  return Elements::deferred(
      DataType::Float64, shape, {x}, [x, axis, shared](char *out) {
        ElementsArray<double> in(x);
        int64_t outer = numElements(x.shape().take_front(axis));
        int64_t inner = numElements(x.shape().drop_front(axis + 1));
        int64_t size = shared->size();
        if (size == 0 || inner == 0)
          return;
        AxisLoop loop{*shared, x.dim(axis), inner};
        double work = double(shared->taps.size()) / size * inner;
        int64_t grain = std::clamp<double>((1 << 16) / work, 1, 1 << 16);
        parallelFor(outer * size, grain, [&](int64_t begin, int64_t end) {
          loop.run(in.data(), reinterpret_cast<double *>(out), begin, end);
        });
      });
}

//===----------------------------------------------------------------------===//
// At points
//===----------------------------------------------------------------------===//

namespace {

/// One dimension of an image: where a coordinate is, and what is there.
class ImageAxis {
public:
  ImageAxis(int64_t size, const SamplingOptions &options)
      : size(size), padding(options.padding), align(options.alignCorners),
        low(align ? 0 : -0.5), high(align ? size - 1 : size - 0.5) {}

  double place(double coordinate) const {
    return align ? (coordinate + 1) / 2 * (size - 1)
                 : ((coordinate + 1) * size - 1) / 2;
  }

  /// Brings a place into the image, unless there are zeros outside.
  double inside(double x) const {
    if (x >= low && x <= high)
      return x;
    switch (padding) {
    case SamplePadding::Zeros:
      return x;
    case SamplePadding::Border:
      return std::clamp<double>(x, 0, size - 1);
    case SamplePadding::Reflection:
      return reflected(x);
    }
    return x;
  }

  /// The element for a whole number, -1 for a zero.
  int64_t element(double i) const {
    if (i >= 0 && i < size)
      return int64_t(i);
    if (padding == SamplePadding::Zeros)
      return -1;
    double x = padding == SamplePadding::Border ? i : reflected(i);
    return int64_t(std::clamp<double>(x, 0, size - 1));
  }

private:
  double reflected(double x) const {
    double range = high - low;
    if (range <= 0)
      return low;
    double beyond = x < low ? low - x : x - high;
    double part = std::fmod(beyond, range);
    bool turned = std::fmod(beyond, 2 * range) >= range;
    return (x < low) != turned ? low + part : high - part;
  }

  int64_t size;
  SamplePadding padding;
  bool align;
  double low, high;
};

/// The elements around a point in one dimension, and what each weighs.
struct PointTaps {
  int count = 0;
  int64_t offsets[4];
  double weights[4];

  PointTaps(const ImageAxis &axis, double coordinate, int64_t stride,
            const InterpolationFilter &filter) {
    double x = axis.inside(axis.place(coordinate)), floor = std::floor(x);
    for (int i = filter.cubic ? -1 : 0, last = filter.cubic ? 2 : 1; i <= last;
         ++i) {
      double weight = filter(floor + i - x);
      int64_t element = weight == 0 ? -1 : axis.element(floor + i);
      if (element < 0)
        continue;
      offsets[count] = element * stride;
      weights[count++] = weight;
    }
  }
};

} // namespace

/// The sum over all dimensions that `taps` are for.
static double sumAround(const double *image, llvm::ArrayRef<PointTaps> taps) {
  if (taps.empty())
    return *image;
  const PointTaps &t = taps.front();
  double sum = 0;
  for (int i = 0; i < t.count; ++i) {
    double product =
        t.weights[i] * sumAround(image + t.offsets[i], taps.drop_front());
    sum = i == 0 ? product : sum + product; // so that -0 is kept
  }
  return sum;
}

static llvm::SmallVector<ImageAxis, 4> axesOf(ShapeRef image,
                                              const SamplingOptions &options) {
  llvm::SmallVector<ImageAxis, 4> axes;
  for (int64_t size : image)
    axes.emplace_back(size, options);
  return axes;
}

/// [batch, positions...] of points.
static ShapeRef positionsOf(const Elements &points) {
  return points.shape().drop_back();
}

namespace {

/// Points of one batch, in blocks whose taps stay in the cache while one
/// channel after the other is read.
struct PointLoop {
  static constexpr int64_t block = 256;

  const InterpolationFilter &filter;
  llvm::ArrayRef<ImageAxis> axes;
  Shape strides;
  int64_t channels, size, positions;

  /// Positions [begin, end) of all channels.
  void run(const double *pixels, const double *points, double *out,
           int64_t begin, int64_t end) const {
    int64_t rank = axes.size();
    std::vector<PointTaps> taps;
    for (int64_t i = begin; i < end; ++i)
      for (int64_t d = 0; d < rank; ++d)
        taps.emplace_back(axes[d], points[i * rank + rank - 1 - d], strides[d],
                          filter);
    for (int64_t c = 0; c < channels; ++c)
      for (int64_t i = begin; i < end; ++i)
        out[c * positions + i] =
            sumAround(pixels + c * size,
                      llvm::ArrayRef(taps).slice((i - begin) * rank, rank));
  }
};

} // namespace

Elements ops::samplePoints(const Elements &x, const Elements &points,
                           const SamplingOptions &options) {
  if (!x || !points)
    return {};
  assert(x.type() == DataType::Float64 && points.type() == DataType::Float64);
  Shape shape = {x.dim(0), x.dim(1)};
  shape.append(positionsOf(points).drop_front().begin(),
               positionsOf(points).end());
  return Elements::deferred(
      DataType::Float64, shape, {x, points}, [x, points, options](char *out) {
        ElementsArray<double> pixels(x), places(points);
        ShapeRef image = x.shape().drop_front(2);
        auto axes = axesOf(image, options);
        int64_t channels = x.dim(1), size = numElements(image);
        int64_t positions = numElements(positionsOf(points).drop_front());
        PointLoop loop{options.filter, axes, rowMajorStrides(image),
                       channels,       size, positions};
        int64_t blocks = (positions + loop.block - 1) / loop.block;
        auto *to = reinterpret_cast<double *>(out);
        parallelFor(x.dim(0) * blocks, 1, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            int64_t n = i / blocks, first = i % blocks * loop.block;
            loop.run(pixels.data() + n * channels * size,
                     places.data() + n * positions * image.size(),
                     to + n * channels * positions, first,
                     std::min(first + loop.block, positions));
          }
        });
      });
}

Elements ops::nearestToPoints(const Elements &points, ShapeRef image,
                              const SamplingOptions &options) {
  if (!points)
    return {};
  assert(points.type() == DataType::Float64);
  Shape sizes(image);
  return Elements::deferred(
      DataType::Int64, positionsOf(points), {points},
      [points, sizes, options](char *out) {
        ElementsArray<double> places(points);
        auto axes = axesOf(sizes, options);
        int64_t rank = sizes.size();
        auto *to = reinterpret_cast<int64_t *>(out);
        parallelFor(numElements(positionsOf(points)), 4096,
                    [&](int64_t begin, int64_t end) {
                      for (int64_t i = begin; i < end; ++i) {
                        const double *point = places.data() + i * rank;
                        to[i] = 0;
                        for (int64_t d = 0; d < rank && to[i] >= 0; ++d) {
                          double x = axes[d].place(point[rank - 1 - d]);
                          x = axes[d].inside(std::nearbyint(x));
                          int64_t element = axes[d].element(std::nearbyint(x));
                          to[i] = element < 0 ? -1 : to[i] * sizes[d] + element;
                        }
                      }
                    });
      });
}
