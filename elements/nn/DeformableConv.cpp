//===- DeformableConv.cpp - Windows whose taps are displaced --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/nn/DeformableConv.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/memory/Parallel.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// The elements around one point, and what each weighs.
class Corners {
public:
  void start() {
    offsets.assign(1, 0);
    weights.assign(1, 1.0);
  }

  /// Goes on to the next dimension; corners outside of it are dropped.
  void cross(double at, int64_t size) {
    size_t count = offsets.size();
    double floor = std::floor(at);
    if (!(floor >= -1 && floor < size))
      count = 0;
    int64_t low = count ? int64_t(floor) : 0;
    double part = at - floor;
    llvm::SmallVector<int64_t, 8> oldOffsets(offsets.begin(),
                                             offsets.begin() + count);
    llvm::SmallVector<double, 8> oldWeights(weights.begin(),
                                            weights.begin() + count);
    offsets.clear();
    weights.clear();
    for (size_t i = 0; i < count; ++i)
      for (int64_t side : {0, 1}) {
        double weight = side ? part : 1 - part;
        if (low + side < 0 || low + side >= size || weight == 0)
          continue;
        offsets.push_back(oldOffsets[i] * size + low + side);
        weights.push_back(oldWeights[i] * weight);
      }
  }

  double sum(const double *pixels) const {
    double result = 0;
    for (size_t i = 0; i < offsets.size(); ++i)
      result += weights[i] * pixels[offsets[i]];
    return result;
  }

private:
  llvm::SmallVector<int64_t, 8> offsets;
  llvm::SmallVector<double, 8> weights;
};

/// One batch: columns of all channels.
struct Columns {
  const SlidingWindows &w;
  int64_t channels, groups, taps, positions, image;
  const double *x, *offset, *mask;

  /// The row of tap `t` for the channels of one group.
  template <class Tap>
  void fill(Corners &corners, int64_t group, int64_t t, const Tap &tap,
            double *out) const {
    Shape steps(w.rank(), 0);
    int64_t rank = w.rank(), each = channels / groups;
    const double *moved = offset + (group * taps + t) * rank * positions;
    Odometer position(w.positions, steps, 0);
    for (int64_t p = 0; p < positions; ++p, position.next()) {
      corners.start();
      for (int64_t d = 0; d < rank; ++d)
        corners.cross(double(position[d] * w.strides[d] +
                             tap[d] * w.dilations[d] - w.padsBegin[d]) +
                          moved[d * positions + p],
                      w.image[d]);
      double scale = mask ? mask[(group * taps + t) * positions + p] : 1;
      for (int64_t c = group * each; c < (group + 1) * each; ++c)
        out[(c * taps + t) * positions + p] =
            corners.sum(x + c * image) * scale;
    }
  }
};

} // namespace

Elements ops::deformableColumns(const Elements &x, const Elements &offset,
                                const Elements &mask, const SlidingWindows &w,
                                int64_t groups) {
  if (!x || !offset)
    return {};
  int64_t taps = numElements(w.kernel), positions = numElements(w.positions);
  Shape shape = {x.dim(0), x.dim(1) * taps, positions};
  llvm::SmallVector<Elements, 3> operands = {x, offset};
  if (mask)
    operands.push_back(mask);
  return Elements::deferred(
      DataType::Float64, shape, operands,
      [x, offset, mask, w, groups, taps, positions](char *out) {
        ElementsArray<double> pixels(x), moved(offset);
        std::optional<ElementsArray<double>> scales;
        if (mask)
          scales.emplace(mask);
        int64_t channels = x.dim(1), image = numElements(w.image);
        auto *to = reinterpret_cast<double *>(out);
        Shape steps(w.rank(), 0);
        parallelFor(
            x.dim(0) * groups * taps, 1, [&](int64_t begin, int64_t end) {
              Corners corners;
              for (int64_t i = begin; i < end; ++i) {
                int64_t n = i / taps / groups;
                Columns columns{
                    w,
                    channels,
                    groups,
                    taps,
                    positions,
                    image,
                    pixels.data() + n * channels * image,
                    moved.data() + n * groups * taps * w.rank() * positions,
                    scales ? scales->data() + n * groups * taps * positions
                           : nullptr};
                columns.fill(corners, i / taps % groups, i % taps,
                             Odometer(w.kernel, steps, i % taps),
                             to + n * channels * taps * positions);
              }
            });
      });
}
