//===- Reduce.cpp - Reductions along axes ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every reduction is brought into the form [outer, rows, cols] -> [outer, cols]
// by a view. `rows` are cut into leaves, combined one after the other; the
// leaves are combined pairwise as a binary counter counts; segments of a power
// of two of leaves are what one thread does at a time. All cuts depend on the
// shape alone.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/Reduce.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/ops/Math.h"
#include "onnxfold/elements/ops/Monoid.h"
#include "onnxfold/elements/ops/ReduceWith.h"
#include "onnxfold/elements/ops/internal/Window.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// Accumulators of a pairwise sum: level i holds 2^i leaves or nothing.
class PairwiseLevels {
public:
  PairwiseLevels(const Monoid &monoid, int64_t cols)
      : monoid(monoid), cols(cols),
        bytes(cols * byteWidth(monoid.accumulator)) {}

  /// Accumulators for the next leaf, not initialised.
  char *current() {
    if (!spare)
      spare = llvm::makeIntrusiveRefCnt<HeapBuffer>(bytes);
    return spare->data();
  }

  /// Takes what was put into current().
  void push() {
    for (Level &level : levels) {
      if (!level.full) {
        std::swap(level.buffer, spare);
        level.full = true;
        return;
      }
      monoid.combine(level.buffer->data(), spare->data(), cols);
      std::swap(level.buffer, spare);
      level.full = false;
    }
    levels.push_back({std::move(spare), true});
    spare = nullptr;
  }

  /// The result, after at least one push; empties all.
  const char *finish() {
    const char *result = nullptr;
    for (Level &level : levels) {
      if (!level.full)
        continue;
      if (result)
        monoid.combine(level.buffer->data(), result, cols);
      result = level.buffer->data();
      level.full = false;
    }
    return result;
  }

private:
  struct Level {
    llvm::IntrusiveRefCntPtr<HeapBuffer> buffer;
    bool full;
  };
  const Monoid &monoid;
  int64_t cols;
  uint64_t bytes;
  llvm::SmallVector<Level, 8> levels;
  llvm::IntrusiveRefCntPtr<HeapBuffer> spare;
};

/// The last step, from accumulators to results.
struct Finish {
  Reduction kind;
  DataType type; // of the result
  int64_t count; // elements per result

  void run(const Monoid &monoid, void *acc, int64_t n, char *out) const;
};

/// One reduction of `x`, of shape [outer, rows, cols].
struct ReduceLoop {
  Monoid monoid;
  Finish finish;
  DataType type; // of x
  int64_t outer, rows, cols;

  // A single column is cut into longer leaves, summed in interleaved chains.
  int64_t leaf() const { return cols == 1 ? 1024 : 128; }
  int64_t segment() const { return cols == 1 ? 64 << 10 : 4 << 10; }
  static constexpr int64_t slice = 4096; // columns at a time

  void run(const Elements &x, char *out) const;

private:
  const char *root(Window &window, PairwiseLevels &levels, int64_t o,
                   int64_t firstRow, int64_t lastRow, int64_t firstCol,
                   int64_t n) const;
  void runWhole(const Elements::Reader &reader, char *out) const;
  void runSegments(const Elements::Reader &reader, char *out) const;
  Window window(const Elements::Reader &reader) const {
    // Reading ahead is for rows that follow each other.
    return Window(reader, outer * rows * cols, type, monoid.elementType,
                  cols > slice ? 1 : 32 << 10);
  }
};

} // namespace

/// Integer means truncate.
static void divideIntegers(DataType type, void *values, int64_t n,
                           int64_t count) {
  visitInteger(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using Wide = std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>;
    T *v = static_cast<T *>(values);
    for (int64_t i = 0; i < n; ++i)
      v[i] = T(Wide(v[i]) / Wide(count));
  });
}

void Finish::run(const Monoid &monoid, void *acc, int64_t n, char *out) const {
  double *sums = static_cast<double *>(acc);
  if (isInteger(monoid.accumulator)) {
    if (kind == Reduction::Mean)
      divideIntegers(monoid.accumulator, acc, n, count);
  } else if (kind == Reduction::Mean) {
    for (int64_t i = 0; i < n; ++i)
      sums[i] /= double(count);
  } else if (kind == Reduction::L2) {
    for (int64_t i = 0; i < n; ++i)
      sums[i] = std::sqrt(sums[i]);
  } else if (kind == Reduction::LogSum) {
    wide::log(sums, n);
  }
  convertBlock(type, out, monoid.accumulator, acc, n);
}

/// Rows [firstRow, lastRow) of columns [firstCol, firstCol + n), combined.
const char *ReduceLoop::root(Window &window, PairwiseLevels &levels, int64_t o,
                             int64_t firstRow, int64_t lastRow,
                             int64_t firstCol, int64_t n) const {
  for (int64_t row = firstRow; row < lastRow; row += leaf()) {
    int64_t end = std::min(lastRow, row + leaf());
    int64_t first = (o * rows + row) * cols + firstCol;
    char *acc = levels.current();
    if (cols == 1) {
      monoid.fold(acc, window.get(first, end - row), end - row);
    } else {
      monoid.setNeutral(acc, n);
      // Slices of rows that have to be read come one by one.
      bool together = n == cols || window.isInPlace();
      int64_t step = together ? end - row : 1;
      for (int64_t r = row; r < end; r += step)
        monoid.accumulate(
            acc, window.get(first + (r - row) * cols, (step - 1) * cols + n),
            {step, n, cols});
    }
    levels.push();
  }
  return levels.finish();
}

/// One segment does: each task makes finished results.
void ReduceLoop::runWhole(const Elements::Reader &reader, char *out) const {
  int64_t accWidth = byteWidth(monoid.accumulator);
  int64_t slices = (cols - 1) / slice + 1;
  int64_t width = std::min(cols, slice);
  // Results are finished in blocks of about this many.
  int64_t block = std::max<int64_t>(1, slice / width);
  int64_t grain = std::max<int64_t>(1, (128 << 10) / (rows * width));
  parallelFor(outer * slices, grain, [&](int64_t begin, int64_t end) {
    Window in = window(reader);
    PairwiseLevels levels(monoid, width);
    auto results =
        llvm::makeIntrusiveRefCnt<HeapBuffer>(block * width * accWidth);
    for (int64_t first = begin; first < end; first += block) {
      int64_t last = std::min(end, first + block), filled = 0;
      for (int64_t unit = first; unit < last; ++unit) {
        if (cols == 1 && rows <= leaf()) {
          monoid.fold(results->data() + filled++ * accWidth,
                      in.get(unit * rows, rows), rows);
          continue;
        }
        int64_t col = unit % slices * slice;
        int64_t n = std::min(slice, cols - col);
        const char *acc = root(in, levels, unit / slices, 0, rows, col, n);
        std::copy_n(acc, n * accWidth, results->data() + filled * accWidth);
        filled += n;
      }
      int64_t at = first / slices * cols + first % slices * slice;
      finish.run(monoid, results->data(), filled,
                 out + at * byteWidth(finish.type));
    }
  });
}

/// Long sums: tasks make roots of segments, which are then combined.
void ReduceLoop::runSegments(const Elements::Reader &reader, char *out) const {
  int64_t accWidth = byteWidth(monoid.accumulator);
  int64_t segments = (rows - 1) / segment() + 1;
  int64_t slices = (cols - 1) / slice + 1;
  auto roots =
      llvm::makeIntrusiveRefCnt<HeapBuffer>(outer * segments * cols * accWidth);
  auto rootAt = [&](int64_t o, int64_t s, int64_t col) {
    return roots->data() + ((o * segments + s) * cols + col) * accWidth;
  };
  int64_t grain =
      std::max<int64_t>(1, (128 << 10) / (segment() * std::min(cols, slice)));
  parallelFor(
      outer * segments * slices, grain, [&](int64_t begin, int64_t end) {
        Window in = window(reader);
        PairwiseLevels levels(monoid, std::min(cols, slice));
        for (int64_t unit = begin; unit < end; ++unit) {
          int64_t col = unit % slices * slice, s = unit / slices % segments;
          int64_t o = unit / slices / segments, n = std::min(slice, cols - col);
          const char *acc = root(in, levels, o, s * segment(),
                                 std::min(rows, (s + 1) * segment()), col, n);
          std::copy_n(acc, n * accWidth, rootAt(o, s, col));
        }
      });
  PairwiseLevels levels(monoid, cols);
  for (int64_t o = 0; o < outer; ++o) {
    for (int64_t s = 0; s < segments; ++s) {
      std::copy_n(rootAt(o, s, 0), cols * accWidth, levels.current());
      levels.push();
    }
    const char *acc = levels.finish();
    finish.run(monoid, const_cast<char *>(acc), cols,
               out + o * cols * byteWidth(finish.type));
  }
}

void ReduceLoop::run(const Elements &x, char *out) const {
  if (outer * cols == 0)
    return;
  if (rows == 0) {
    int64_t n = outer * cols;
    auto acc = llvm::makeIntrusiveRefCnt<HeapBuffer>(
        n * byteWidth(monoid.accumulator));
    monoid.setEmpty(acc->data(), n);
    return finish.run(monoid, acc->data(), n, out);
  }
  std::optional<Elements::Reader> reader(x);
  if (reader->isTransposing() && cols > slice)
    reader.emplace(x.materialize()); // slices of rows would be read slowly
  if (rows <= segment())
    runWhole(*reader, out);
  else
    runSegments(*reader, out);
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

static MonoidKind monoidKindOf(Reduction kind) {
  switch (kind) {
  case Reduction::Product:
    return MonoidKind::Product;
  case Reduction::Min:
    return MonoidKind::Min;
  case Reduction::Max:
    return MonoidKind::Max;
  case Reduction::SumSquare:
  case Reduction::L2:
    return MonoidKind::SumSquare;
  case Reduction::L1:
    return MonoidKind::L1;
  case Reduction::And:
    return MonoidKind::And;
  case Reduction::Or:
    return MonoidKind::Or;
  case Reduction::Xor:
    return MonoidKind::Xor;
  default:
    return MonoidKind::Sum;
  }
}

/// log(sum(exp(x - max))) + max, in f64, rounded to `type` at the end.
static Elements logSumExp(const Elements &x, ShapeRef axes, bool keepDims,
                          DataType type) {
  Elements wide = cast(x, DataType::Float64);
  Elements top = reduce(wide, axes, /*keepDims=*/true, Reduction::Max);
  // Infinities stay in the sum: inf - inf would be NaN.
  Elements shift = map(top, [](auto v) {
                     return std::isfinite(v) ? v : decltype(v)(0);
                   }).materialize();
  Elements scaled =
      mapWide(zip(wide, shift, [](auto a, auto b) { return subtract(a, b); }),
              wide::exp);
  Elements sum = reduce(scaled, axes, /*keepDims=*/true, Reduction::Sum);
  Elements result = zip(mapWide(sum, wide::log), shift,
                        [](auto a, auto b) { return add(a, b); });
  return cast(result, type).reshape(reducedShape(x.shape(), axes, keepDims));
}

/// REQUIRES: a monoid.
static Elements reduceBy(const Elements &x, ShapeRef axes, bool keepDims,
                         Monoid monoid, Reduction kind) {
  ReduceLoop loop;
  loop.monoid = std::move(monoid);
  auto isReduced = [&](int64_t d) { return llvm::is_contained(axes, d); };
  // Kept dimensions at the end are the columns, the others the outer ones.
  int64_t tail = x.rank();
  while (tail > 0 && !isReduced(tail - 1))
    --tail;
  Shape perm;
  loop.outer = loop.rows = loop.cols = 1;
  for (int64_t d = 0; d < tail; ++d)
    if (!isReduced(d)) {
      perm.push_back(d);
      loop.outer *= x.dim(d);
    }
  for (int64_t d = 0; d < tail; ++d)
    if (isReduced(d)) {
      perm.push_back(d);
      loop.rows *= x.dim(d);
    }
  for (int64_t d = tail; d < x.rank(); ++d) {
    perm.push_back(d);
    loop.cols *= x.dim(d);
  }
  loop.type = x.type();
  // Bools are read as the bytes that they are.
  if (x.type() == DataType::Bool)
    loop.monoid.elementType = DataType::Bool;
  loop.finish = {kind, x.type(), loop.rows};
  Elements permuted = x.transpose(perm);
  return Elements::deferred(
      x.type(), reducedShape(x.shape(), axes, keepDims), permuted,
      [permuted, loop](char *out) { loop.run(permuted, out); });
}

Elements ops::reduce(const Elements &x, ShapeRef axes, bool keepDims,
                     Reduction kind) {
  if (!x)
    return {};
  if (Elements r =
          inWide(x, [&](auto e) { return reduce(e[0], axes, keepDims, kind); }))
    return r;
  bool isLog = kind == Reduction::LogSum || kind == Reduction::LogSumExp;
  bool isRoot = isLog || kind == Reduction::L2;
  if (isRoot && isInteger(x.type()) && !isSubByte(x.type()))
    return reduce(cast(x, DataType::Float64), axes, keepDims, kind);
  if (kind == Reduction::LogSumExp) {
    if (typeClass(x.type()) != TypeClass::Float)
      return {};
    return logSumExp(x, axes, keepDims, x.type());
  }
  Monoid monoid = monoidOf(monoidKindOf(kind), x.type());
  if (monoid.accumulator == DataType::Undefined)
    return {};
  return reduceBy(x, axes, keepDims, std::move(monoid), kind);
}

Elements ops::detail::reduceMonoid(const Elements &x, ShapeRef axes,
                                   bool keepDims, Monoid monoid) {
  if (!x)
    return {};
  return reduceBy(x, axes, keepDims, std::move(monoid), Reduction::Sum);
}

Elements ops::all(const Elements &x, ShapeRef axes, bool keepDims) {
  Elements bools = isNonZero(x);
  return bools ? reduce(bools, axes, keepDims, Reduction::And) : Elements();
}

Elements ops::any(const Elements &x, ShapeRef axes, bool keepDims) {
  Elements bools = isNonZero(x);
  return bools ? reduce(bools, axes, keepDims, Reduction::Or) : Elements();
}
