//===- Monoid.cpp - The loops of reductions and scans ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Monoid.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/widenum/Dispatch.h"
#include <algorithm>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

/// One monoid on elements of type T with accumulators of type Acc.
template <MonoidKind kind, class T, class Acc> struct Loops {
  static Acc neutral() {
    using Limits = std::numeric_limits<Acc>;
    constexpr bool isFloat = std::is_floating_point_v<Acc>;
    if constexpr (kind == MonoidKind::Product)
      return Acc(1);
    else if constexpr (kind == MonoidKind::Min)
      return isFloat ? Limits::infinity() : Limits::max();
    else if constexpr (kind == MonoidKind::Max)
      return isFloat ? -Limits::infinity() : Limits::lowest();
    else if constexpr (kind == MonoidKind::And)
      return Acc(-1);
    else
      return -Acc(0); // -0 + x is x, for -0 too
  }

  static Acc lift(T value) {
    Acc x = Acc(value);
    if constexpr (kind == MonoidKind::SumSquare)
      return multiply(x, x);
    else if constexpr (kind == MonoidKind::L1)
      return absolute(x);
    else
      return x;
  }

  static Acc op(Acc a, Acc b) {
    if constexpr (kind == MonoidKind::Product)
      return multiply(a, b);
    else if constexpr (kind == MonoidKind::Min)
      return minimum(a, b);
    else if constexpr (kind == MonoidKind::Max)
      return maximum(a, b);
    else if constexpr (kind == MonoidKind::And)
      return a & b;
    else if constexpr (kind == MonoidKind::Or)
      return a | b;
    else if constexpr (kind == MonoidKind::Xor)
      return a ^ b;
    else
      return add(a, b);
  }

  static void setNeutral(const void *, void *acc, int64_t count) {
    std::fill_n(static_cast<Acc *>(acc), count, neutral());
  }

  static void setEmpty(const void *, void *acc, int64_t count) {
    Acc value = neutral();
    std::fill_n(static_cast<Acc *>(acc), count, value == 0 ? Acc(0) : value);
  }

  static void accumulate(const void *, void *acc, const void *in,
                         RowsBlock block) {
    ops::detail::accumulateRows([](Acc a, T b) { return op(a, lift(b)); },
                                static_cast<Acc *>(acc),
                                static_cast<const T *>(in), block);
  }

  static void combine(const void *, void *acc, const void *other,
                      int64_t count) {
    Acc *__restrict to = static_cast<Acc *>(acc);
    const Acc *__restrict from = static_cast<const Acc *>(other);
    for (int64_t i = 0; i < count; ++i)
      to[i] = op(to[i], from[i]);
  }

  /// The processor itself reads ahead to the end of a page, which is where the
  /// next call begins: without the prefetch a sum of all of 200 MB takes twice
  /// as long.
  static void fold(const void *, void *acc, const void *in, int64_t count) {
    constexpr int64_t lanes = 8, ahead = 4096 / sizeof(T);
    const T *from = static_cast<const T *>(in);
    Acc lane[lanes];
    std::fill_n(lane, lanes, neutral());
    int64_t i = 0;
    for (; i + lanes <= count; i += lanes) {
      __builtin_prefetch(from + i + ahead);
      for (int64_t j = 0; j < lanes; ++j)
        lane[j] = op(lane[j], lift(from[i + j]));
    }
    for (int64_t j = 0; i < count; ++i, ++j)
      lane[j] = op(lane[j], lift(from[i]));
    for (int64_t n = lanes / 2; n > 0; n /= 2)
      for (int64_t j = 0; j < n; ++j)
        lane[j] = op(lane[j], lane[j + n]);
    *static_cast<Acc *>(acc) = lane[0];
  }

  static void scan(const void *, void *acc, const void *in, void *out,
                   ScanBlock block) {
    ops::detail::scanColumns(
        [](Acc a, T b) { return op(a, lift(b)); }, static_cast<Acc *>(acc),
        static_cast<const T *>(in), static_cast<Acc *>(out), block);
  }
};

} // namespace

template <MonoidKind kind, class T, class Acc> static Monoid makeMonoid() {
  using L = Loops<kind, T, Acc>;
  Monoid result;
  result.elementType = dataTypeOf<T>;
  result.accumulator = dataTypeOf<Acc>;
  result.functions = {L::setNeutral, L::setEmpty, L::accumulate,
                      L::combine,    L::fold,     L::scan};
  return result;
}

template <class T> static Monoid makeMonoid(MonoidKind kind) {
  using Sum = std::conditional_t<std::is_floating_point_v<T>, double, T>;
  switch (kind) {
  case MonoidKind::Sum:
    return makeMonoid<MonoidKind::Sum, T, Sum>();
  case MonoidKind::Product:
    return makeMonoid<MonoidKind::Product, T, Sum>();
  case MonoidKind::Min:
    return makeMonoid<MonoidKind::Min, T, T>();
  case MonoidKind::Max:
    return makeMonoid<MonoidKind::Max, T, T>();
  case MonoidKind::SumSquare:
    return makeMonoid<MonoidKind::SumSquare, T, Sum>();
  case MonoidKind::L1:
    return makeMonoid<MonoidKind::L1, T, Sum>();
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (kind == MonoidKind::And)
      return makeMonoid<MonoidKind::And, T, T>();
    if (kind == MonoidKind::Or)
      return makeMonoid<MonoidKind::Or, T, T>();
    return makeMonoid<MonoidKind::Xor, T, T>();
  }
  return {};
}

Monoid ops::monoidOf(MonoidKind kind, DataType type) {
  bool isArithmetic = kind == MonoidKind::Sum || kind == MonoidKind::Product ||
                      kind == MonoidKind::SumSquare || kind == MonoidKind::L1;
  // A bool is a byte of 0 or 1; the neutral 255 of Min and And is true too.
  if (type == DataType::Bool)
    return isArithmetic ? Monoid() : makeMonoid<uint8_t>(kind);
  if (type == DataType::Float16 || type == DataType::BFloat16)
    type = DataType::Float32;
  Monoid result;
  visitArithmetic(type, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if constexpr (std::is_arithmetic_v<T>)
      result = makeMonoid<T>(kind);
  });
  return result;
}

double ops::pairwiseSum(const double *values, int64_t count) {
  constexpr int64_t leaf = 1024;
  if (count <= leaf) {
    double sum;
    Loops<MonoidKind::Sum, double, double>::fold(nullptr, &sum, values, count);
    return sum;
  }
  int64_t half = leaf;
  while (2 * half < count)
    half *= 2;
  return pairwiseSum(values, half) + pairwiseSum(values + half, count - half);
}
