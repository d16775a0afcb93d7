//===- Gather.cpp - Reading elements at given indices ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/internal/CopyRuns.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/internal/NegativeIndex.h"
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::ops;

static Elements asInt64(const Elements &indices) {
  assert(isInteger(indices.type()));
  return cast(indices, DataType::Int64);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// Indices as i64; one that has no i64 is outside of every dimension.
static Elements clampedToInt64(const Elements &indices) {
  if (indices.type() != DataType::UInt64)
    return asInt64(indices);
  return mapAs<int64_t, uint64_t>(indices, [](uint64_t i) {
    return int64_t(std::min<uint64_t>(i, std::numeric_limits<int64_t>::max()));
  });
}

std::optional<int64_t> ops::firstOutOfRange(const Elements &indices,
                                            int64_t n) {
  return firstWhere<int64_t>(clampedToInt64(indices),
                             [n](int64_t i) { return i < -n || i >= n; });
}

std::optional<int64_t> ops::firstTupleOutOfRange(const Elements &indices,
                                                 ShapeRef shape,
                                                 int64_t firstAxis) {
  assert(indices.rank() >= 1);
  int64_t length = indices.dim(indices.rank() - 1);
  ShapeRef dims = shape.slice(firstAxis, length);
  int64_t position = 0;
  return firstWhere<int64_t>(clampedToInt64(indices), [&](int64_t i) {
    int64_t n = dims[position];
    if (++position == length)
      position = 0;
    return i < -n || i >= n;
  });
}

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// A view for indices that are evenly spaced, or null.
static Elements gatherView(const Elements &x, llvm::ArrayRef<int64_t> indices,
                           int64_t axis) {
  // Longer lists are evenly spaced too seldom to be looked through.
  if (indices.empty() || indices.size() > 4096)
    return {};
  int64_t step = indices.size() > 1 ? indices[1] - indices[0] : 1;
  for (size_t i = 1; i < indices.size(); ++i)
    if (indices[i] - indices[i - 1] != step)
      return {};
  Shape starts(x.rank(), 0), sizes(x.shape()), steps(x.rank(), 1);
  starts[axis] = indices[0];
  sizes[axis] = indices.size();
  steps[axis] = step;
  return x.slice(starts, sizes, steps);
}

namespace {
/// Element i is read at i * step + index(i) * stride, where negative indices
/// count from n.
struct Take {
  const int64_t *indices;
  int64_t count, n;
  int64_t step = 0, stride = 1; // in elements
};
} // namespace

/// All by value: bytes that are written might be anything else.
template <class T> static void take(Take t, const char *in, char *out) {
  constexpr int64_t width = sizeof(T);
  for (int64_t i = 0; i < t.count; ++i) {
    int64_t from = i * t.step + fromStart(t.indices[i], t.n) * t.stride;
    std::memcpy(out + i * width, in + from * width, width);
  }
}

static void takeElements(Take t, const char *in, unsigned width, char *out) {
  visitByteWidth(
      width, [=](auto tag) { take<typename decltype(tag)::type>(t, in, out); });
}

namespace {
/// x as [outer, n, inner], of which [outer, count, inner] are read.
struct GatherLoop {
  int64_t outer, n, inner, count;

  template <class CopyRow> void forEachRow(CopyRow copyRow) const {
    parallelFor(outer * count, std::max<int64_t>(1, parallelGrain / inner),
                [&](int64_t begin, int64_t end) {
                  for (int64_t row = begin; row < end; ++row)
                    copyRow(row, row / count, row % count);
                });
  }

  void fromBytes(const char *in, const int64_t *indices, unsigned width,
                 char *out) const;
  void fromReader(const Elements::Reader &in, const int64_t *indices,
                  unsigned width, char *out) const {
    forEachRow([&](int64_t row, int64_t o, int64_t i) {
      in.read((o * n + fromStart(indices[i], n)) * inner, inner,
              out + row * inner * width);
    });
  }
};
} // namespace

void GatherLoop::fromBytes(const char *in, const int64_t *indices,
                           unsigned width, char *out) const {
  int64_t bytes = inner * width, rows = outer * count;
  bool stream = rows * bytes >= streamBytes;
  parallelFor(rows, std::max<int64_t>(1, parallelGrain / inner),
              [=, this](int64_t begin, int64_t end) {
                for (int64_t row = begin, last; row < end; row = last) {
                  int64_t o = row / count;
                  last = std::min(end, (o + 1) * count);
                  const char *from = in + o * n * bytes;
                  if (inner == 1) {
                    takeElements({indices + (row - o * count), last - row, n},
                                 from, width, out + row * bytes);
                    continue;
                  }
                  auto rowAt = [=, this](int64_t i) {
                    return from + fromStart(indices[i - o * count], n) * bytes;
                  };
                  copyRuns(row, last, bytes, stream, rowAt,
                           [=](int64_t i) { return out + i * bytes; });
                }
                streamFence();
              });
}

Elements ops::gather(const Elements &x, const Elements &indices, int64_t axis) {
  if (!x || !indices)
    return {};
  if (Elements r =
          movedInWide(x, [&](auto e) { return gather(e[0], indices, axis); }))
    return r;
  Elements wide = asInt64(indices);
  Shape shape(x.shape().take_front(axis));
  shape.append(indices.shape().begin(), indices.shape().end());
  int64_t outer = numElements(x.shape().take_front(axis));
  int64_t inner = numElements(x.shape().drop_front(axis + 1));
  shape.append(x.shape().begin() + axis + 1, x.shape().end());
  GatherLoop loop{outer, x.dim(axis), inner, indices.size()};
  if (indices.size() <= 4096) {
    llvm::SmallVector<int64_t> list = wide.ints();
    for (int64_t &i : list)
      i = fromStart(i, loop.n);
    if (Elements view = gatherView(x, list, axis))
      return view.reshape(shape);
  }
  return Elements::deferred(
      x.type(), shape, {x, wide}, [x, wide, loop](char *out) {
        if (loop.outer * loop.inner * loop.count == 0)
          return;
        ElementsArray<int64_t> indices(wide);
        unsigned width = byteWidth(x.type());
        Elements::Reader reader(x);
        if (const char *bytes = reader.contiguousBytes())
          return loop.fromBytes(bytes, indices.data(), width, out);
        // A few long rows of what would first have to be computed.
        if (loop.inner >= 64 && 4 * loop.count <= loop.n)
          return loop.fromReader(reader, indices.data(), width, out);
        ElementsBytes bytes(x);
        loop.fromBytes(bytes.data(), indices.data(), width, out);
      });
}

//===----------------------------------------------------------------------===//
// GatherElements, GatherND
//===----------------------------------------------------------------------===//

Elements ops::gatherElements(const Elements &x, const Elements &indices,
                             int64_t axis) {
  if (!x || !indices)
    return {};
  assert(x.rank() == indices.rank() && x.rank() >= 1);
  if (Elements r = movedInWide(
          x, [&](auto e) { return gatherElements(e[0], indices, axis); }))
    return r;
  Elements wide = asInt64(indices);
  return Elements::deferred(
      x.type(), indices.shape(), {x, wide}, [x, wide, axis](char *out) {
        if (wide.size() == 0)
          return;
        ElementsBytes in(x);
        ElementsArray<int64_t> indices(wide);
        Shape strides = rowMajorStrides(x.shape());
        int64_t n = x.dim(axis), axisStride = strides[axis];
        strides[axis] = 0; // the index takes its place
        int64_t length = wide.dim(wide.rank() - 1), step = strides.back();
        ShapeRef rowShape = wide.shape().drop_back();
        int64_t rows = numElements(rowShape);
        unsigned width = byteWidth(x.type());
        parallelFor(rows, std::max<int64_t>(1, parallelGrain / length),
                    [&](int64_t begin, int64_t end) {
                      Odometer at(rowShape, ShapeRef(strides).drop_back(),
                                  begin);
                      for (int64_t row = begin; row < end; ++row, at.next())
                        takeElements({indices.data() + row * length, length, n,
                                      step, axisStride},
                                     in.data() + at.offset() * width, width,
                                     out + row * length * width);
                    });
      });
}

Elements ops::gatherND(const Elements &x, const Elements &indices,
                       int64_t batchDims) {
  if (!x || !indices)
    return {};
  assert(indices.rank() > batchDims);
  if (Elements r = movedInWide(
          x, [&](auto e) { return gatherND(e[0], indices, batchDims); }))
    return r;
  int64_t length = indices.dim(indices.rank() - 1);
  Elements wide = asInt64(indices);
  ShapeRef tuples = indices.shape().drop_back();
  ShapeRef slice = x.shape().drop_front(batchDims + length);
  Shape shape(tuples);
  shape.append(slice.begin(), slice.end());
  int64_t batches = numElements(tuples.take_front(batchDims));
  int64_t perBatch = numElements(tuples.drop_front(batchDims));
  return Elements::deferred(
      x.type(), shape, {x, wide},
      [x, wide, batchDims, length, batches, perBatch](char *out) {
        int64_t unit = numElements(x.shape().drop_front(batchDims + length)) *
                       byteWidth(x.type());
        int64_t count = batches * perBatch;
        if (count == 0 || unit == 0)
          return;
        ElementsBytes in(x);
        ElementsArray<int64_t> indices(wide);
        Shape strides = rowMajorStrides(x.shape());
        int64_t batchBytes =
            numElements(x.shape().drop_front(batchDims)) * byteWidth(x.type());
        int64_t last = batchDims + length - 1;
        parallelFor(count, std::max<int64_t>(1, 4 * parallelGrain / unit),
                    [&](int64_t begin, int64_t end) {
                      for (int64_t i = begin; i < end; ++i) {
                        const int64_t *tuple = indices.data() + i * length;
                        int64_t offset = 0; // in units
                        for (int64_t d = batchDims; d <= last; ++d)
                          offset += fromStart(tuple[d - batchDims], x.dim(d)) *
                                    (strides[d] / strides[last]);
                        std::memcpy(out + i * unit,
                                    in.data() + i / perBatch * batchBytes +
                                        offset * unit,
                                    unit);
                      }
                    });
      });
}
