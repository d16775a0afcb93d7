//===- RoiPooling.cpp - Pooling of regions of an image --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/nn/RoiPooling.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// One side of a region: where its bins begin, and the points in each.
struct Side {
  double start, bin, points;

  double at(int64_t number, int64_t point) const {
    return start + number * bin + (point + 0.5) * bin / points;
  }
};

/// A coordinate between two pixels.
struct Between {
  int64_t low, high;
  double part;
};

/// The weighted corners of a point, summed up or compared, for all channels.
class Accumulator {
public:
  Accumulator(const double *image, int64_t channels, int64_t height,
              int64_t width, bool largest)
      : image(image), height(height), width(width), largest(largest),
        values(channels) {}

  void start() {
    first = true;
    std::fill(values.begin(), values.end(), 0.0);
  }
  void add(double y, double x);
  double value(int64_t channel, double points) const {
    return largest ? values[channel] : values[channel] / std::max(points, 1.0);
  }

private:
  static Between between(double at, int64_t size) {
    at = std::max(at, 0.0);
    int64_t low = int64_t(at);
    if (low >= size - 1)
      return {size - 1, size - 1, 0};
    return {low, low + 1, at - low};
  }

  const double *image;
  int64_t height, width;
  bool largest, first = true;
  std::vector<double> values;
};

} // namespace

void Accumulator::add(double y, double x) {
  bool outside = y < -1 || y > height || x < -1 || x > width;
  Between row = between(outside ? 0 : y, height);
  Between col = between(outside ? 0 : x, width);
  for (size_t c = 0; c < values.size(); ++c) {
    const double *pixels = image + c * height * width;
    auto corner = [&](int64_t r, double partY, int64_t k, double partX) {
      return outside ? 0 : partY * partX * pixels[r * width + k];
    };
    double a = corner(row.low, 1 - row.part, col.low, 1 - col.part);
    double b = corner(row.low, 1 - row.part, col.high, col.part);
    double d = corner(row.high, row.part, col.low, 1 - col.part);
    double e = corner(row.high, row.part, col.high, col.part);
    if (!largest) {
      values[c] += a + b + d + e;
      continue;
    }
    double best = maximum(maximum(a, b), maximum(d, e));
    values[c] = first ? best : maximum(values[c], best);
  }
  first = false;
}

/// Side `d` (0: x, 1: y) of a region.
static Side sideOf(const double *roi, int d, const RoiAlignOptions &options) {
  double offset = options.halfPixel ? 0.5 : 0;
  double start = roi[d] * options.scale - offset;
  double size = roi[d + 2] * options.scale - offset - start;
  if (!options.halfPixel)
    size = std::max(size, 1.0);
  double bin = size / (d == 0 ? options.width : options.height);
  double points = options.samplingRatio > 0 ? options.samplingRatio
                                            : std::max(0.0, std::ceil(bin));
  return {start, bin, points};
}

std::optional<double> ops::roiAlignPoints(const Elements &rois,
                                          const RoiAlignOptions &options) {
  ElementsArray<double> regions(rois);
  double points = 0;
  for (int64_t i = 0; i < rois.dim(0); ++i) {
    Side x = sideOf(regions.data() + i * 4, 0, options);
    Side y = sideOf(regions.data() + i * 4, 1, options);
    if (!std::isfinite(x.start + x.bin + y.start + y.bin))
      return std::nullopt;
    points += (x.points * options.width) * (y.points * options.height);
  }
  return points;
}

/// All channels of one region.
static void alignRegion(Accumulator &sums, const double *roi, int64_t channels,
                        const RoiAlignOptions &options, double *out) {
  Side x = sideOf(roi, 0, options), y = sideOf(roi, 1, options);
  int64_t bins = options.height * options.width;
  for (int64_t bin = 0; bin < bins; ++bin) {
    sums.start();
    for (int64_t iy = 0; iy < y.points; ++iy)
      for (int64_t ix = 0; ix < x.points; ++ix)
        sums.add(y.at(bin / options.width, iy), x.at(bin % options.width, ix));
    for (int64_t c = 0; c < channels; ++c)
      out[c * bins + bin] = sums.value(c, x.points * y.points);
  }
}

Elements ops::roiAlign(const Elements &x, const Elements &rois,
                       const Elements &images, const RoiAlignOptions &options) {
  if (!x || !rois || !images)
    return {};
  Shape shape = {rois.dim(0), x.dim(1), options.height, options.width};
  return Elements::deferred(
      DataType::Float64, shape, {x, rois, images},
      [x, rois, images, options](char *out) {
        ElementsArray<double> pixels(x), regions(rois);
        ElementsArray<int64_t> numbers(images);
        int64_t channels = x.dim(1), size = x.dim(2) * x.dim(3);
        int64_t count = channels * options.height * options.width;
        auto *to = reinterpret_cast<double *>(out);
        parallelFor(rois.dim(0), 1, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            Accumulator sums(pixels.data() + numbers[i] * channels * size,
                             channels, x.dim(2), x.dim(3), options.largest);
            alignRegion(sums, regions.data() + i * 4, channels, options,
                        to + i * count);
          }
        });
      });
}

namespace {

/// The pixels of one side of a region, cut into bins.
struct Pixels {
  Pixels(double from, double to, int64_t bins, int64_t limit)
      : start(int64_t(std::round(from))),
        size(std::max<int64_t>(1, int64_t(std::round(to)) - start + 1)),
        bins(bins), limit(limit) {}

  int64_t begin(int64_t bin) const { return clamp(bin * size / bins); }
  int64_t end(int64_t bin) const {
    return clamp(((bin + 1) * size + bins - 1) / bins);
  }

private:
  int64_t clamp(int64_t offset) const {
    return std::clamp<int64_t>(start + offset, 0, limit);
  }

  int64_t start, size, bins, limit;
};

} // namespace

/// The largest element of rows and columns [begin, end), 0 of none.
static double largestOf(const double *image, int64_t width, int64_t y0,
                        int64_t y1, int64_t x0, int64_t x1) {
  if (y0 >= y1 || x0 >= x1)
    return 0;
  double best = image[y0 * width + x0];
  for (int64_t y = y0; y < y1; ++y)
    for (int64_t x = x0; x < x1; ++x)
      best = maximum(best, image[y * width + x]);
  return best;
}

Elements ops::maxRoiPool(const Elements &x, const Elements &rois,
                         int64_t height, int64_t width, double scale) {
  if (!x || !rois)
    return {};
  Shape shape = {rois.dim(0), x.dim(1), height, width};
  return Elements::deferred(
      DataType::Float64, shape, {x, rois}, [=](char *out) {
        ElementsArray<double> pixels(x), regions(rois);
        int64_t channels = x.dim(1), h = x.dim(2), w = x.dim(3);
        auto *to = reinterpret_cast<double *>(out);
        parallelFor(rois.dim(0) * channels, 1, [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i) {
            const double *roi = regions.data() + i / channels * 5;
            Pixels cols(roi[1] * scale, roi[3] * scale, width, w);
            Pixels rows(roi[2] * scale, roi[4] * scale, height, h);
            int64_t image = int64_t(roi[0]) * channels + i % channels;
            for (int64_t bin = 0; bin < height * width; ++bin)
              to[i * height * width + bin] =
                  largestOf(pixels.data() + image * h * w, w,
                            rows.begin(bin / width), rows.end(bin / width),
                            cols.begin(bin % width), cols.end(bin % width));
          }
        });
      });
}
