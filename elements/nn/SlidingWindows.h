//===- SlidingWindows.h - Kernels that slide over images --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// The geometry of pooling and convolution for any number of spatial dimensions.
// A kernel slides over positions, and each of its elements (taps) meets an
// element of the image at each position. Tap k of position p meets image
// element
//
//   p * strides[d] + k * dilations[d] - padsBegin[d]
//
// along dimension d. An index outside of the image is padding.
//
//   SlidingWindows w;               // 3 x 3 on 28 x 28, padded to "same"
//   w.image = w.positions = {28, 28};
//   w.kernel = {3, 3};
//   w.strides = w.dilations = w.padsBegin = w.padsEnd = {1, 1};
//
// A transposed convolution has the same geometry with positions as input and
// the image as output. REQUIRES: there is at least one dimension; sizes,
// strides and dilations are positive; the formula fits int64.
// Thread safety: a value; its functions are pure.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_NN_SLIDINGWINDOWS_H
#define ONNXFOLD_ELEMENTS_NN_SLIDINGWINDOWS_H

#include "onnxfold/elements/Shape.h"
#include <algorithm>

namespace onnxfold::ops {

struct SlidingWindows {
  Shape image, kernel, positions, strides, dilations, padsBegin, padsEnd;

  size_t rank() const { return image.size(); }

  /// The number of taps of position p that meet the image along dimension d, or
  /// with `withPads` the image or its padding.
  int64_t tapsInside(size_t d, int64_t p, bool withPads) const {
    int64_t first = p * strides[d] - padsBegin[d];
    int64_t end = image[d] + (withPads ? padsEnd[d] : 0);
    int64_t begin = withPads ? -padsBegin[d] : 0;
    auto tapsBelow = [&](int64_t limit) {
      int64_t taps = (limit - first + dilations[d] - 1) / dilations[d];
      return limit <= first ? 0 : std::min(kernel[d], taps);
    };
    return tapsBelow(end) - tapsBelow(begin);
  }

  /// Whether some position meets nothing but padding.
  bool hasEmptyWindow(bool withPads) const {
    for (size_t d = 0; d < rank(); ++d)
      for (int64_t p = 0; p < positions[d]; ++p)
        if (tapsInside(d, p, withPads) <= 0)
          return true;
    return false;
  }

  /// Calls run(position, element, count) for runs of the positions [begin, end)
  /// of one tap, whose index along dimension d is `tap[d]`. Positions and
  /// elements are row-major numbers. The `count` positions from `position` on
  /// meet the image elements `element`, `element` + innermost stride, and so
  /// on; `element` is -1 if all of them meet padding.
  template <class Tap, class F>
  void forEachRun(const Tap &tap, int64_t begin, int64_t end, F run) const {
    size_t last = rank() - 1;
    int64_t inner = positions[last], stride = strides[last];
    int64_t first = tap[last] * dilations[last] - padsBegin[last];
    auto positionsBelow = [&](int64_t limit) {
      return limit <= first
                 ? 0
                 : std::min(inner, (limit - first + stride - 1) / stride);
    };
    int64_t low = positionsBelow(0), high = positionsBelow(image[last]);
    for (int64_t p = begin; p < end;) {
      int64_t start = p % inner, stop = std::min(inner, start + end - p);
      int64_t row = rowOf(tap, p / inner);
      int64_t from = row < 0 ? stop : std::clamp(low, start, stop);
      int64_t to = row < 0 ? stop : std::clamp(high, from, stop);
      if (from > start)
        run(p, int64_t(-1), from - start);
      if (to > from)
        run(p + from - start, row * image[last] + from * stride + first,
            to - from);
      if (stop > to)
        run(p + to - start, int64_t(-1), stop - to);
      p += stop - start;
    }
  }

private:
  /// The row of the image that a row of positions meets, or -1 for padding.
  template <class Tap> int64_t rowOf(const Tap &tap, int64_t row) const {
    int64_t result = 0, pitch = 1;
    for (size_t d = rank() - 1; d-- > 0;) {
      int64_t at = row % positions[d] * strides[d] + tap[d] * dilations[d] -
                   padsBegin[d];
      if (at < 0 || at >= image[d])
        return -1;
      result += at * pitch;
      pitch *= image[d];
      row /= positions[d];
    }
    return result;
  }
};

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_NN_SLIDINGWINDOWS_H
