//===- StridedCopy.cpp - Row-major reading of strided data ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/internal/StridedCopy.h"
#include "onnxfold/elements/internal/CopyRuns.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/internal/TransposeTile.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/widenum/Dispatch.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <cstring>

using namespace onnxfold;

/// Bytes that one thread takes at a time, and that one range should cover.
static constexpr int64_t pieceBytes = 512 << 10;
/// Ranges of a transposition are bounded: they may go through a scratch copy.
static constexpr int64_t mostBytes = 4 << 20;
/// Planes of a transposition are handed out to threads from this number on.
static constexpr int64_t leastPlanes = 8;
/// Runs of fewer bytes are not worth a call.
static constexpr int64_t runBytes = 64;

/// File payloads are often unaligned, so every access is a memcpy.
template <class T> static T load(const char *p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

template <class T> static void store(char *p, T value) {
  std::memcpy(p, &value, sizeof(T));
}

StridedCopy::StridedCopy(ShapeRef shape, ShapeRef viewStrides, unsigned width)
    : width(width) {
  // Dimensions beside one of 0 may be of any size: their products overflow.
  if (llvm::is_contained(shape, 0)) {
    sizes.push_back(0);
    strides.push_back(1);
    shape = viewStrides = {};
  }
  for (auto [size, stride] : llvm::zip_equal(shape, viewStrides)) {
    if (size == 1)
      continue;
    if (!sizes.empty() && strides.back() == stride * size) {
      sizes.back() *= size;
      strides.back() = stride;
    } else {
      sizes.push_back(size);
      strides.push_back(stride);
    }
  }
  if (sizes.empty()) {
    sizes.push_back(1);
    strides.push_back(1);
  }
  size_t rank = sizes.size();
  inner = rowMajorStrides(sizes);
  contiguous = rank == 1 && (strides[0] == 1 || sizes[0] == 1);
  grainElements = pieceBytes / width;
  // The source is read fastest along its smallest stride. If that is not the
  // last dimension, both are walked together in tiles.
  int64_t least = std::abs(strides.back());
  if (rank == 1 || least <= 1)
    return;
  for (size_t d = 0; d + 1 < rank; ++d)
    if (strides[d] != 0 && std::abs(strides[d]) < least) {
      least = std::abs(strides[d]);
      partner = d;
    }
  if (partner < 0)
    return;
  int64_t row = std::max<int64_t>(1, inner[partner]);
  int64_t rows = std::clamp<int64_t>(grainElements / row, 32, 1024);
  grainElements =
      std::clamp<int64_t>(llvm::alignTo(rows, 64) * row, 1, mostBytes / width);
}

/// Returns where the last dimension is read at [first, first + count), if that
/// is part of one row.
const char *StridedCopy::rowAt(const char *base, int64_t first,
                               int64_t count) const {
  if (sizes.size() == 1) // without divisions, which the blocks of splats feel
    return base + first * strides[0] * width;
  int64_t n = sizes.back();
  if (n == 0 || first % n + count > n)
    return nullptr;
  int64_t row = first / n, offset = first % n * strides.back();
  for (size_t d = sizes.size() - 2; d > 0; --d, row /= sizes[d + 1])
    offset += row % sizes[d] * strides[d];
  return base + (offset + row * strides[0]) * width;
}

const char *StridedCopy::runAt(const char *base, int64_t first,
                               int64_t count) const {
  if (contiguous)
    return base + first * width;
  return strides.back() == 1 ? rowAt(base, first, count) : nullptr;
}

const char *StridedCopy::valueAt(const char *base, int64_t first,
                                 int64_t count) const {
  return strides.back() == 0 ? rowAt(base, first, count) : nullptr;
}

/// A function of values: what a lambda captures by reference, its stores to
/// `out` might change, and then nothing is vectorised.
template <class T>
static void copyElements(const char *in, int64_t stride, int64_t count,
                         char *out) {
  constexpr int64_t w = sizeof(T);
  if (stride == 0) {
    T value = load<T>(in);
    for (int64_t i = 0; i < count; ++i)
      store(out + i * w, value);
  } else if (stride == 1) {
    for (int64_t i = 0; i < count; ++i)
      store(out + i * w, load<T>(in + i * w));
  } else {
    for (int64_t i = 0; i < count; ++i)
      store(out + i * w, load<T>(in + i * stride * w));
  }
}

void StridedCopy::fill(const char *value, unsigned width, int64_t count,
                       char *out) {
  visitByteWidth(width, [=](auto tag) {
    copyElements<typename decltype(tag)::type>(value, 0, count, out);
  });
}

/// One row or a piece of it: `count` elements of the last dimension.
void StridedCopy::copyRow(const char *base, int64_t count, Target to) const {
  int64_t stride = strides.back();
  if (stride == 1 && count * width > runBytes) {
    if (to.stream)
      streamCopy(to.out, base, count * width);
    else
      std::memcpy(to.out, base, count * width);
    return;
  }
  visitByteWidth(width, [&](auto tag) {
    copyElements<typename decltype(tag)::type>(base, stride, count, to.out);
  });
}

/// Whole rows; `rowStride` elements lie between their beginnings.
void StridedCopy::copyRows(int64_t rows, int64_t rowStride, const char *base,
                           int64_t outPitch, Target to) const {
  int64_t pitch = rowStride * width, cols = sizes.back();
  if (strides.back() == 1 && cols * width > runBytes)
    return copyRuns(
        0, rows, cols * width, to.stream,
        [=](int64_t r) { return base + r * pitch; },
        [=](int64_t r) { return to.out + r * outPitch; });
  for (int64_t r = 0; r < rows; ++r)
    copyRow(base + r * pitch, cols, {to.out + r * outPitch, to.stream});
}

/// `rows` rows along the partner, each a whole last dimension.
void StridedCopy::copyPlane(int64_t rows, const char *base, Target to) const {
  int64_t w = width, cols = sizes.back(), colStride = strides.back();
  int64_t rowStride = strides[partner], outPitch = inner[partner] * w;
  char *out = to.out;
  if (rowStride == 1)
    return transposePlane({base, out, colStride * w, outPitch, rows, cols},
                          width, to.stream);
  // Neighbours in the source are some elements apart: tiles of a few lines.
  constexpr int64_t tile = 32;
  visitByteWidth(width, [&](auto tag) {
    using T = typename decltype(tag)::type;
    for (int64_t r0 = 0; r0 < rows; r0 += tile)
      for (int64_t c0 = 0; c0 < cols; c0 += tile)
        for (int64_t r = r0; r < std::min(rows, r0 + tile); ++r)
          for (int64_t c = c0; c < std::min(cols, c0 + tile); ++c)
            store(out + r * outPitch + c * w,
                  load<T>(base + (r * rowStride + c * colStride) * w));
  });
}

/// Planes [begin, end) of all that there are, in row-major order.
void StridedCopy::copyPlanes(const char *base, int64_t begin, int64_t end,
                             Target to) const {
  Shape outer, in, out;
  for (int64_t d = 0, last = sizes.size() - 1; d < last; ++d)
    if (d != partner) {
      outer.push_back(sizes[d]);
      in.push_back(strides[d]);
      out.push_back(inner[d]);
    }
  Odometer from(outer, in, begin), target(outer, out, begin);
  for (int64_t plane = begin; plane < end; ++plane) {
    copyPlane(sizes[partner], base + from.offset() * width,
              {to.out + target.offset() * width, to.stream});
    from.next();
    target.next();
  }
  streamFence();
}

/// The first `count` steps of dimension d with all that lies below.
void StridedCopy::copyBox(size_t d, int64_t count, const char *base,
                          Target to) const {
  size_t last = sizes.size() - 1;
  if (d == last)
    return copyRow(base, count, to);
  // Two dimensions are copied at once, the last and the partner or else the one
  // before; these are the loops over the others from d on.
  bool tiled = partner >= int64_t(d);
  size_t other = tiled ? partner : last - 1;
  llvm::SmallVector<std::pair<size_t, int64_t>, 4> loops;
  int64_t planes = 1, rows = 0;
  for (size_t i = d; i < last; ++i) {
    int64_t n = i == d ? count : sizes[i];
    if (i == other) {
      rows = n;
      continue;
    }
    loops.push_back({i, n});
    planes *= n;
  }
  Shape index(loops.size(), 0);
  for (int64_t plane = 0; plane < planes; ++plane) {
    if (tiled)
      copyPlane(rows, base, to);
    else
      copyRows(rows, strides[other], base, inner[other] * width, to);
    for (size_t i = loops.size(); i-- > 0;) {
      auto [dim, n] = loops[i];
      base += strides[dim] * width;
      to.out += inner[dim] * width;
      if (++index[i] < n)
        break;
      base -= strides[dim] * n * width;
      to.out -= inner[dim] * n * width;
      index[i] = 0;
    }
  }
}

/// A range inside dimension d and below: the end of one step, whole steps, the
/// beginning of another.
void StridedCopy::copyRange(size_t d, const char *base, int64_t first,
                            int64_t count, Target to) const {
  int64_t step = inner[d], w = width;
  auto at = [&](int64_t i) { return base + i * strides[d] * w; };
  if (int64_t skip = first % step) {
    int64_t n = std::min(count, step - skip);
    copyRange(d + 1, at(first / step), skip, n, to);
    to.out += n * w;
    first += n;
    count -= n;
  }
  if (int64_t whole = count / step) {
    copyBox(d, whole, at(first / step), to);
    to.out += whole * step * w;
    first += whole * step;
    count -= whole * step;
  }
  if (count)
    copyRange(d + 1, at(first / step), 0, count, to);
}

void StridedCopy::copy(const char *base, int64_t first, int64_t count,
                       char *out, bool stream) const {
  if (count == 0)
    return;
  if (!contiguous)
    copyRange(0, base, first, count, {out, stream});
  else if (stream)
    streamCopy(out, base + first * width, count * width);
  else
    std::memcpy(out, base + first * width, count * width);
  if (stream)
    streamFence();
}

void StridedCopy::copyAll(const char *base, char *out) const {
  int64_t count = sizes[0] * inner[0];
  if (count == 0)
    return;
  int64_t w = width, last = sizes.size() - 1;
  bool stream = count * w >= streamBytes;
  // Bands of columns keep whole runs of the source and of the tiles together.
  if (last == 1 && strides[0] == 1 && partner == 0) {
    int64_t cols = sizes[1];
    int64_t band =
        llvm::alignTo(std::max<int64_t>(1, pieceBytes / w / sizes[0]), 64);
    return parallelFor(cols, band, [&](int64_t begin, int64_t end) {
      transposePlane({base + begin * strides[1] * w, out + begin * w,
                      strides[1] * w, cols * w, sizes[0], end - begin},
                     width, stream);
    });
  }
  // Ranges of the row-major order would cut planes whose rows lie far apart.
  int64_t planeElements = partner < 0 ? count : sizes[partner] * sizes[last];
  if (int64_t planes = count / planeElements; planes >= leastPlanes)
    return parallelFor(planes,
                       std::max<int64_t>(1, grainElements / planeElements),
                       [&](int64_t begin, int64_t end) {
                         copyPlanes(base, begin, end, {out, stream});
                       });
  parallelFor(count, grainElements, [&](int64_t begin, int64_t end) {
    copy(base, begin, end - begin, out + begin * w, stream);
  });
}
