//===- Monoid.h - The loops of reductions and scans -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A monoid is an associative function with a neutral element. Here it is a set
// of function pointers over blocks, so that the code that walks shapes
// (Reduce.cpp, Scan.cpp) exists once. Sums and products of floats accumulate in
// double, everything else in its own type. Elements are combined in their
// order, except by `fold` of a commutative monoid.
// This header is for the implementation: users take Reduce.h, and ReduceWith.h
// for functions of their own. Thread safety: a value; its functions are pure.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_MONOID_H
#define ONNXFOLD_ELEMENTS_OPS_MONOID_H

#include "onnxfold/widenum/DataType.h"
#include <memory>

namespace onnxfold::ops {

enum class MonoidKind : uint8_t {
  Sum,
  Product,
  Min,
  Max,
  SumSquare,
  L1,
  And,
  Or,
  Xor,
};

/// `rows` rows of `cols` elements, which begin `pitch` elements apart.
struct RowsBlock {
  int64_t rows, cols, pitch;
};

/// One part of a scan: `rows` rows of `cols` elements. Each column is scanned
/// on its own.
struct ScanBlock {
  int64_t rows, cols;
  bool exclusive, reverse;
};

class Monoid {
public:
  /// The type of the elements that the loops read.
  DataType elementType = DataType::Undefined;
  /// The type of accumulators; Undefined: there is no such monoid.
  DataType accumulator = DataType::Undefined;

  /// acc[i] = the neutral element.
  void setNeutral(void *acc, int64_t count) const {
    functions.setNeutral(closure.get(), acc, count);
  }
  /// acc[i] = the result of a reduction of no elements.
  void setEmpty(void *acc, int64_t count) const {
    functions.setEmpty(closure.get(), acc, count);
  }
  /// acc[col] = acc[col] o lift(in[row][col]), one row after the other.
  void accumulate(void *acc, const void *in, RowsBlock block) const {
    functions.accumulate(closure.get(), acc, in, block);
  }
  /// acc[i] = acc[i] o other[i].
  void combine(void *acc, const void *other, int64_t count) const {
    functions.combine(closure.get(), acc, other, count);
  }
  /// *acc = the elements combined in 8 chains, these pairwise.
  void fold(void *acc, const void *in, int64_t count) const {
    functions.fold(closure.get(), acc, in, count);
  }
  /// acc[col] = acc[col] o lift(in[row][col]), one row after the other. Each
  /// acc[col] is written to out[row][col] after this step, or, with
  /// `exclusive`, before it.
  void scan(void *acc, const void *in, void *out, ScanBlock block) const {
    functions.scan(closure.get(), acc, in, out, block);
  }

  struct Functions {
    void (*setNeutral)(const void *closure, void *acc, int64_t count);
    void (*setEmpty)(const void *closure, void *acc, int64_t count);
    void (*accumulate)(const void *closure, void *acc, const void *in,
                       RowsBlock block);
    void (*combine)(const void *closure, void *acc, const void *other,
                    int64_t count);
    void (*fold)(const void *closure, void *acc, const void *in, int64_t count);
    void (*scan)(const void *closure, void *acc, const void *in, void *out,
                 ScanBlock block);
  };
  Functions functions = {};
  std::shared_ptr<const void> closure; // what the functions are called with
};

/// The monoid for elements of `type`. Callers convert f16 and bf16 to the
/// monoid's elementType first.
Monoid monoidOf(MonoidKind kind, DataType type);

/// The sum of doubles in the fixed tree of reductions.
double pairwiseSum(const double *values, int64_t count);

namespace detail {

/// Monoid::accumulate for `Acc next = f(Acc, In)`. It takes several rows at a
/// time, so that accumulators are loaded and stored once for all of them.
template <class Acc, class In, class F>
void accumulateRows(const F &f, Acc *__restrict acc, const In *__restrict in,
                    RowsBlock b) {
  constexpr int64_t together = 8;
  int64_t row = 0;
  for (; row + together <= b.rows; row += together, in += together * b.pitch)
    for (int64_t c = 0; c < b.cols; ++c) {
      Acc value = acc[c];
      for (int64_t r = 0; r < together; ++r)
        value = f(value, in[r * b.pitch + c]);
      acc[c] = value;
    }
  for (; row < b.rows; ++row, in += b.pitch)
    for (int64_t c = 0; c < b.cols; ++c)
      acc[c] = f(acc[c], in[c]);
}

/// Monoid::scan for `Acc next = f(Acc, In)`.
template <class Acc, class In, class F>
void scanColumns(const F &f, Acc *acc, const In *in, Acc *out, ScanBlock b) {
  auto forRows = [&](auto body) {
    for (int64_t i = 0; i < b.rows; ++i)
      body((b.reverse ? b.rows - 1 - i : i) * b.cols);
  };
  if (b.cols == 1) {
    Acc value = *acc; // in a register during the loop
    forRows([&, exclusive = b.exclusive](int64_t at) {
      Acc next = f(value, in[at]);
      out[at] = exclusive ? value : next;
      value = next;
    });
    *acc = value;
    return;
  }
  forRows([&](int64_t at) {
    Acc *__restrict to = out + at;
    if (b.exclusive)
      for (int64_t c = 0; c < b.cols; ++c)
        to[c] = acc[c];
    for (int64_t c = 0; c < b.cols; ++c)
      acc[c] = f(acc[c], in[at + c]);
    if (!b.exclusive)
      for (int64_t c = 0; c < b.cols; ++c)
        to[c] = acc[c];
  });
}

} // namespace detail
} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_MONOID_H
