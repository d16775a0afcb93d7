//===- ConvertBlockTest.cpp - Conversions of blocks of elements -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// convertBlock must give the bits of convert<To>, whatever loop, instruction
// set (CpuLevel) or intermediate block is used.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/widenum/Convert.h"
#include "onnxfold/widenum/CpuLevel.h"
#include "onnxfold/widenum/Dispatch.h"
#include "onnxfold/widenum/WideNum.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

using namespace onnxfold;

namespace {

/// Floats and integers at which conversions change their ways.
std::vector<double> edgeDoubles() {
  std::vector<double> edges = {0.0,       1.0,
                               0.25,      1.5,
                               0.1,       1e-40,
                               5e-324,    1e30,
                               1e300,     65504,
                               65519.999, 65520,
                               448,       464,
                               465,       57344,
                               61440,     240,
                               248,       1e-8,
                               0x1p-24,   0x1p-25,
                               0x1.8p-25, 6,
                               5,         1 + 0x1p-11 + 0x1p-40};
  for (int bit : {1, 3, 4, 7, 8, 15, 16, 31, 32, 53, 63, 64, 127})
    for (double d : {-1.0, -0.5, 0.0, 0.5, 1.0})
      edges.push_back(std::ldexp(1.0, bit) + d);
  edges.push_back(std::numeric_limits<double>::infinity());
  edges.push_back(std::numeric_limits<double>::quiet_NaN());
  for (size_t i = 0, n = edges.size(); i < n; ++i)
    edges.push_back(-edges[i]);
  return edges;
}

template <class Bits> std::vector<Bits> randomBits(size_t count) {
  std::vector<Bits> result;
  uint64_t state = 4242;
  for (size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    result.push_back(static_cast<Bits>(state >> 13 ^ state << 31));
  }
  return result;
}

/// All elements of the narrow types; edges and random patterns of the others.
template <class T> std::vector<T> sampleElements() {
  std::vector<T> sample;
  if constexpr (std::is_same_v<T, bool>) {
    sample.assign({false, true, true, false});
  } else if constexpr (sizeof(T) <= 2) {
    for (unsigned bits = 0; bits < 1u << bitWidth(dataTypeOf<T>); ++bits) {
      if constexpr (std::is_integral_v<T>)
        sample.push_back(static_cast<T>(bits));
      else if constexpr (isFloat(dataTypeOf<T>))
        sample.push_back(T{static_cast<decltype(T::bits)>(bits)});
      else
        sample.push_back(convert<T>(bits));
    }
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
    for (double edge : edgeDoubles())
      sample.push_back(convert<T>(edge));
    for (Bits bits : randomBits<Bits>(3000))
      sample.push_back(std::bit_cast<T>(bits));
    if constexpr (std::is_integral_v<T>)
      for (unsigned bit = 1; bit < sizeof(T) * 8; ++bit)
        for (unsigned tie = 0; tie < bit; ++tie)
          sample.push_back(static_cast<T>((Bits(1) << bit) + (Bits(1) << tie) +
                                          (bit % 3) - 1));
  }
  return sample;
}

using Bytes = std::vector<char>;

/// The elements, one byte off any alignment.
template <class T> Bytes misaligned(const std::vector<T> &elements) {
  Bytes bytes(1 + elements.size() * sizeof(T));
  for (size_t i = 0; i < elements.size(); ++i) {
    T element = elements[i];
    std::memcpy(&bytes[1 + i * sizeof(T)], &element, sizeof(T));
  }
  return bytes;
}

/// convert<To> one by one, and whether all were inRange. Kept small: there is
/// one for every pair of types.
template <class To, class From>
bool convertOneByOne(const char *in, char *out, size_t count,
                     const CastOptions &options) {
  bool allFit = true;
  for (size_t i = 0; i < count; ++i) {
    From x;
    std::memcpy(&x, in + i * sizeof(From), sizeof(From));
    To y = convert<To>(x, options);
    std::memcpy(out + i * sizeof(To), &y, sizeof(To));
    allFit &= inRange<To>(x);
  }
  return allFit;
}

/// Compares convertBlock at one level with what convertOneByOne gave.
void checkBlock(CpuLevel level, DataType to, DataType from, const Bytes &in,
                size_t count, const Bytes &expected, bool allFit,
                const CastOptions &options) {
  SCOPED_TRACE(name(from).str() + " to " + name(to).str() + " at level " +
               std::to_string(int(level)));
  ForcedCpuLevel forced(level);
  size_t width = byteWidth(to);
  Bytes out(2 + count * width, 0x55);
  convertBlock(to, out.data() + 1, from, in.data() + 1, count, options);
  for (size_t i = 0; i < count; ++i)
    ASSERT_EQ(std::memcmp(&out[1 + i * width], &expected[i * width], width), 0)
        << "element " << i << ": "
        << WideNum::from(from, &in[1 + i * byteWidth(from)]).to<double>();
  EXPECT_EQ(out.front(), 0x55);
  EXPECT_EQ(out.back(), 0x55) << "written beyond the end";
  EXPECT_EQ(allInRange(to, from, in.data() + 1, count), allFit);
}

template <class To, class From>
void comparePair(const Bytes &in, CastOptions options = {}) {
  size_t count = (in.size() - 1) / sizeof(From);
  Bytes expected(count * sizeof(To) + 1);
  bool allFit =
      convertOneByOne<To, From>(in.data() + 1, expected.data(), count, options);
  for (CpuLevel level : {CpuLevel::Baseline, CpuLevel::Avx2, CpuLevel::Avx512})
    checkBlock(level, dataTypeOf<To>, dataTypeOf<From>, in, count, expected,
               allFit, options);
}

template <class F> void forEachNumberType(F body) {
  for (int number = 1; number < 64; ++number) {
    auto type = static_cast<DataType>(number);
    if (type == DataType::Bool)
      body(TypeTag<bool>{});
    else
      visitNumeric(type, body);
  }
}

TEST(ConvertBlock, EveryPairGivesTheScalarResult) {
  forEachNumberType([](auto fromTag) {
    using From = typename decltype(fromTag)::type;
    Bytes in = misaligned(sampleElements<From>());
    forEachNumberType([&](auto toTag) {
      using To = typename decltype(toTag)::type;
      comparePair<To, From>(in);
      if (isFloat(dataTypeOf<To>) && sizeof(To) == 1)
        comparePair<To, From>(
            in,
            {.saturate = false, .roundMode = CastOptions::RoundMode::Nearest});
    });
  });
}

/// Tails of vectors and of blocks; and allInRange where all are.
TEST(ConvertBlock, EveryLength) {
  for (size_t count : {0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 511, 512,
                       513, 1023, 1025}) {
    std::vector<float> floats;
    std::vector<int64_t> integers;
    for (size_t i = 0; i < count; ++i) {
      floats.push_back(i * 0.125f - 17);
      integers.push_back(int64_t(i) - 100);
    }
    comparePair<Float16, float>(misaligned(floats));
    comparePair<BFloat16, float>(misaligned(floats));
    comparePair<int16_t, float>(misaligned(floats));
    comparePair<int32_t, int64_t>(misaligned(integers));
    comparePair<Float16, int64_t>(misaligned(integers));
    std::vector<Float16> halves;
    for (float x : floats)
      halves.push_back(convert<Float16>(x));
    comparePair<float, Float16>(misaligned(halves));
    comparePair<int32_t, Float16>(misaligned(halves));
  }
}

TEST(ConvertBlock, AllInRangeSeesOneBadElementAnywhere) {
  for (size_t bad : {0, 1, 500, 1022}) {
    std::vector<float> floats(1023, 1.5f);
    EXPECT_TRUE(allInRange(DataType::Int8, DataType::Float32, floats.data(),
                           floats.size()));
    for (float value : {128.0f, -129.0f, std::nanf("")}) {
      floats[bad] = value;
      EXPECT_FALSE(allInRange(DataType::Int8, DataType::Float32, floats.data(),
                              floats.size()));
    }
    std::vector<int16_t> integers(1023, 127);
    EXPECT_TRUE(allInRange(DataType::Int8, DataType::Int16, integers.data(),
                           integers.size()));
    integers[bad] = 128;
    EXPECT_FALSE(allInRange(DataType::Int8, DataType::Int16, integers.data(),
                            integers.size()));
  }
}

TEST(ConvertBlock, DoubleHelpers) {
  Float16 halves[3] = {{0x3c00}, {0xc000}, {0x0001}};
  double doubles[3];
  convertBlockToDouble(DataType::Float16, halves, doubles, 3);
  EXPECT_EQ(doubles[0], 1);
  EXPECT_EQ(doubles[1], -2);
  EXPECT_EQ(doubles[2], 0x1p-24);
  Float16 back[3];
  convertBlockFromDouble(DataType::Float16, back, doubles, 3);
  EXPECT_EQ(std::memcmp(back, halves, sizeof(halves)), 0);
}

TEST(ConvertBlock, ComplexStringsAndSymbols) {
  std::complex<double> in[2] = {{1.5, -2.5}, {1e300, 0}};
  std::complex<float> out[2];
  convertBlock(DataType::Complex64, out, DataType::Complex128, in, 2);
  EXPECT_EQ(out[0], std::complex<float>(1.5f, -2.5f));
  EXPECT_TRUE(std::isinf(out[1].real()));
  std::complex<double> wide[2];
  convertBlock(DataType::Complex128, wide, DataType::Complex64, out, 1);
  EXPECT_EQ(wide[0], in[0]);
  llvm::StringRef text[2] = {"a", "bc"}, copy[2];
  convertBlock(DataType::String, copy, DataType::String, text, 2);
  EXPECT_EQ(copy[1], "bc");
  EXPECT_FALSE(isConvertible(DataType::String, DataType::Float32));
  EXPECT_FALSE(isConvertible(DataType::Float32, DataType::Complex64));
  EXPECT_FALSE(isConvertible(DataType::Int64, DataType::Opaque));
  EXPECT_TRUE(isConvertible(DataType::Opaque, DataType::Opaque));
  EXPECT_FALSE(isConvertible(DataType::Undefined, DataType::Undefined));
}

TEST(ConvertBlockDeathTest, AnImpossiblePairEndsTheProgram) {
  float x = 0;
  EXPECT_DEATH(convertBlock(DataType::String, &x, DataType::Float32, &x, 1),
               "no conversion between the types");
}

} // namespace
