//===- ElementwiseTest.cpp - Deferred programs of elementwise steps -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/tests/elements/Naive.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ThreadPool.h"

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {
struct PlusOp {
  template <class T> T operator()(T a, T b) const { return add(a, b); }
};
struct TimesOp {
  template <class T> T operator()(T a, T b) const { return multiply(a, b); }
};
} // namespace

template <class T>
static Naive<T> randomNumbers(Random &random, ShapeRef shape) {
  return Naive<T>::make(shape, [&](ShapeRef) {
    if constexpr (std::is_integral_v<T>)
      return T(random.engine());
    else
      return convert<T>(random.real(-4, 4));
  });
}

/// Broadcasts and computes element by element, rounding to T each time.
template <class T, class F>
static Naive<T> naiveZip(const Naive<T> &a, const Naive<T> &b, F f) {
  Shape shape = *broadcastShapes(a.shape, b.shape);
  auto indexIn = [&](const Naive<T> &x, ShapeRef index) {
    Shape own;
    size_t lead = shape.size() - x.shape.size();
    for (size_t d = 0; d < x.shape.size(); ++d)
      own.push_back(x.shape[d] == 1 ? 0 : index[lead + d]);
    return own;
  };
  return Naive<T>::make(shape, [&](ShapeRef index) {
    using C = ComputeType<T>;
    return convert<T>(C(
        f(convert<C>(a(indexIn(a, index))), convert<C>(b(indexIn(b, index))))));
  });
}

namespace {
template <class T> class Zip : public testing::Test {};
using Arithmetic =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                   int64_t, uint64_t, Float16, BFloat16, float, double>;
TYPED_TEST_SUITE(Zip, Arithmetic);
} // namespace

// Random expressions, broadcast and transposed: what a fused program gives is
// what rounding after every step gives.
TYPED_TEST(Zip, FusionEqualsStepByStep) {
  using T = TypeParam;
  for (unsigned seed = 0; seed < 12; ++seed) {
    Random random(seed);
    Shape shape = random.shape(random.integer(0, 3), seed != 5, 20);
    Naive<T> expected = randomNumbers<T>(random, shape);
    Elements actual = expected.elements();
    for (int i = 0; i < 12; ++i) {
      Shape other = expected.shape;
      for (int64_t &n : other)
        if (random.integer(0, 2) == 0)
          n = 1;
      if (!other.empty() && random.integer(0, 3) == 0)
        other.erase(other.begin());
      Naive<T> operand = randomNumbers<T>(random, other);
      if (random.integer(0, 1)) {
        actual = zip(actual, operand.elements(), PlusOp());
        expected = naiveZip<T>(expected, operand, PlusOp());
      } else {
        actual = zip(operand.elements(), actual, TimesOp());
        expected = naiveZip<T>(operand, expected, TimesOp());
      }
    }
    expectEqual(actual, expected);
    if (this->HasFatalFailure())
      return;
  }
}

// f16: 2048 + 1 is 2048 after each step; a chain kept in f32 would count.
TEST(Elementwise, EachStepOfAnF16ChainRounds) {
  Elements x = Elements::fromValues<Float16>(
      {2}, {convert<Float16>(2048.0f), convert<Float16>(1.0f)});
  for (int i = 0; i < 8; ++i)
    x = map(x, [](auto v) { return decltype(v)(v + 1); });
  EXPECT_EQ(x.number(0).to<float>(), 2048);
  EXPECT_EQ(x.number(1).to<float>(), 9);
}

// B15: 1 + 2^-11 + 2^-40 must not be rounded to float on its way to f16.
TEST(Elementwise, CastRoundsOnce) {
  double v = 1 + 0x1p-11 + 0x1p-40;
  Elements x = Elements::fromValues<double>({2}, {v, 0.1});
  EXPECT_EQ(cast(x, DataType::Float16).value<Float16>(0).bits, 0x3C01);
  // B6: what a cast cuts off is lost.
  Elements back = cast(cast(x, DataType::Float16), DataType::Float64);
  EXPECT_NE(back.value<double>(1), 0.1);
  Elements i = Elements::fromValues<int64_t>({1}, {300});
  expectValues<int64_t>(cast(cast(i, DataType::Int8), DataType::Int64), {1},
                        {44});
  Elements hundred = Elements::fromValues<int8_t>({1}, {100});
  expectValues<int32_t>(cast(zip(hundred, hundred, PlusOp()), DataType::Int32),
                        {1}, {-56});
  EXPECT_EQ(cast(Elements::fromValues<float>({1}, {NAN}), DataType::Bool)
                .value<bool>(0),
            true);
}

// B1: from bool to every type, and back.
TEST(Elementwise, CastOfBool) {
  Elements x = Elements::fromValues<bool>({3}, {true, false, true});
  for (DataType type : {DataType::Int8, DataType::UInt64, DataType::Float32,
                        DataType::Int4, DataType::Float8E4M3FN}) {
    Elements y = cast(x, type);
    EXPECT_EQ(y.number(0).to<int64_t>(), 1) << name(type).str();
    EXPECT_EQ(y.number(1).to<int64_t>(), 0);
    EXPECT_TRUE(cast(y, DataType::Bool).identicalTo(x));
  }
}

TEST(Elementwise, IntegersWrap) {
  Elements x = Elements::fromValues<int32_t>({2}, {INT32_MIN, INT32_MAX});
  expectValues<int32_t>(map(x, [](auto v) { return absolute(v); }), {2},
                        {INT32_MIN, INT32_MAX});
  expectValues<int32_t>(map(x, [](auto v) { return negate(v); }), {2},
                        {INT32_MIN, -INT32_MAX});
  expectValues<int32_t>(zip(x, x, PlusOp()), {2}, {0, -2});
  expectValues<int32_t>(zip(x, x, TimesOp()), {2}, {0, 1});
  // B10: nothing of 64 bits is converted to double.
  int64_t big = (int64_t(1) << 53) + 1;
  expectValues<int64_t>(map(Elements::fromValues<int64_t>({1}, {-big}),
                            [](auto v) { return absolute(v); }),
                        {1}, {big});
  EXPECT_TRUE(divisionUndefined(INT64_MIN, int64_t(-1)));
  EXPECT_TRUE(divisionUndefined(5, 0));
  EXPECT_FALSE(divisionUndefined(uint8_t(5), uint8_t(255)));
}

// B11: the order of the operands does not matter.
TEST(Elementwise, MinimumAndMaximumHandNanOn) {
  Elements a = Elements::fromValues<float>({3}, {NAN, 1, floatInfinity});
  Elements b = Elements::fromValues<float>({3}, {1, NAN, -floatInfinity});
  auto largest = [](auto x, auto y) { return maximum(x, y); };
  auto least = [](auto x, auto y) { return minimum(x, y); };
  expectValues<float>(zip(a, b, largest), {3}, {NAN, NAN, floatInfinity});
  expectValues<float>(zip(b, a, largest), {3}, {NAN, NAN, floatInfinity});
  expectValues<float>(zip(a, b, least), {3}, {NAN, NAN, -floatInfinity});
}

TEST(Elementwise, SignsOfZero) {
  Elements x = Elements::fromValues<float>({2}, {0.0f, -0.0f});
  expectValues<float>(map(x, [](auto v) { return negate(v); }), {2},
                      {-0.0f, 0.0f});
  expectValues<float>(map(x, [](auto v) { return absolute(v); }), {2},
                      {0.0f, 0.0f});
}

TEST(Elementwise, ClassesOfTypes) {
  Elements text = Elements::fromStrings({1}, {"a"});
  auto same = [](auto v) { return v; };
  EXPECT_FALSE(bool(map(text, same)));
  EXPECT_FALSE(bool(mapFloat(Elements::fromValues<int32_t>({1}, {1}), same)));
  EXPECT_FALSE(bool(mapWide(text, [](double *, size_t) {})));
  Elements less = zipTo<bool>(
      Elements::fromValues<Float16>({2}, {Float16{0x3C00}, Float16{0x4000}}),
      Elements::fromValues<Float16>({}, {Float16{0x3E00}}),
      [](auto a, auto b) { return a < b; });
  expectValues<bool>(less, {2}, {true, false});
  expectValues<Int4>(
      mapAs<Int4, Int4>(Elements::fromValues<Int4>({2}, {Int4{-8}, Int4{7}}),
                        [](int8_t v) { return int8_t(-v / 2); }),
      {2}, {Int4{4}, Int4{-3}});
}

TEST(Elementwise, WideFunctions) {
  auto halve = [](double *v, size_t n) {
    for (size_t i = 0; i < n; ++i)
      v[i] /= 2;
  };
  auto product = [](double *x, const double *y, size_t n) {
    for (size_t i = 0; i < n; ++i)
      x[i] *= y[i];
  };
  Naive<Float16> x = Naive<Float16>::make({700}, [i = 0](ShapeRef) mutable {
    return convert<Float16>(float(i++));
  });
  Elements half = mapWide(x.elements(), halve);
  EXPECT_EQ(half.number(699).to<float>(), 349.5f);
  Elements scaled =
      zipWide(half, Elements::fromValues<int32_t>({1}, {-4}), product);
  EXPECT_EQ(scaled.type(), DataType::Float16);
  EXPECT_EQ(scaled.number(699).to<float>(), -1398);
}

TEST(Elementwise, SelectOfEveryWidth) {
  Elements c = Elements::fromValues<bool>({2, 1}, {true, false});
  expectValues<int8_t>(select(c, Elements::fromValues<int8_t>({2}, {1, 2}),
                              Elements::fromValues<int8_t>({}, {9})),
                       {2, 2}, {1, 2, 9, 9});
  using C = std::complex<double>;
  expectValues<C>(select(c, Elements::fromValues<C>({1}, {C(1, 2)}),
                         Elements::fromValues<C>({1}, {C(3, 4)})),
                  {2, 1}, {C(1, 2), C(3, 4)});
  Elements text = select(c, Elements::fromStrings({}, {"yes"}),
                         Elements::fromStrings({2}, {"no", ""}));
  expectValues<llvm::StringRef>(text.materialize(), {2, 2},
                                {"yes", "yes", "no", ""});
  expectValues<float>(select(Elements::splat<bool>({0, 2}, true),
                             Elements::splat<float>({2}, 1),
                             Elements::splat<float>({}, 2)),
                      {0, 2}, {});
}

TEST(Elementwise, Scans) {
  std::vector<float> values(100000, 1.5f);
  values[77777] = 3e9f;
  values[88888] = NAN;
  Elements x = Elements::fromValues<float>({1000, 100}, values);
  for (unsigned threads : {1u, 3u}) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(threads));
    ParallelScope scope(pool);
    EXPECT_EQ(firstNotConvertible(x, DataType::Int32), 77777);
    EXPECT_EQ(firstNotConvertible(x, DataType::Int64), 88888);
    EXPECT_EQ(firstNotConvertible(x, DataType::Float16), std::nullopt);
    EXPECT_EQ(firstNotConvertible(x.slice(0, 0, 700), DataType::UInt8),
              std::nullopt);
  }
  EXPECT_EQ(firstWhere<float>(x, [](float v) { return v > 2; }), 77777);
  EXPECT_EQ(
      firstNotConvertible(Elements::splat<float>({9, 9}, -1), DataType::UInt8),
      0);
  EXPECT_EQ(firstWhere<float>(Elements::fromValues<float>({0}, {}),
                              [](float) { return true; }),
            std::nullopt);
  EXPECT_EQ(indexOf(77777, {1000, 100}), Shape({777, 77}));
  EXPECT_EQ(indexOf(0, {}), Shape({}));
}

TEST(Elementwise, IntegersOfATensor) {
  EXPECT_EQ(Elements::fromValues<int32_t>({2}, {-1, 5}).ints(),
            (llvm::SmallVector<int64_t>{-1, 5}));
  EXPECT_EQ(Elements::fromValues<uint8_t>({}, {255}).ints(),
            (llvm::SmallVector<int64_t>{255}));
}

//===----------------------------------------------------------------------===//
// clip
//===----------------------------------------------------------------------===//

namespace {
template <class T> class Clip : public testing::Test {};
using ClipTypes =
    testing::Types<int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t,
                   int64_t, uint64_t, Float16, BFloat16, float, double>;
TYPED_TEST_SUITE(Clip, ClipTypes);
} // namespace

TYPED_TEST(Clip, WithEitherBoundOrNone) {
  using T = TypeParam;
  using C = ComputeType<T>;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Random random(seed);
    auto element = [&]() -> T {
      if constexpr (std::is_integral_v<T>)
        return random.integer(0, 1) ? T(random.engine())
                                    : T(random.integer(-3, 3));
      static const double values[] = {0.0, -0.0, NAN, INFINITY, -INFINITY};
      return convert<T>(random.integer(0, 1) ? values[random.integer(0, 4)]
                                             : random.real(-4, 4));
    };
    Shape shape = random.shape(random.integer(0, 3), seed % 5 != 0, 6);
    auto x = Naive<T>::make(shape, [&](ShapeRef) { return element(); });
    std::optional<T> lower, upper;
    if (random.integer(0, 2))
      lower = element();
    if (random.integer(0, 2))
      upper = element();
    auto expected = Naive<T>::make(shape, [&](ShapeRef i) {
      auto v = convert<C>(x(i));
      if (lower)
        v = maximum(v, convert<C>(*lower));
      if (upper)
        v = minimum(v, convert<C>(*upper));
      return convert<T>(v);
    });
    auto bound = [](std::optional<T> value) {
      return value ? Elements::fromValues<T>({1}, {*value}) : Elements();
    };
    Elements y = clip(x.elements(), bound(lower), bound(upper));
    if constexpr (std::is_integral_v<T> || std::is_floating_point_v<T>)
      expectEqual(y, expected);
    else // NaN has several patterns
      expectEqual(
          cast(y, DataType::Float64),
          Naive<double>{shape, cast(expected.elements(), DataType::Float64)
                                   .template values<double>()});
    if (this->HasFatalFailure())
      return;
  }
}

// N1: one bound on integers limited by the unsigned type, and infinity became
// FLT_MAX.
TEST(Clip, PublishedMistakes) {
  Elements x = Elements::fromValues<int32_t>({2}, {-5, 5});
  Elements zero = Elements::fromValues<int32_t>({}, {0});
  expectValues<int32_t>(clip(x, zero, {}), {2}, {0, 5});
  expectValues<int32_t>(clip(x, {}, zero), {2}, {-5, 0});
  expectValues<int32_t>(clip(x, {}, {}), {2}, {-5, 5});
  Elements f = Elements::fromValues<float>({3}, {INFINITY, -INFINITY, 1});
  Elements two = Elements::fromValues<float>({}, {2});
  expectValues<float>(clip(f, {}, two), {3}, {2, -INFINITY, 1});
  expectValues<float>(clip(f, two, {}), {3}, {INFINITY, 2, 2});
  // Bounds that cross: the upper one wins.
  Elements one = Elements::fromValues<float>({}, {1});
  expectValues<float>(clip(f, two, one), {3}, {1, 1, 1});
  EXPECT_FALSE(bool(clip(Elements::fromStrings({1}, {"a"}), {}, {})));
  // Wide: bounds and values as they are before rounding.
  Elements wide = zip(one.widened(), Elements::splat<float>({}, 0x1p-40f),
                      [](auto a, auto b) { return a + b; });
  expectValues<double>(clip(f, {}, wide).unrounded(), {3},
                       {1 + 0x1p-40, -INFINITY, 1});
}

// Compiled for AVX2, an addition of two NaNs gave the other one: operands of a
// commutative instruction may be swapped.
TEST(Elementwise, WhichNaNComesOutDependsOnNoProcessor) {
  auto digest = [](CpuLevel level) {
    ForcedCpuLevel forced(level);
    auto nans = [](uint32_t payload) {
      return Elements::build<float>(
          {64}, [&](llvm::MutableArrayRef<float> out) {
            for (size_t i = 0; i < out.size(); ++i)
              out[i] = llvm::bit_cast<float>(uint32_t(
                  0x7fc00000u + payload + i + (i % 3 == 0 ? 0x80000000u : 0)));
          });
    };
    Elements x = nans(1), y = nans(100);
    std::vector<uint32_t> bits;
    auto append = [&](const Elements &e) {
      for (float v : e.values<float>())
        bits.push_back(llvm::bit_cast<uint32_t>(v));
    };
    append(zip(x, y, [](auto a, auto b) { return add(a, b); }));
    append(zip(x, y, [](auto a, auto b) { return multiply(a, b); }));
    append(zip(x, y, [](auto a, auto b) { return maximum(a, b); }));
    append(zip(x, y, [](auto a, auto b) { return a * 2 + b; }));
    return bits;
  };
  EXPECT_EQ(digest(CpuLevel::Avx2), digest(CpuLevel::Baseline));
  EXPECT_EQ(digest(CpuLevel::Avx512), digest(CpuLevel::Baseline));
}
