//===- Elementwise.cpp - Functions applied to every element ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/internal/CastStep.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/internal/FloatMath.h"
#include <atomic>

using namespace onnxfold;
using namespace onnxfold::ops;

/// Elements that are widened to double at a time: they stay in L1.
static constexpr size_t widePiece = 256;

/// The step that converts a block to double, calls a function, and rounds; of
/// f32 only what the shorter function does not decide.
Elements ops::mapWide(const Elements &x, WideFunction f) {
  if (!x)
    return {};
  struct Closure {
    WideFunction f;
    ops::detail::FloatFunction quick;
    DataType type;
  };
  if (typeClass(x.type()) != TypeClass::Float)
    return {};
  if (x.isWide())
    return inWide(x, [&](auto e) { return mapWide(e[0], f); });
  ElementsStep step;
  step.type = x.type();
  step.arity = 1;
  step.function = [](const void *closure, const void *const *in, void *out,
                     size_t count) {
    auto &c = *static_cast<const Closure *>(closure);
    unsigned width = byteWidth(c.type);
    double wide[widePiece];
    for (size_t i = 0; i < count; i += widePiece) {
      size_t n = std::min(widePiece, count - i);
      const void *from = static_cast<const char *>(in[0]) + i * width;
      void *to = static_cast<char *>(out) + i * width;
      if (c.quick && c.quick(static_cast<const float *>(from),
                             static_cast<float *>(to), n))
        continue;
      convertBlockToDouble(c.type, from, wide, n);
      c.f(wide, n);
      convertBlockFromDouble(c.type, to, wide, n);
    }
  };
  static_assert(sizeof(Closure) <= ElementsStep::closureSize);
  new (step.closure) Closure{
      f,
      x.type() == DataType::Float32 ? ops::detail::floatFunction(f) : nullptr,
      x.type()};
  return Elements::apply(step, x.shape(), x);
}

Elements ops::zipWide(const Elements &x, const Elements &y, WideFunction2 f) {
  if (!x || !y)
    return {};
  struct Closure {
    WideFunction2 f;
    DataType type, other;
  };
  if (typeClass(x.type()) != TypeClass::Float || !isNumeric(y.type()))
    return {};
  if (x.isWide() || y.isWide()) {
    Elements result = zipWide(x.unrounded(), y.unrounded(), f);
    return x.type() == DataType::Float64 ? result
                                         : Elements::rounded(result, x.type());
  }
  ElementsStep step;
  step.type = x.type();
  step.arity = 2;
  step.function = [](const void *closure, const void *const *in, void *out,
                     size_t count) {
    auto &c = *static_cast<const Closure *>(closure);
    unsigned width = byteWidth(c.type), otherWidth = byteWidth(c.other);
    double a[widePiece], b[widePiece];
    for (size_t i = 0; i < count; i += widePiece) {
      size_t n = std::min(widePiece, count - i);
      convertBlockToDouble(c.type, static_cast<const char *>(in[0]) + i * width,
                           a, n);
      convertBlockToDouble(
          c.other, static_cast<const char *>(in[1]) + i * otherWidth, b, n);
      c.f(a, b, n);
      convertBlockFromDouble(c.type, static_cast<char *>(out) + i * width, a,
                             n);
    }
  };
  static_assert(sizeof(Closure) <= ElementsStep::closureSize);
  new (step.closure) Closure{f, x.type(), y.type()};
  auto [a, b] = broadcast(x, y);
  return Elements::apply(step, a.shape(), {a, b});
}

std::pair<Elements, Elements> ops::broadcast(const Elements &x,
                                             const Elements &y) {
  if (!x || !y)
    return {};
  std::optional<Shape> shape = broadcastShapes(x.shape(), y.shape());
  assert(shape && "kernels check that operands broadcast");
  return {x.expand(*shape), y.expand(*shape)};
}

Elements ops::mapBlocks(const Elements &x, DataType type, BlockFunction f) {
  if (!x)
    return {};
  auto owned = std::make_shared<const BlockFunction>(std::move(f));
  ElementsStep step;
  step.type = type;
  step.arity = 1;
  step.function = [](const void *closure, const void *const *in, void *out,
                     size_t count) {
    (**static_cast<const BlockFunction *const *>(closure))(in[0], out, count);
  };
  new (step.closure) const BlockFunction *(owned.get());
  step.owner = std::move(owned);
  return Elements::apply(step, x.shape(), x);
}

/// Without a branch, which would be wrong half of the time where conditions
/// have no order, and in vectors.
template <class T> static T choose(uint8_t condition, T x, T y) {
  if constexpr (std::is_same_v<T, Bytes16>) {
    return {choose(condition, x.low, y.low), choose(condition, x.high, y.high)};
  } else {
    T mask = T(0) - T(condition);
    return T((x & mask) | (y & T(~mask)));
  }
}

Elements ops::select(const Elements &condition, const Elements &x,
                     const Elements &y) {
  if (!condition || !x || !y)
    return {};
  assert(condition.type() == DataType::Bool && x.type() == y.type());
  if (Elements r = movedInWide(
          {x, y}, [&](auto e) { return select(condition, e[0], e[1]); }))
    return r;
  Shape shape = *broadcastShapes(condition.shape(),
                                 *broadcastShapes(x.shape(), y.shape()));
  Elements operands[] = {condition.expand(shape), x.expand(shape),
                         y.expand(shape)};
  ElementsStep step;
  step.type = x.type();
  step.arity = 3;
  visitBytes(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    step.function = [](const void *, const void *const *in, void *out,
                       size_t count) {
      auto *condition = static_cast<const uint8_t *>(in[0]);
      auto *x = static_cast<const T *>(in[1]);
      auto *y = static_cast<const T *>(in[2]);
      auto *to = static_cast<T *>(out);
      for (size_t i = 0; i < count; ++i)
        to[i] = choose(condition[i], x[i], y[i]);
    };
  });
  return Elements::apply(step, shape, operands);
}

namespace {
/// Clips to bounds that are not NaN; NaN stays. A number that equals a bound
/// becomes that bound, as by maximum and minimum (0 of -0 and 0).
template <class C> struct Clip {
  C lower, upper;
  C operator()(C v) const {
    v = v <= lower ? lower : v;
    return v >= upper ? upper : v;
  }
};
} // namespace

Elements ops::clip(const Elements &x, const Elements &lower,
                   const Elements &upper) {
  if (!x)
    return {};
  if (Elements r = movedInWide({x, lower, upper},
                               [](auto e) { return clip(e[0], e[1], e[2]); }))
    return r;
  Elements result;
  visitArithmetic(x.type(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    using C = ComputeType<T>;
    using Limits = std::numeric_limits<C>;
    auto boundOf = [](const Elements &bound, C otherwise) {
      assert(!bound || (bound.size() == 1 && bound.type() == dataTypeOf<T>));
      return bound ? convert<C>(bound.reshape({}).template value<T>())
                   : otherwise;
    };
    constexpr bool hasInfinity = Limits::has_infinity;
    Clip<C> f = {
        boundOf(lower, hasInfinity ? -Limits::infinity() : Limits::lowest()),
        boundOf(upper, hasInfinity ? Limits::infinity() : Limits::max())};
    if (!lower && !upper)
      result = x;
    else if (isNan(f.lower) || isNan(f.upper))
      result = Elements::splat(x.type(), x.shape(),
                               WideNum::widen(Limits::quiet_NaN()));
    else
      result = Elements::apply(ops::detail::makeStep<T, T>(f), x.shape(), x);
  });
  return result;
}

Elements ops::cast(const Elements &x, DataType type, CastOptions options) {
  if (!x || !isConvertible(type, x.type()))
    return {};
  if (x.type() == type)
    return x.narrowed();
  return Elements::apply(castStep(type, x.type(), options), x.shape(), x);
}

std::optional<int64_t> ops::firstNotConvertible(const Elements &x,
                                                DataType type) {
  assert(isConvertible(type, x.type()));
  if (!isInteger(type) || x.size() == 0)
    return std::nullopt;
  Elements scanned =
      x.isSplat()
          ? x.slice(Shape(x.rank(), 0), Shape(x.rank(), 1), Shape(x.rank(), 1))
          : x;
  Elements::Reader reader(scanned);
  unsigned width = byteWidth(x.type());
  constexpr int64_t block = 4096;
  int64_t size = scanned.size();
  // Blocks after one that is known to be bad need not be looked at.
  std::atomic<int64_t> bad = size;
  parallelFor(size, reader.preferredGrain(), [&](int64_t begin, int64_t end) {
    std::vector<char> buffer(block * width);
    for (int64_t i = begin; i < end && i < bad; i += block) {
      int64_t count = std::min(block, end - i);
      reader.read(i, count, buffer.data());
      if (allInRange(type, x.type(), buffer.data(), count))
        continue;
      int64_t j = 0;
      while (allInRange(type, x.type(), &buffer[j * width], 1))
        ++j;
      int64_t found = i + j, known = bad;
      while (found < known && !bad.compare_exchange_weak(known, found))
        ;
      return;
    }
  });
  return bad == size ? std::nullopt : std::optional<int64_t>(bad);
}

Shape ops::indexOf(int64_t number, ShapeRef shape) {
  Shape index(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    index[i] = number % shape[i];
    number /= shape[i];
  }
  return index;
}
