//===- DataMovement.cpp - Concatenation, tiling, padding ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/DataMovement.h"
#include "onnxfold/elements/internal/CopyRuns.h"
#include "onnxfold/elements/internal/Odometer.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/ops/internal/Window.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Bytes that are read before they are written elsewhere.
static constexpr int64_t copyPiece = 64 << 10;

static int64_t product(ShapeRef dims) { return numElements(dims); }

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// Rows of x, seen as [rows, length], lie where view() says: slices of what is
/// stored. A row is long enough to pay for asking.
static bool rowsLieThere(const Elements::Reader &reader, int64_t rows,
                         int64_t length, int64_t rowBytes) {
  if (rowBytes < 256)
    return false;
  auto scratch = llvm::makeIntrusiveRefCnt<HeapBuffer>(rowBytes);
  auto lies = [&](int64_t row) {
    return reader.view(row * length, length, scratch->data()) !=
           scratch->data();
  };
  return lies(0) && lies(rows - 1);
}

/// Writes x, seen as [rows, length], to rows that are `pitch` bytes apart.
/// `stream`: past the caches.
static void writeRows(const Elements &x, int64_t rows, int64_t length,
                      char *out, int64_t pitch, bool stream) {
  int64_t rowBytes = length * byteWidth(x.type());
  if (x.size() == 0)
    return;
  // A reader would bring the whole file to memory for each slice of one weight
  // that is joined again; contiguous parts are read alone.
  if (rows == 1 || pitch == rowBytes)
    return Elements::Reader(x, Elements::Reader::Access::Once).readAll(out);
  Elements::Reader reader(x);
  const char *bytes = reader.contiguousBytes();
  bool lieThere = !bytes && rowsLieThere(reader, rows, length, rowBytes);
  int64_t grain = std::max<int64_t>(1, reader.preferredGrain() / length);
  parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    auto write = [&](int64_t first, int64_t last, const char *from) {
      copyRuns(
          first, last, rowBytes, stream,
          [=](int64_t r) { return from + (r - first) * rowBytes; },
          [=](int64_t r) { return out + r * pitch; });
    };
    if (bytes) {
      write(begin, end, bytes + begin * rowBytes);
      return streamFence();
    }
    if (lieThere) {
      copyRuns(
          begin, end, rowBytes, stream,
          [&](int64_t r) {
            return static_cast<const char *>(
                reader.view(r * length, length, nullptr));
          },
          [=](int64_t r) { return out + r * pitch; });
      return streamFence();
    }
    // Parts that need no large pieces are read in pieces that stay in L2.
    int64_t step = reader.isTransposing()
                       ? grain
                       : std::max<int64_t>(1, copyPiece / rowBytes);
    auto scratch = llvm::makeIntrusiveRefCnt<HeapBuffer>(
        std::min(step, end - begin) * rowBytes);
    for (int64_t first = begin; first < end; first += step) {
      int64_t n = std::min(step, end - first);
      reader.read(first * length, n * length, scratch->data());
      write(first, first + n, scratch->data());
    }
    streamFence();
  });
}

/// Elements of the concatenation of `parts`, of which each row has `inner`
/// times its size along `axis`.
static bool sampleConcat(llvm::ArrayRef<Elements> parts, int64_t axis,
                         int64_t inner, const SampleRequest &request) {
  int64_t pitch = 0, width = request.width;
  for (const Elements &part : parts)
    pitch += part.dim(axis) * inner;
  int64_t begin = 0;
  for (const Elements &part : parts) {
    int64_t length = part.dim(axis) * inner;
    llvm::SmallVector<int64_t> inPart, places;
    for (auto [place, position] : llvm::enumerate(request.positions))
      if (int64_t at = position % pitch - begin; at >= 0 && at < length) {
        inPart.push_back(position / pitch * length + at);
        places.push_back(place);
      }
    begin += length;
    llvm::SmallVector<char> values(inPart.size() * width);
    if (!part.sample({inPart, request.width, values.data(), request.left}))
      return false;
    for (auto [i, place] : llvm::enumerate(places))
      std::memcpy(request.out + place * width, values.data() + i * width,
                  width);
  }
  return true;
}

Elements ops::concat(llvm::ArrayRef<Elements> parts, int64_t axis) {
  assert(!parts.empty());
  if (!llvm::all_of(parts, [](const Elements &e) { return bool(e); }))
    return {};
  if (Elements r = movedInWide(parts, [&](auto e) { return concat(e, axis); }))
    return r;
  Shape shape(parts[0].shape());
  shape[axis] = 0;
  llvm::SmallVector<Elements, 4> used;
  for (const Elements &part : parts) {
    assert(part.type() == parts[0].type());
    shape[axis] += part.dim(axis);
    if (part.dim(axis) != 0)
      used.push_back(part);
  }
  if (used.size() <= 1)
    return used.empty() ? parts[0] : used[0];
  int64_t outer = product(ShapeRef(shape).take_front(axis));
  int64_t inner = product(ShapeRef(shape).drop_front(axis + 1));
  int64_t width = byteWidth(parts[0].type());
  int64_t pitch = shape[axis] * inner * width;
  return Elements::deferred(
      parts[0].type(), shape, used,
      [used, outer, inner, axis, pitch, width](char *out) {
        bool stream = outer * pitch >= streamBytes;
        for (const Elements &part : used) {
          int64_t length = part.dim(axis) * inner;
          writeRows(part, outer, length, out, pitch, stream);
          out += length * width;
        }
      },
      [used, axis, inner](const SampleRequest &request) {
        return sampleConcat(used, axis, inner, request);
      });
}

Elements ops::tile(const Elements &x, ShapeRef repeats) {
  if (!x)
    return {};
  assert(int64_t(repeats.size()) == x.rank());
  if (Elements r = movedInWide(x, [&](auto e) { return tile(e[0], repeats); }))
    return r;
  // Each dimension d becomes [repeats, d], of which the first is a broadcast.
  Shape split, repeated, result;
  for (auto [n, dim] : llvm::zip_equal(repeats, x.shape())) {
    split.append({1, dim});
    repeated.append({n, dim});
    result.push_back(n * dim);
  }
  return x.reshape(split).expand(repeated).reshape(result);
}

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

/// One element of zero bytes: 0, false, "".
static Elements zeroOf(DataType type) {
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(byteWidth(type));
  std::memset(buffer->data(), 0, buffer->size());
  return Elements::fromBuffer(type, {}, buffer);
}

/// The source index for index `i` (relative to the first source element) of a
/// dimension of size n, or -1 for the fill value.
static int64_t padSource(int64_t i, int64_t n, PadMode mode) {
  if (i >= 0 && i < n)
    return i;
  switch (mode) {
  case PadMode::Constant:
    return -1;
  case PadMode::Edge:
    return i < 0 ? 0 : n - 1;
  case PadMode::Wrap:
    return (i % n + n) % n;
  case PadMode::Reflect:
    break;
  }
  if (n == 1)
    return 0;
  int64_t period = 2 * (n - 1), phase = (i % period + period) % period;
  return phase < n ? phase : period - phase;
}

namespace {
/// Copies rows of the padded tensor. Its innermost dimension is the last one
/// that is padded; the unpadded ones below are one unit. Takes a few kilobytes
/// whatever the counts are.
struct Padding {
  PadMode mode;
  Shape sizes, sourceSizes, begins, sourceStrides; // down to the innermost
  int64_t unitElements, width;
  bool stream;             // past the caches
  std::vector<char> fills; // many times the fill value

  Padding(const Elements &x, ShapeRef begins, ShapeRef ends, PadMode mode,
          const Elements &fill);
  int64_t rowBytes() const { return sizes.back() * unitBytes(); }
  void run(const Elements &x, char *out) const;

private:
  int64_t unitBytes() const { return unitElements * width; }
  int64_t sourceOf(const Odometer &row) const;
  void copyRow(int64_t from, const Elements::Reader &reader, Window &window,
               char *out) const;
  void copyUnits(int64_t first, int64_t last, const char *in, char *out) const;
  void copy(char *out, const char *in, int64_t bytes) const {
    if (stream && bytes >= leastStreamed)
      streamCopy(out, in, bytes);
    else if (bytes != 0)
      std::memcpy(out, in, bytes);
  }
  void fill(char *out, int64_t bytes) const {
    for (int64_t n; bytes > 0; out += n, bytes -= n) {
      n = std::min<int64_t>(bytes, fills.size());
      copy(out, fills.data(), n);
    }
  }
};
} // namespace

Padding::Padding(const Elements &x, ShapeRef before, ShapeRef after,
                 PadMode mode, const Elements &fill)
    : mode(mode), width(byteWidth(x.type())) {
  int64_t innermost = 0, resultBytes = width;
  for (int64_t d = 0; d < x.rank(); ++d) {
    if (before[d] != 0 || after[d] != 0)
      innermost = d;
    resultBytes *= before[d] + x.dim(d) + after[d];
  }
  stream = resultBytes >= streamBytes;
  unitElements = product(x.shape().drop_front(innermost + 1));
  Shape strides = rowMajorStrides(x.shape());
  for (int64_t d = 0; d <= innermost; ++d) {
    sizes.push_back(before[d] + x.dim(d) + after[d]);
    sourceSizes.push_back(x.dim(d));
    begins.push_back(before[d]);
    sourceStrides.push_back(strides[d]);
  }
  fills.resize(4096); // a multiple of every width
  fill.read(0, 1, fills.data());
  for (size_t i = width; i < fills.size(); ++i)
    fills[i] = fills[i - width];
}

/// Returns where a row is read; -1 if it has the fill value only.
int64_t Padding::sourceOf(const Odometer &row) const {
  int64_t from = 0;
  for (size_t d = 0; d + 1 < sizes.size(); ++d) {
    int64_t i = padSource(row[d] - begins[d], sourceSizes[d], mode);
    if (i < 0)
      return -1;
    from += i * sourceStrides[d];
  }
  return from;
}

/// Units [first, last) of a row, run by run.
void Padding::copyUnits(int64_t first, int64_t last, const char *in,
                        char *out) const {
  int64_t n = sourceSizes.back(), unit = unitBytes();
  if (mode == PadMode::Constant)
    return fill(out + first * unit, (last - first) * unit);
  for (int64_t i = first, count; i < last; i += count) {
    int64_t from = padSource(i - begins.back(), n, mode);
    int64_t next = padSource(i + 1 - begins.back(), n, mode);
    // A run that ascends lasts to the end of the source; a repeated element is
    // repeated to the end.
    count = next > from    ? std::min(last - i, n - from)
            : next == from ? last - i
                           : 1;
    int64_t run = next == from ? unit : count * unit;
    for (int64_t done = 0; done < count * unit; done += run)
      copy(out + i * unit + done, in + from * unit, run);
  }
}

void Padding::copyRow(int64_t from, const Elements::Reader &reader,
                      Window &window, char *out) const {
  int64_t begin = begins.back(), end = begin + sourceSizes.back();
  int64_t elements = sourceSizes.back() * unitElements;
  char *middle = out + begin * unitBytes();
  if (mode == PadMode::Constant && !reader.contiguous() &&
      elements >= reader.preferredGrain()) {
    // Long rows are computed in place; the rest of them is fill values.
    reader.read(from, elements, middle);
    copyUnits(0, begin, nullptr, out);
    return copyUnits(end, sizes.back(), nullptr, out);
  }
  const char *in = window.get(from, elements);
  copyUnits(0, begin, in, out);
  copy(middle, in, elements * width);
  copyUnits(end, sizes.back(), in, out);
}

void Padding::run(const Elements &x, char *out) const {
  if (rowBytes() == 0)
    return;
  Elements::Reader reader(x);
  ShapeRef outer = ShapeRef(sizes).drop_back();
  Shape noStrides(outer.size(), 0);
  int64_t grain = std::max<int64_t>(1, 4 * parallelGrain / rowBytes());
  parallelFor(product(outer), grain, [&](int64_t begin, int64_t end) {
    Window window(reader, x.size(), x.type(), x.type(),
                  reader.preferredGrain());
    Odometer row(outer, noStrides, begin);
    for (int64_t r = begin; r < end; ++r, row.next()) {
      char *to = out + r * rowBytes();
      if (int64_t from = sourceOf(row); from < 0)
        fill(to, rowBytes());
      else
        copyRow(from, reader, window, to);
    }
    if (stream)
      streamFence();
  });
}

/// The part of x that negative counts leave.
static Elements crop(const Elements &x, ShapeRef begins, ShapeRef ends) {
  Shape starts(x.rank()), sizes(x.rank()), steps(x.rank(), 1);
  for (int64_t d = 0; d < x.rank(); ++d) {
    starts[d] = std::max<int64_t>(0, -begins[d]);
    sizes[d] = x.dim(d) - starts[d] - std::max<int64_t>(0, -ends[d]);
    assert(x.dim(d) + begins[d] + ends[d] >= 0);
    // Cropped beyond its end from both sides, it takes from what is added.
    if (sizes[d] < 0)
      return {};
  }
  return x.slice(starts, sizes, steps);
}

/// REQUIRES: counts >= 0, at least one of them not 0.
static Elements grow(const Elements &x, ShapeRef begins, ShapeRef ends,
                     PadMode mode, const Elements &fill) {
  Shape shape(x.shape());
  for (int64_t d = 0; d < x.rank(); ++d)
    shape[d] += begins[d] + ends[d];
  if (numElements(shape) == 0) // rows may be longer than any number of bytes
    return x.reshape(shape);
  return Elements::deferred(
      x.type(), shape, {x, fill},
      [x, fill, mode, p = Padding(x, begins, ends, mode, fill)](char *out) {
        // The other modes read rows again, and out of order.
        bool inOrder = mode == PadMode::Constant;
        p.run(inOrder || x.isContiguous() ? x : x.materialize(), out);
      });
}

Elements ops::pad(const Elements &x, ShapeRef begins, ShapeRef ends,
                  PadMode mode, const Elements &fill) {
  if (!x)
    return {};
  if (Elements r = movedInWide({x, fill}, [&](auto e) {
        return pad(e[0], begins, ends, mode, e[1]);
      }))
    return r;
  Elements value = fill ? fill.reshape({}) : zeroOf(x.type());
  assert(value.type() == x.type());
  auto positive = [](ShapeRef counts) {
    return Shape(llvm::map_range(
        counts, [](int64_t n) { return std::max<int64_t>(0, n); }));
  };
  Shape before = positive(begins), after = positive(ends);
  Elements kept = crop(x, begins, ends);
  if (!kept) {
    // Nothing of x is left: only fill values.
    Shape shape(x.shape());
    for (int64_t d = 0; d < x.rank(); ++d)
      shape[d] += begins[d] + ends[d];
    return value.expand(shape);
  }
  auto isZero = [](int64_t n) { return n == 0; };
  if (llvm::all_of(before, isZero) && llvm::all_of(after, isZero))
    return kept;
  return grow(kept, before, after, mode, value);
}

//===----------------------------------------------------------------------===//
// Triangles and masks
//===----------------------------------------------------------------------===//

Elements ops::trilu(const Elements &x, bool upper, int64_t k) {
  if (!x)
    return {};
  assert(x.rank() >= 2);
  int64_t rows = x.dim(x.rank() - 2), cols = x.dim(x.rank() - 1);
  Elements keep = zipAs<bool, int64_t, int64_t>(
      iota({rows, 1}, 0), iota({cols}, 0),
      [upper, k](int64_t row, int64_t col) {
        return upper ? col - row >= k : col - row <= k;
      });
  return select(keep, x, zeroOf(x.type()));
}

Elements ops::compress(const Elements &x, const Elements &condition,
                       int64_t axis) {
  if (!x || !condition)
    return {};
  assert(condition.rank() == 1 && condition.size() <= x.dim(axis));
  Elements kept = nonZero(condition);
  return gather(x, kept.reshape({kept.size()}), axis);
}
