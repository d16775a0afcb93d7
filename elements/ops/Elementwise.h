//===- Elementwise.h - Functions applied to every element -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Deferred elementwise functions. A kernel defines the function of one element
// as a generic lambda, which is called with the ComputeType of the element
// type. The result is rounded once to the element type. Operands broadcast as
// in numpy.
//
//   Elements y = map(x, [](auto v) { return v * 2; });
//   Elements z = zip(x, y, [](auto a, auto b) { return add(a, b); });
//   Elements c = zipTo<bool>(x, y, [](auto a, auto b) { return a < b; });
//   Elements e = mapWide(x, wide::exp);     // Math.h; double, rounded once
//
// Each function returns a null Elements if an operand is null or if it does not
// take the element type, so a kernel needs no type switch of its own. map and
// zip take the types of ONNX arithmetic (visitArithmetic); the comments of the
// others say what they take.
// The function object must be trivially copyable, take at most 32 bytes (it is
// stored in the step), and be total. A kernel whose function may fail scans the
// operands first, with firstWhere.
//
// REQUIRES for zip: the operands have one element type and broadcast together.
// Thread safety: pure functions. Function objects are called by the threads
// that read the result, several at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_OPS_ELEMENTWISE_H
#define ONNXFOLD_ELEMENTS_OPS_ELEMENTWISE_H

#include "onnxfold/elements/Elements.h"
#include "onnxfold/elements/ops/Arithmetic.h"
#include "onnxfold/widenum/Convert.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "onnxfold/widenum/Dispatch.h"
#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <optional>
#include <utility>

namespace onnxfold::ops {
namespace detail {

/// Blocks of float types narrower than f32 are widened to float in pieces that
/// fit in registers and L1; blocks of other types are read and written in
/// place.
template <class T>
constexpr bool computedWide = !std::is_same_v<T, ComputeType<T>>;

/// A piece of a block on the stack, not initialised.
constexpr size_t blockPiece = 256;
template <size_t, class T> struct PieceOf { ComputeType<T> data[blockPiece]; };
template <size_t I> struct PieceOf<I, void> {};

template <class Indices, class... In> struct Pieces;
template <size_t... I, class... In>
struct Pieces<std::index_sequence<I...>, In...>
    : PieceOf<I, std::conditional_t<computedWide<In>, In, void>>... {
  /// Elements [first, first + count) of operand K in its ComputeType.
  template <size_t K, class T>
  const ComputeType<T> *get(const void *in, size_t first, size_t count) {
    const T *data = static_cast<const T *>(in) + first;
    if constexpr (!computedWide<T>) {
      return data;
    } else {
      ComputeType<T> *wide = static_cast<PieceOf<K, T> &>(*this).data;
      convertBlock(dataTypeOf<ComputeType<T>>, wide, dataTypeOf<T>, data,
                   count);
      return wide;
    }
  }
};

/// The bits of |value| without the sign, as a number: that of a NaN is greater
/// than that of infinity. 0 if T is not a float type.
template <class T> constexpr auto magnitudeBits(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    return Bits(std::bit_cast<Bits>(value) << 1);
  } else {
    return uint32_t(0);
  }
}

/// The function of a step with `F` on inputs of types In... and a result of
/// type Out.
template <class F, class Out, class... In> struct StepFunction {
  using Indices = std::index_sequence_for<In...>;

  static void run(const void *closure, const void *const *in, void *out,
                  size_t count) {
    F f = *std::launder(reinterpret_cast<const F *>(closure));
    run(f, in, static_cast<Out *>(out), count, Indices());
  }

  template <size_t... I>
  static void run(F f, const void *const *in, Out *out, size_t count,
                  std::index_sequence<I...>) {
    constexpr bool inPlace = !computedWide<Out>;
    if constexpr (inPlace && (!computedWide<In> && ...)) {
      loop(f, out, count, static_cast<const In *>(in[I])...);
    } else {
      Pieces<Indices, In...> pieces;
      PieceOf<sizeof...(In), std::conditional_t<inPlace, void, Out>> result;
      for (size_t first = 0; first < count; first += blockPiece) {
        size_t n = std::min(blockPiece, count - first);
        if constexpr (inPlace) {
          loop(f, out + first, n,
               pieces.template get<I, In>(in[I], first, n)...);
        } else {
          loop(f, result.data, n,
               pieces.template get<I, In>(in[I], first, n)...);
          convertBlock(dataTypeOf<Out>, out + first,
                       dataTypeOf<ComputeType<Out>>, result.data, n);
        }
      }
    }
  }

  template <class R, class... P>
  static void loop(F f, R *out, size_t count, const P *...in) {
    // Floats are worth a loop for each width of vectors (see RATIONALE.md).
    if constexpr ((std::is_floating_point_v<P> && ...) &&
                  (std::is_floating_point_v<R> || std::is_same_v<R, bool>))
      if (cpuLevel() != CpuLevel::Baseline && !wideLoop(f, out, count, in...))
        return;
    for (size_t i = 0; i < count; ++i)
      out[i] = R(f(in[i]...));
  }

  /// True if a result is NaN. If both operands are NaN, which of them is the
  /// result depends on the order of the operands, which compilers change. The
  /// caller then runs the baseline loop, whose result counts.
  template <class R, class... P>
  static bool wideLoop(F f, R *out, size_t count, const P *...in) {
    bool sawNan = false;
    atCpuLevel([=, &sawNan] {
      decltype(magnitudeBits(R())) largest = 0;
      for (size_t i = 0; i < count; ++i) {
        R value = R(f(in[i]...));
        out[i] = value;
        largest = std::max(largest, magnitudeBits(value));
      }
      sawNan = largest > magnitudeBits(std::numeric_limits<R>::infinity());
    });
    return sawNan;
  }
};

template <class Out, class... In, class F> ElementsStep makeStep(F f) {
  static_assert(std::is_trivially_copyable_v<F> &&
                sizeof(F) <= ElementsStep::closureSize);
  ElementsStep step;
  step.function = StepFunction<F, Out, In...>::run;
  step.type = dataTypeOf<Out>;
  step.arity = sizeof...(In);
  new (step.closure) F(f);
  return step;
}

} // namespace detail

/// f of each element of x. The result has the element type of x.
template <class F> Elements map(const Elements &x, F f) {
  if (!x)
    return {};
  if (x.isWide())
    return inWide(x, [&](auto e) { return map(e[0], f); });
  Elements result;
  visitArithmetic(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = Elements::apply(detail::makeStep<T, T>(f), x.shape(), x);
  });
  return result;
}

/// As map, but for one element type T, which may be any (bool, Int4, ...), with
/// a result of type Out. Reads the rounded values of a wide x; the result is
/// not wide. Ends the program if x has another type than T.
template <class Out, class T, class F> Elements mapAs(const Elements &x, F f) {
  if (!x)
    return {};
  x.requireType(dataTypeOf<T>);
  return Elements::apply(detail::makeStep<Out, T>(f), x.shape(), x);
}

/// Does what map does, for f16, bf16, f32, f64 only.
template <class F> Elements mapFloat(const Elements &x, F f) {
  if (!x)
    return {};
  if (x.isWide())
    return inWide(x, [&](auto e) { return mapFloat(e[0], f); });
  Elements result;
  visitFloat(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = Elements::apply(detail::makeStep<T, T>(f), x.shape(), x);
  });
  return result;
}

/// Does what map does, with a result of type Out.
template <class Out, class F> Elements mapTo(const Elements &x, F f) {
  if (!x)
    return {};
  if (x.isWide())
    return mapTo<Out>(x.unrounded(), f);
  Elements result;
  visitArithmetic(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    result = Elements::apply(detail::makeStep<Out, T>(f), x.shape(), x);
  });
  return result;
}

/// A function of doubles on whole blocks, in place (see Math.h), which is how
/// transcendental functions are written. The result is rounded once to the
/// float type of x. Null if x has no float type.
using WideFunction = void (*)(double *values, size_t count);
Elements mapWide(const Elements &x, WideFunction f);

/// x[i] = f(x[i], y[i]) on blocks of doubles, rounded once to the float type of
/// x; y may have any numeric type (pow). The operands broadcast. Null if x has
/// no float type.
using WideFunction2 = void (*)(double *x, const double *y, size_t count);
Elements zipWide(const Elements &x, const Elements &y, WideFunction2 f);

/// Both operands, broadcast to their common shape.
std::pair<Elements, Elements> broadcast(const Elements &x, const Elements &y);

/// f of the elements of x and y at each place. The result has their element
/// type.
template <class F> Elements zip(const Elements &x, const Elements &y, F f) {
  if (!x || !y)
    return {};
  y.requireType(x.type());
  if (x.isWide() || y.isWide())
    return inWide({x, y}, [&](auto e) { return zip(e[0], e[1], f); });
  auto [a, b] = broadcast(x, y);
  Elements result;
  visitArithmetic(x.type(), [&, &a = a, &b = b](auto tag) {
    using T = typename decltype(tag)::type;
    result = Elements::apply(detail::makeStep<T, T, T>(f), a.shape(), {a, b});
  });
  return result;
}

/// Does what zip does, with a result of type Out.
template <class Out, class F>
Elements zipTo(const Elements &x, const Elements &y, F f) {
  if (!x || !y)
    return {};
  y.requireType(x.type());
  if (x.isWide() || y.isWide())
    return zipTo<Out>(x.unrounded(), y.unrounded(), f);
  auto [a, b] = broadcast(x, y);
  Elements result;
  visitArithmetic(x.type(), [&, &a = a, &b = b](auto tag) {
    using T = typename decltype(tag)::type;
    result = Elements::apply(detail::makeStep<Out, T, T>(f), a.shape(), {a, b});
  });
  return result;
}

/// As zip for element types A and B, which may be any, with a result of type
/// Out. Reads rounded values, as mapAs does.
template <class Out, class A, class B, class F>
Elements zipAs(const Elements &x, const Elements &y, F f) {
  if (!x || !y)
    return {};
  x.requireType(dataTypeOf<A>);
  y.requireType(dataTypeOf<B>);
  auto [a, b] = broadcast(x, y);
  return Elements::apply(detail::makeStep<Out, A, B>(f), a.shape(), {a, b});
}

/// A function of the user on blocks: `f` reads `count` elements of the type of
/// x and writes `count` elements of `type`, at addresses aligned for them. The
/// result is deferred and fused with other steps. `f` must be total, and is
/// called from several threads at once. Reads rounded values, as mapAs does.
using BlockFunction =
    std::function<void(const void *in, void *out, size_t count)>;
Elements mapBlocks(const Elements &x, DataType type, BlockFunction f);

/// condition ? x : y, all broadcast, for any element type. REQUIRES: condition
/// has type Bool; x and y have one type.
Elements select(const Elements &condition, const Elements &x,
                const Elements &y);

/// numpy.clip: minimum(maximum(x, lower), upper), so that `upper` wins where
/// the bounds cross. Each bound is one element of the type of x, or null for no
/// bound, so that infinities are kept. A NaN in x or in a bound gives NaN. The
/// function takes the types of map.
///   clip(x, {}, Elements::splat<float>({}, 6));
Elements clip(const Elements &x, const Elements &lower, const Elements &upper);

/// x converted to `type` by the rules of widenum/Convert.h. Numbers and bool
/// convert to each other, and complex types to each other. A wide x is rounded
/// first, also if it has that type already. Null if the types do not convert
/// (isConvertible), as DataType::Undefined does to none. REQUIRES: no
/// conversion of an element is undefined (see firstNotConvertible).
Elements cast(const Elements &x, DataType type, CastOptions options = {});

/// The row-major number of the first element for which predicate(element)
/// holds, or nothing. Reads block by block up to that element. Ends the program
/// if x is null or not of type T.
template <class T, class F>
std::optional<int64_t> firstWhere(const Elements &x, F predicate) {
  x.requireType(dataTypeOf<T>);
  constexpr int64_t block = 4096;
  auto data = std::make_unique<T[]>(std::min<int64_t>(block, x.size()));
  Elements::Reader reader(x);
  for (int64_t i = 0, n = x.size(); i < n; i += block) {
    int64_t count = std::min(block, n - i);
    reader.read(i, count, data.get());
    for (int64_t j = 0; j < count; ++j)
      if (predicate(data[j]))
        return i + j;
  }
  return std::nullopt;
}

/// The row-major number of the first element of x that an integer `type` cannot
/// hold (it is out of range once its fraction is cut off, or NaN), or nothing.
std::optional<int64_t> firstNotConvertible(const Elements &x, DataType type);

/// The multi-dimensional index of a row-major number, for messages.
Shape indexOf(int64_t number, ShapeRef shape);

} // namespace onnxfold::ops

#endif // ONNXFOLD_ELEMENTS_OPS_ELEMENTWISE_H
