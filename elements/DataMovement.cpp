//===- DataMovement.cpp - Concatenation, tiling, padding ------------------===//

#include "onnxfold/elements/DataMovement.h"
#include "onnxfold/elements/Elementwise.h"
#include "onnxfold/elements/Generate.h"
#include "onnxfold/elements/Odometer.h"
#include "onnxfold/elements/Parallel.h"
#include "onnxfold/elements/Reduce.h"
#include "onnxfold/elements/Window.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace onnxfold;

/// Elements that one thread takes at a time.
static constexpr int64_t pieceElements = 64 << 10;

static int64_t product(ShapeRef dims) { return numElements(dims); }

//===----------------------------------------------------------------------===//
// Concatenation
//===----------------------------------------------------------------------===//

/// Writes x, seen as [rows, length], to rows that are `pitch` bytes apart.
static void writeRows(const Elements &x, int64_t rows, int64_t length,
                      char *out, int64_t pitch) {
  int64_t rowBytes = length * byteWidth(x.type());
  if (x.size() == 0)
    return;
  Elements::Reader reader(x);
  if (rows == 1 || pitch == rowBytes)
    return reader.readAll(out);
  const char *bytes = reader.contiguousBytes();
  int64_t grain = std::max<int64_t>(1, reader.preferredGrain() / length);
  parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    if (bytes) {
      for (int64_t r = begin; r < end; ++r)
        std::memcpy(out + r * pitch, bytes + r * rowBytes, rowBytes);
      return;
    }
    auto scratch = llvm::makeIntrusiveRefCnt<HeapBuffer>(
        std::min(grain, end - begin) * rowBytes);
    for (int64_t first = begin; first < end; first += grain) {
      int64_t n = std::min(grain, end - first);
      reader.read(first * length, n * length, scratch->data());
      for (int64_t r = 0; r < n; ++r)
        std::memcpy(out + (first + r) * pitch, scratch->data() + r * rowBytes,
                    rowBytes);
    }
  });
}

Elements onnxfold::concat(llvm::ArrayRef<Elements> parts, int64_t axis) {
  assert(!parts.empty());
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
        for (const Elements &part : used) {
          int64_t length = part.dim(axis) * inner;
          writeRows(part, outer, length, out, pitch);
          out += length * width;
        }
      });
}

Elements onnxfold::tile(const Elements &x, ShapeRef repeats) {
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
/// that is padded; the unpadded ones below are one unit of `unit` bytes.
struct Padding {
  Shape sizes, sourceStrides; // of all dimensions down to the innermost
  llvm::SmallVector<std::vector<int64_t>, 4> source; // index -> index or -1
  int64_t begin, length; // of the source within the innermost dimension
  int64_t unitElements, unit;
  std::vector<char> fillUnit;

  int64_t rowBytes() const { return sizes.back() * unit; }
  void run(const Elements &x, char *out) const;

private:
  void copyRow(Window &window, int64_t row, char *out) const;
  void fill(char *out, int64_t count) const {
    for (int64_t i = 0; i < count; ++i)
      std::memcpy(out + i * unit, fillUnit.data(), unit);
  }
};
} // namespace

void Padding::copyRow(Window &window, int64_t row, char *out) const {
  int64_t from = 0;
  for (size_t d = sizes.size() - 1; d-- > 0;) {
    int64_t i = source[d][row % sizes[d]];
    row /= sizes[d];
    if (i < 0)
      return fill(out, sizes.back());
    from += i * sourceStrides[d];
  }
  const char *in = window.get(from, length * unitElements);
  auto copyUnits = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      int64_t from = source.back()[i];
      std::memcpy(out + i * unit, from < 0 ? fillUnit.data() : in + from * unit,
                  unit);
    }
  };
  copyUnits(0, begin);
  std::memcpy(out + begin * unit, in, length * unit);
  copyUnits(begin + length, sizes.back());
}

void Padding::run(const Elements &x, char *out) const {
  if (rowBytes() == 0)
    return;
  Elements::Reader reader(x);
  int64_t rows = product(ShapeRef(sizes).drop_back());
  int64_t grain = std::max<int64_t>(1, 4 * pieceElements / rowBytes());
  parallelFor(rows, grain, [&](int64_t begin, int64_t end) {
    Window window(reader, x.size(), x.type(), x.type(),
                  reader.preferredGrain());
    for (int64_t r = begin; r < end; ++r)
      copyRow(window, r, out + r * rowBytes());
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
  Padding p;
  Shape shape(x.shape());
  int64_t innermost = 0, width = byteWidth(x.type());
  for (int64_t d = 0; d < x.rank(); ++d) {
    shape[d] += begins[d] + ends[d];
    if (begins[d] != 0 || ends[d] != 0)
      innermost = d;
  }
  int64_t units = product(x.shape().drop_front(innermost + 1));
  p.unitElements = units;
  p.unit = units * width;
  p.begin = begins[innermost];
  p.length = x.dim(innermost);
  Shape strides = rowMajorStrides(x.shape());
  for (int64_t d = 0; d <= innermost; ++d) {
    p.sizes.push_back(shape[d]);
    p.sourceStrides.push_back(strides[d]);
    p.source.emplace_back(shape[d]);
    for (int64_t i = 0; i < shape[d]; ++i)
      p.source[d][i] = padSource(i - begins[d], x.dim(d), mode);
  }
  p.fillUnit.resize(p.unit);
  for (int64_t i = 0; i < units; ++i)
    fill.read(0, 1, &p.fillUnit[i * width]);
  return Elements::deferred(
      x.type(), shape, {x, fill}, [x, fill, mode, p = std::move(p)](char *out) {
        // The other modes read rows again, and out of order.
        bool inOrder = mode == PadMode::Constant;
        p.run(inOrder || x.isContiguous() ? x : x.materialize(), out);
      });
}

Elements onnxfold::pad(const Elements &x, ShapeRef begins, ShapeRef ends,
                       PadMode mode, const Elements &fill) {
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

Elements onnxfold::trilu(const Elements &x, bool upper, int64_t k) {
  assert(x.rank() >= 2);
  int64_t rows = x.dim(x.rank() - 2), cols = x.dim(x.rank() - 1);
  Elements keep = zipAs<bool, int64_t, int64_t>(
      iota({rows, 1}, 0), iota({cols}, 0),
      [upper, k](int64_t row, int64_t col) {
        return upper ? col - row >= k : col - row <= k;
      });
  return select(keep, x, zeroOf(x.type()));
}

Elements onnxfold::compress(const Elements &x, const Elements &condition,
                            int64_t axis) {
  assert(condition.rank() == 1 && condition.size() <= x.dim(axis));
  Elements kept = nonZero(condition);
  return gather(x, kept.reshape({kept.size()}), axis);
}
