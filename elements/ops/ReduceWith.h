//===- ReduceWith.h - Reductions and scans with any monoid ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// reduce and cumulative sums (Reduce.h) with a function of the user's own:
//
//   // The longest string of each row; the product of complex numbers.
//   auto longer = [](auto a, auto b) { return b.size() > a.size() ? b : a; };
//   Elements y = reduceWith<llvm::StringRef>(x, {1}, false, "", longer);
//   using C = std::complex<double>;
//   Elements z = reduceWith<C>(w, {0}, true, 1.0, std::multiplies<C>());
//
//   // The running maximum.
//   auto larger = [](float a, float b) { return maximum(a, b); };
//   Elements m = scanWith<float>(x, 0, -INFINITY, larger);
//
// T is the C++ type of the elements of x, which may be any; results have it
// too. `combine(T, T)` must be associative (for floats, as nearly as addition
// is) and total, and `identity` must be its neutral element. `combine` need not
// be commutative: elements are combined in row-major order, in a tree that
// depends on shape and axes alone. It is called from several threads at once. A
// string that it returns must be one of its arguments, or live as long as the
// result.
//
// Axes are normalised and unique. Results are deferred; a null x gives null.
// The rounded values of wide tensors are read. The program ends unless
// x.type() == dataTypeOf<T>.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_REDUCEWITH_H
#define ONNXFOLD_ELEMENTS_OPS_REDUCEWITH_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ops/Monoid.h"
#include <algorithm>

namespace onnxfold::ops {
namespace detail {

Elements reduceMonoid(const Elements &x, ShapeRef axes, bool keepDims,
                      Monoid monoid);
Elements scanMonoid(const Elements &x, int64_t axis, bool exclusive,
                    bool reverse, Monoid monoid);

template <class T, class F> struct UserMonoid {
  T identity;
  F combineTwo;

  static const UserMonoid &of(const void *closure) {
    return *static_cast<const UserMonoid *>(closure);
  }

  static void setNeutral(const void *closure, void *acc, int64_t count) {
    std::fill_n(static_cast<T *>(acc), count, of(closure).identity);
  }

  static void combine(const void *closure, void *acc, const void *other,
                      int64_t count) {
    const UserMonoid &m = of(closure);
    T *to = static_cast<T *>(acc);
    const T *from = static_cast<const T *>(other);
    for (int64_t i = 0; i < count; ++i)
      to[i] = m.combineTwo(to[i], from[i]);
  }

  static void accumulate(const void *closure, void *acc, const void *in,
                         RowsBlock block) {
    accumulateRows(of(closure).combineTwo, static_cast<T *>(acc),
                   static_cast<const T *>(in), block);
  }

  /// Combines 8 chains side by side. Each chain is a contiguous run of
  /// elements, so that their order is kept.
  static void fold(const void *closure, void *acc, const void *in,
                   int64_t count) {
    constexpr int64_t chains = 8;
    const UserMonoid &m = of(closure);
    const T *from = static_cast<const T *>(in);
    int64_t length = count / chains;
    T result = m.identity;
    if (length > 0) {
      T chain[chains];
      for (int64_t c = 0; c < chains; ++c)
        chain[c] = from[c * length];
      for (int64_t i = 1; i < length; ++i)
        for (int64_t c = 0; c < chains; ++c)
          chain[c] = m.combineTwo(chain[c], from[c * length + i]);
      for (int64_t n = chains; n > 1; n /= 2)
        for (int64_t c = 0; c < n / 2; ++c)
          chain[c] = m.combineTwo(chain[2 * c], chain[2 * c + 1]);
      result = chain[0];
    }
    for (int64_t i = length * chains; i < count; ++i)
      result = m.combineTwo(result, from[i]);
    *static_cast<T *>(acc) = result;
  }

  static void scan(const void *closure, void *acc, const void *in, void *out,
                   ScanBlock block) {
    scanColumns(of(closure).combineTwo, static_cast<T *>(acc),
                static_cast<const T *>(in), static_cast<T *>(out), block);
  }

  static Monoid make(T identity, F f) {
    static_assert(std::is_trivially_copyable_v<T>);
    Monoid result;
    result.elementType = result.accumulator = dataTypeOf<T>;
    result.functions = {setNeutral, setNeutral, accumulate,
                        combine,    fold,       scan};
    result.closure =
        std::make_shared<const UserMonoid>(UserMonoid{identity, std::move(f)});
    return result;
  }
};

} // namespace detail

/// x reduced over `axes`. The result has x's shape without these axes, or, with
/// `keepDims`, with 1 in their place. The reduction of no elements is
/// `identity`.
template <class T, class F>
Elements reduceWith(const Elements &x, ShapeRef axes, bool keepDims, T identity,
                    F combine) {
  if (!x)
    return {};
  x.requireType(dataTypeOf<T>);
  return detail::reduceMonoid(
      x, axes, keepDims,
      detail::UserMonoid<T, F>::make(identity, std::move(combine)));
}

/// The running combinations along an axis: element i is the combination of the
/// elements up to i. With `exclusive` it is that of the elements before i, so
/// the first one is `identity`. With `reverse` the axis is walked from its end,
/// the last element first.
template <class T, class F>
Elements scanWith(const Elements &x, int64_t axis, T identity, F combine,
                  bool exclusive = false, bool reverse = false) {
  if (!x)
    return {};
  x.requireType(dataTypeOf<T>);
  return detail::scanMonoid(
      x, axis, exclusive, reverse,
      detail::UserMonoid<T, F>::make(identity, std::move(combine)));
}

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_REDUCEWITH_H
