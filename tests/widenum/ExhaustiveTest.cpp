//===- ExhaustiveTest.cpp - Every conversion to 16 bits and fewer ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a narrow float rounds to is looked up in a table of its own: the values
// of the format (read by llvm::APFloat), the middles between neighbours, and
// what is above each. Blocks of floats of every upper half and of every lower
// half that can matter go through convertBlock at every level of vector
// instructions, in all modes; all 2^32 floats with ONNXFOLD_LONG=1. All
// patterns of the narrow types go to all types.
//
//===----------------------------------------------------------------------===//

#include "TestTypes.h"

#include "onnxfold/widenum/CpuLevel.h"
#include "onnxfold/widenum/Dispatch.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::test;

namespace {

constexpr uint32_t floatSign = 0x80000000u, floatInfinity = 0x7f800000u;

template <class Source>
using BitsOf = std::conditional_t<sizeof(Source) == 4, uint32_t, uint64_t>;

//===----------------------------------------------------------------------===//
// The table of a format
//===----------------------------------------------------------------------===//

/// Codes of ascending magnitudes, and the bits of the first number (of type
/// Source) that is rounded to each; the last code is what overflows.
template <class Source> struct Table {
  using Bits = BitsOf<Source>;
  std::vector<Bits> firsts;
  std::vector<uint32_t> codes;

  void push(double first, bool inclusive, uint32_t code) {
    auto number = static_cast<Source>(first);
    EXPECT_EQ(number, first) << "a limit that is not a number of the source";
    firsts.push_back(std::bit_cast<Bits>(number) + !inclusive);
    codes.push_back(code);
  }
  size_t find(Bits magnitude) const {
    return std::upper_bound(firsts.begin(), firsts.end(), magnitude) -
           firsts.begin() - 1;
  }
};

template <class To> constexpr uint32_t signOf() {
  return 1u << (bitWidth(dataTypeOf<To>) - 1);
}
template <class To> constexpr bool isFnuz() {
  return std::is_same_v<To, Float8E4M3FNUZ> ||
         std::is_same_v<To, Float8E5M2FNUZ>;
}
/// Infinity, or what the format has in its place without saturation.
template <class To> constexpr uint32_t infinityOf() {
  if constexpr (std::is_same_v<To, Float16>)
    return 0x7c00;
  else if constexpr (std::is_same_v<To, BFloat16>)
    return 0x7f80;
  else if constexpr (std::is_same_v<To, Float8E5M2>)
    return 0x7c;
  else if constexpr (std::is_same_v<To, Float8E4M3FN>)
    return 0x7f;
  else if constexpr (isFnuz<To>())
    return 0x80;
  else
    return signOf<To>() - 1; // no infinity and no NaN: the largest
}
template <class To> constexpr bool neverSaturates() { return sizeof(To) == 2; }

/// Rounded to the nearest, ties to even codes.
template <class To, class Source>
Table<Source> tableOf(const CastOptions &options) {
  struct Value {
    double value;
    uint32_t code;
  };
  std::vector<Value> values;
  for (To pattern : allPatterns<To>()) {
    double value = valueByOracle(pattern);
    if (std::isfinite(value) && !(pattern.bits & signOf<To>()))
      values.push_back({value, pattern.bits});
  }
  Table<Source> table;
  table.push(0, true, 0);
  for (size_t i = 1; i < values.size(); ++i)
    table.push((values[i - 1].value + values[i].value) / 2,
               values[i].code % 2 == 0, values[i].code);
  // Beyond the largest there is another step, to a code that is no number.
  double largest = values.back().value;
  double step = largest - values[values.size() - 2].value;
  bool saturates = options.saturate && !neverSaturates<To>();
  table.push(largest + step / 2, values.back().code % 2 == 1,
             saturates ? values.back().code : infinityOf<To>());
  return table;
}

/// Powers of two in one of three modes.
template <class Source> Table<Source> exponentTable(const CastOptions &o) {
  using Mode = CastOptions::RoundMode;
  Table<Source> table;
  table.push(0, true, o.saturate ? 0 : 255);
  table.push(0x1p-127, true, 0);
  for (int code = 1; code < 255; ++code) {
    double below = std::ldexp(1.0, code - 128);
    table.push(o.roundMode == Mode::Up     ? below
               : o.roundMode == Mode::Down ? 2 * below
                                           : 1.5 * below,
               o.roundMode != Mode::Up, code);
  }
  table.push(0x1p127, false, o.saturate ? 254 : 255);
  return table;
}

//===----------------------------------------------------------------------===//
// What is expected
//===----------------------------------------------------------------------===//

/// Of a NaN of f32: quiet, sign and leading bits of the payload kept where the
/// format has them.
template <class To> uint32_t expectedNaN(uint32_t bits) {
  uint32_t sign = bits & floatSign ? signOf<To>() : 0;
  uint32_t payload = bits & 0x7fffff;
  if constexpr (std::is_same_v<To, Float16>)
    return sign | 0x7e00 | payload >> 13;
  else if constexpr (std::is_same_v<To, BFloat16>)
    return sign | 0x7fc0 | payload >> 16;
  else if constexpr (std::is_same_v<To, Float8E5M2>)
    return sign | 0x7e | payload >> 21;
  else if constexpr (std::is_same_v<To, Float8E4M3FN>)
    return sign | 0x7f;
  else if constexpr (isFnuz<To>())
    return 0x80;
  else if constexpr (std::is_same_v<To, Float8E8M0>)
    return 0xff;
  else
    return sign ^ signOf<To>(); // -0 for NaN, 0 for -NaN
}

template <class To, class Source> class Expected {
public:
  using Bits = BitsOf<Source>;

  explicit Expected(const CastOptions &options) : options(options) {
    if constexpr (std::is_same_v<To, Float8E8M0>)
      table = exponentTable<Source>(options);
    else
      table = tableOf<To, Source>(options);
  }

  uint32_t operator()(Source x) {
    constexpr Bits sign = Bits(1) << (sizeof(Source) * 8 - 1);
    auto bits = std::bit_cast<Bits>(x);
    if (x != x)
      return expectedNaN<To>(narrowNaN(bits));
    Bits magnitude = bits & ~sign;
    // Neighbours are mostly in the same place of the table.
    if (magnitude < table.firsts[at] ||
        (at + 1 < table.firsts.size() && magnitude >= table.firsts[at + 1]))
      at = table.find(magnitude);
    if (std::is_same_v<To, Float8E8M0>)
      return bits & sign && magnitude != 0 ? 255 : table.codes[at];
    uint32_t code = table.codes[at];
    bool isUnsigned = isFnuz<To>() && (code == 0 || code == 0x80);
    return bits & sign && !isUnsigned ? code | signOf<To>() : code;
  }

  const std::vector<Bits> &limits() const { return table.firsts; }

private:
  /// A NaN of f32 with the same sign and leading bits.
  static uint32_t narrowNaN(uint32_t bits) { return bits; }
  static uint32_t narrowNaN(uint64_t bits) {
    return uint32_t(bits >> 63) << 31 | floatInfinity |
           (uint32_t(bits >> 29) & 0x7fffff) | 0x400000;
  }

  CastOptions options;
  Table<Source> table;
  size_t at = 0;
};

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Every upper half of a float with the lower halves where formats of up to 16
/// bits have their last kept bit, the middle and the bits below it.
std::vector<float> everyClassOfFloats() {
  std::vector<float> floats;
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (uint32_t lower :
         {0x0000u, 0x0001u, 0x0fffu, 0x1000u, 0x1001u, 0x1fffu, 0x2000u,
          0x3000u, 0x3001u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu})
      floats.push_back(std::bit_cast<float>(upper << 16 | lower));
  return floats;
}

/// The limits of a table and what lies one and two beside them, both signs.
template <class Source, class Bits>
std::vector<Source> around(const std::vector<Bits> &limits) {
  std::vector<Source> numbers;
  for (Bits limit : limits)
    for (int64_t d = -2; d <= 2; ++d) {
      auto number = std::bit_cast<Source>(static_cast<Bits>(limit + d));
      if (limit == 0 && d < 0)
        continue;
      numbers.push_back(number);
      numbers.push_back(-number);
    }
  for (double special :
       {0.0, 5e-324, 1e-310, 1e-45, 1e30, 3.4e38, 1e300, HUGE_VAL}) {
    numbers.push_back(static_cast<Source>(special));
    numbers.push_back(static_cast<Source>(-special));
  }
  return numbers;
}

/// Options that make a difference for the format.
template <class To> std::vector<CastOptions> allOptions() {
  using Mode = CastOptions::RoundMode;
  std::vector<CastOptions> result;
  for (bool saturate : {true, false})
    for (Mode mode : {Mode::Up, Mode::Down, Mode::Nearest}) {
      if (mode != Mode::Up && !std::is_same_v<To, Float8E8M0>)
        continue;
      CastOptions options;
      options.saturate = saturate;
      options.roundMode = mode;
      result.push_back(options);
    }
  return result;
}

/// Converts all numbers at once and compares each.
template <class To, class Source>
void checkNumbers(const std::vector<Source> &numbers,
                  Expected<To, Source> &expected, const CastOptions &options) {
  std::vector<To> results(numbers.size());
  convertBlock(dataTypeOf<To>, results.data(), dataTypeOf<Source>,
               numbers.data(), numbers.size(), options);
  for (size_t i = 0; i < numbers.size(); ++i) {
    uint32_t wanted = expected(numbers[i]);
    if (results[i].bits == wanted)
      continue;
    ADD_FAILURE() << std::hexfloat << numbers[i] << std::hex << " (0x"
                  << std::bit_cast<BitsOf<Source>>(numbers[i]) << ") to "
                  << name(dataTypeOf<To>).str() << " gives 0x"
                  << int(results[i].bits) << ", expected 0x" << wanted
                  << ", saturate " << options.saturate << ", mode "
                  << int(options.roundMode) << ", level " << int(cpuLevel());
    return;
  }
}

template <class F> void atEveryLevel(F body) {
  for (CpuLevel level :
       {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512}) {
    ForcedCpuLevel forced(level);
    body();
  }
}

//===----------------------------------------------------------------------===//
// Floats to narrow floats
//===----------------------------------------------------------------------===//

template <class T> class NarrowFloat : public ::testing::Test {};
using NarrowFloats =
    ::testing::Types<Float16, BFloat16, Float8E4M3FN, Float8E4M3FNUZ,
                     Float8E5M2, Float8E5M2FNUZ, Float8E8M0, Float6E2M3,
                     Float6E3M2, Float4E2M1>;
TYPED_TEST_SUITE(NarrowFloat, NarrowFloats);

TYPED_TEST(NarrowFloat, EveryClassOfFloats) {
  std::vector<float> classes = everyClassOfFloats();
  for (const CastOptions &options : allOptions<TypeParam>()) {
    Expected<TypeParam, float> expected(options);
    std::vector<float> limits = around<float>(expected.limits());
    atEveryLevel([&] {
      checkNumbers(classes, expected, options);
      checkNumbers(limits, expected, options);
    });
    if (this->HasFailure())
      return;
  }
}

TYPED_TEST(NarrowFloat, EveryLimitOfDoubles) {
  for (const CastOptions &options : allOptions<TypeParam>()) {
    Expected<TypeParam, double> expected(options);
    std::vector<double> numbers = around<double>(expected.limits());
    for (double nan : {NAN, -NAN})
      numbers.push_back(nan);
    // Beside the limits of f32, where a rounding to f32 would end at them.
    for (uint64_t limit : expected.limits())
      for (uint64_t d : {uint64_t(1) << 28, uint64_t(1) << 20}) {
        numbers.push_back(std::bit_cast<double>(limit + d));
        if (limit > d)
          numbers.push_back(std::bit_cast<double>(limit - d));
      }
    atEveryLevel([&] { checkNumbers(numbers, expected, options); });
    if (this->HasFailure())
      return;
  }
}

/// One of 64 blocks of 65536 neighbours, with ONNXFOLD_LONG=1 all. What does
/// not fit depends on no more than its class, so saturating is enough here.
TYPED_TEST(NarrowFloat, Sweep) {
  uint32_t step = std::getenv("ONNXFOLD_LONG") ? 1 : 64;
  std::vector<float> block(0x10000);
  for (const CastOptions &options : allOptions<TypeParam>()) {
    if (!options.saturate)
      continue;
    Expected<TypeParam, float> expected(options);
    for (uint32_t upper = 5 % step; upper < 0x10000; upper += step) {
      for (uint32_t lower = 0; lower < 0x10000; ++lower)
        block[lower] = std::bit_cast<float>(upper << 16 | lower);
      checkNumbers(block, expected, options);
      if (this->HasFailure())
        return;
    }
  }
}

//===----------------------------------------------------------------------===//
// All patterns of narrow types
//===----------------------------------------------------------------------===//

/// The f32 that a pattern is, NaNs included.
template <class From> float floatOf(From x) {
  if constexpr (std::is_same_v<From, Float8E8M0>) {
    return x.bits == 255 ? std::bit_cast<float>(0x7fc00000u)
                         : std::ldexp(1.0f, int(x.bits) - 127);
  } else {
    double value = valueByOracle(x);
    if (value == value)
      return static_cast<float>(value);
    uint32_t sign = x.bits & signOf<From>() ? floatSign : 0;
    if constexpr (std::is_same_v<From, Float16>)
      return std::bit_cast<float>(sign | 0x7fc00000u | (x.bits & 0x3ffu) << 13);
    else if constexpr (std::is_same_v<From, BFloat16>)
      return std::bit_cast<float>(uint32_t(x.bits) << 16 | 0x400000u);
    else if constexpr (std::is_same_v<From, Float8E5M2>)
      return std::bit_cast<float>(sign | 0x7fc00000u | (x.bits & 3u) << 21);
    else
      return std::bit_cast<float>((isFnuz<From>() ? 0 : sign) | 0x7fc00000u);
  }
}

template <class From, class To> void checkPatterns() {
  if constexpr (!std::is_same_v<From, To>) {
    std::vector<From> patterns = allPatterns<From>();
    std::vector<To> results(patterns.size());
    for (const CastOptions &options : allOptions<To>()) {
      Expected<To, float> expected(options);
      convertBlock(dataTypeOf<To>, results.data(), dataTypeOf<From>,
                   patterns.data(), patterns.size(), options);
      for (size_t i = 0; i < patterns.size(); ++i)
        ASSERT_EQ(results[i].bits, expected(floatOf(patterns[i])))
            << name(dataTypeOf<From>).str() << " 0x" << std::hex
            << int(patterns[i].bits) << " to " << name(dataTypeOf<To>).str();
    }
  }
}

template <class F, class... T> void forEach(::testing::Types<T...>, F body) {
  (body(TypeTag<T>()), ...);
}

TYPED_TEST(NarrowFloat, EveryPatternToEveryNarrowFloat) {
  forEach(NarrowFloats(), [](auto tag) {
    checkPatterns<TypeParam, typename decltype(tag)::type>();
  });
}

TYPED_TEST(NarrowFloat, EveryPatternToFloatAndDouble) {
  std::vector<TypeParam> patterns = allPatterns<TypeParam>();
  std::vector<float> floats(patterns.size());
  std::vector<double> doubles(patterns.size());
  atEveryLevel([&] {
    convertBlock(DataType::Float32, floats.data(), dataTypeOf<TypeParam>,
                 patterns.data(), patterns.size());
    convertBlock(DataType::Float64, doubles.data(), dataTypeOf<TypeParam>,
                 patterns.data(), patterns.size());
    for (size_t i = 0; i < patterns.size(); ++i) {
      float expected = floatOf(patterns[i]);
      ASSERT_EQ(std::bit_cast<uint32_t>(floats[i]),
                std::bit_cast<uint32_t>(expected))
          << std::hex << int(patterns[i].bits);
      ASSERT_EQ(std::bit_cast<uint64_t>(doubles[i]),
                std::bit_cast<uint64_t>(double(expected)))
          << std::hex << int(patterns[i].bits);
    }
  });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

using Wide = __int128;

using ShortIntegers = ::testing::Types<bool, int8_t, uint8_t, int16_t, uint16_t,
                                       Int4, UInt4, Int2, UInt2>;
using Integers =
    ::testing::Types<bool, int8_t, uint8_t, int16_t, uint16_t, int32_t,
                     uint32_t, int64_t, uint64_t, Int4, UInt4, Int2, UInt2>;

/// The low bits of a number, as the type reads them.
Wide wrapped(DataType type, Wide value) {
  unsigned bits = bitWidth(type);
  Wide low = value & ((Wide(1) << bits) - 1);
  return isSigned(type) && low >> (bits - 1) ? low - (Wide(1) << bits) : low;
}

/// Any integer element or bool, by its bytes.
template <class T> Wide integerOf(T x) {
  if constexpr (std::is_integral_v<T>)
    return x;
  else
    return x.value;
}

/// A float, cut off: 0 if 8 to 64 bits do not hold it; fewer bits wrap.
class Truncation {
public:
  explicit Truncation(DataType to)
      : to(to), hasSign(isSubByte(to) || isSigned(to)),
        end(std::ldexp(1.0, (isSubByte(to) ? 64 : bitWidth(to)) - hasSign)),
        begin(hasSign ? -end : 0) {}

  Wide operator()(double x) const {
    if (to == DataType::Bool)
      return x != 0;
    double whole = std::trunc(x);
    if (!(whole >= begin && whole < end))
      return 0;
    return isSubByte(to) ? wrapped(to, Wide(whole)) : Wide(whole);
  }

private:
  DataType to;
  bool hasSign;
  double end, begin;
};

template <class To, class From>
void checkTruncation(const std::vector<From> &numbers,
                     const std::vector<double> &values) {
  std::unique_ptr<To[]> results(new To[numbers.size()]);
  convertBlock(dataTypeOf<To>, results.get(), dataTypeOf<From>, numbers.data(),
               numbers.size());
  Truncation expected(dataTypeOf<To>);
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (integerOf(results[i]) == expected(values[i]))
      continue;
    ADD_FAILURE() << name(dataTypeOf<From>).str() << " " << std::hexfloat
                  << values[i] << " to " << name(dataTypeOf<To>).str()
                  << " gives " << int64_t(integerOf(results[i]));
    return;
  }
}

TYPED_TEST(NarrowFloat, EveryPatternToIntegers) {
  std::vector<TypeParam> patterns = allPatterns<TypeParam>();
  std::vector<double> values;
  for (TypeParam pattern : patterns)
    values.push_back(floatOf(pattern));
  forEach(Integers(), [&](auto tag) {
    checkTruncation<typename decltype(tag)::type>(patterns, values);
  });
}

TEST(NarrowIntegers, EveryClassOfFloats) {
  std::vector<float> floats = everyClassOfFloats();
  std::vector<double> values(floats.begin(), floats.end());
  atEveryLevel([&] {
    forEach(Integers(), [&](auto tag) {
      checkTruncation<typename decltype(tag)::type>(floats, values);
    });
  });
}

TEST(NarrowIntegers, Sweep) {
  uint32_t step = std::getenv("ONNXFOLD_LONG") ? 1 : 256;
  std::vector<float> block(0x10000);
  for (uint32_t upper = 3 % step; upper < 0x10000; upper += step) {
    for (uint32_t lower = 0; lower < 0x10000; ++lower)
      block[lower] = std::bit_cast<float>(upper << 16 | lower);
    std::vector<double> values(block.begin(), block.end());
    checkTruncation<int8_t>(block, values);
    checkTruncation<uint8_t>(block, values);
    checkTruncation<int16_t>(block, values);
    checkTruncation<uint16_t>(block, values);
    if (HasFailure())
      return;
  }
}

/// All numbers of a type of 16 bits or fewer.
template <class T> std::vector<T> allNumbers() {
  std::vector<T> numbers;
  constexpr DataType type = dataTypeOf<T>;
  unsigned bits = type == DataType::Bool ? 1 : bitWidth(type);
  for (uint32_t pattern = 0; pattern < 1u << bits; ++pattern) {
    if constexpr (std::is_integral_v<T>)
      numbers.push_back(static_cast<T>(pattern));
    else
      numbers.push_back(
          T{static_cast<decltype(T::value)>(wrapped(type, pattern))});
  }
  return numbers;
}

/// The element that an integer becomes.
template <class To> auto expectedOf() {
  constexpr DataType to = dataTypeOf<To>;
  if constexpr (std::is_same_v<To, bool>)
    return [](Wide value) { return value != 0; };
  else if constexpr (isInteger(to) && std::is_integral_v<To>)
    return [](Wide value) { return static_cast<To>(wrapped(to, value)); };
  else if constexpr (isInteger(to))
    return [](Wide value) {
      return To{static_cast<decltype(To::value)>(wrapped(to, value))};
    };
  else if constexpr (std::is_floating_point_v<To>)
    return [](Wide value) { return static_cast<To>(int64_t(value)); };
  else
    return [table = Expected<To, float>(CastOptions())](Wide value) mutable {
      auto code = table(static_cast<float>(value)); // exact
      return To{static_cast<decltype(To::bits)>(code)};
    };
}

template <class From, class To> void checkIntegers() {
  auto numbers = allNumbers<From>();
  std::unique_ptr<From[]> in(new From[numbers.size()]);
  std::unique_ptr<To[]> results(new To[numbers.size()]);
  std::copy(numbers.begin(), numbers.end(), in.get());
  convertBlock(dataTypeOf<To>, results.get(), dataTypeOf<From>, in.get(),
               numbers.size());
  auto expected = expectedOf<To>();
  for (size_t i = 0; i < numbers.size(); ++i)
    ASSERT_TRUE(results[i] == expected(integerOf(in[i])))
        << name(dataTypeOf<From>).str() << " " << int64_t(integerOf(in[i]))
        << " to " << name(dataTypeOf<To>).str();
}

TEST(NarrowIntegers, EveryNumberToEveryType) {
  forEach(ShortIntegers(), [](auto fromTag) {
    using From = typename decltype(fromTag)::type;
    auto check = [](auto toTag) {
      checkIntegers<From, typename decltype(toTag)::type>();
    };
    forEach(Integers(), check);
    forEach(NarrowFloats(), check);
    forEach(::testing::Types<float, double>(), check);
  });
}

} // namespace
