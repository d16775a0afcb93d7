//===- ConvertLoops.cpp - The loops under convertBlock --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Loads and stores use memcpy: elements in files are often unaligned, and g++
// vectorises it as it does plain accesses. Branches on the type stand outside
// of the loops. Floats of 8 bits and fewer are read by a table; from double
// they are written by baseline code, since that is rare.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/widenum/internal/ConvertLoops.h"

#include "onnxfold/widenum/CpuLevel.h"
#include "onnxfold/widenum/Dispatch.h"

#include <algorithm>
#include <array>
#include <cstring>

#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace onnxfold;
using namespace onnxfold::detail;

namespace {

/// out[i] = compute(in[i]).
template <class To, class From, class F>
[[gnu::always_inline]] inline void mapLoop(void *out, const void *in,
                                           size_t count, F compute) {
  auto *to = static_cast<char *__restrict>(out);
  auto *from = static_cast<const char *__restrict>(in);
  for (size_t i = 0; i < count; ++i) {
    From x;
    std::memcpy(&x, from + i * sizeof(x), sizeof(x));
    To y = compute(x);
    std::memcpy(to + i * sizeof(y), &y, sizeof(y));
  }
}

template <class To, class From>
[[gnu::always_inline]] inline void
convertLoop(void *out, const void *in, size_t count, CastOptions options = {}) {
  if constexpr (std::is_same_v<From, bool>)
    // As a byte, so that no byte is undefined behaviour. The minimum
    // vectorises where x != 0 does not.
    mapLoop<To, uint8_t>(out, in, count, [options](uint8_t x) {
      return convert<To>(std::min<uint8_t>(x, 1), options);
    });
  else
    mapLoop<To, From>(out, in, count,
                      [options](From x) { return convert<To>(x, options); });
}

/// The types that loops are vectorised for: bool, integers of all widths (the
/// sub-byte ones are loaded as bytes) and the floats of 16 bits and more.
template <DataType type> struct KeepCommon {
  static constexpr bool value = typeClass(type) == TypeClass::Bool ||
                                isInteger(type) ||
                                typeClass(type) == TypeClass::Float;
};
template <DataType type> struct KeepSmallFloat {
  static constexpr bool value = typeClass(type) == TypeClass::SmallFloat;
};
/// The other floats are narrower than float and reached by way of it.
template <DataType type> struct KeepFromDouble {
  static constexpr bool value =
      KeepCommon<type>::value && (!isFloat(type) || bitWidth(type) >= 32);
};
template <DataType type> struct KeepIntegerOrBool {
  static constexpr bool value =
      typeClass(type) == TypeClass::Bool || isInteger(type);
};

//===----------------------------------------------------------------------===//
// Small floats
//===----------------------------------------------------------------------===//

template <class T> constexpr std::array<float, 256> makeTable() {
  std::array<float, 256> table{};
  for (unsigned i = 0; i < 256; ++i)
    table[i] = decode(T{static_cast<uint8_t>(i)});
  return table;
}

/// To is float or double. False: `from` is no small float.
template <class To>
bool smallFloatTo(DataType from, void *out, const void *in, size_t count) {
  return visitIf<KeepSmallFloat>(from, [&](auto tag) {
    static constexpr auto table = makeTable<typename decltype(tag)::type>();
    mapLoop<To, uint8_t>(out, in, count,
                         [](uint8_t bits) { return To(table[bits]); });
  });
}

/// REQUIRES: `to` is a small float.
void floatToSmallFloat(DataType to, void *out, const void *in, size_t count,
                       const CastOptions &options) {
  atCpuLevel([=] {
    visitIf<KeepSmallFloat>(to, [=](auto tag) {
      using T = typename decltype(tag)::type;
      convertLoop<T, float>(out, in, count, options);
    });
  });
}

//===----------------------------------------------------------------------===//
// f16 by the processor's own instructions
//===----------------------------------------------------------------------===//
// They give the bits that decodeFloat and encodeFloat give (NaNs are made
// quiet, payloads are kept from the top), see ConvertBlockTest.

#ifdef __x86_64__
bool hasF16C() { return cpuLevel() >= CpuLevel::Avx2; }

__attribute__((target("avx,f16c"))) size_t
f16ToFloatF16C(void *out, const void *in, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    auto *from = static_cast<const char *>(in) + i * sizeof(Float16);
    auto *to = static_cast<char *>(out) + i * sizeof(float);
    __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from));
    _mm256_storeu_ps(reinterpret_cast<float *>(to), _mm256_cvtph_ps(halves));
  }
  return i;
}

__attribute__((target("avx,f16c"))) size_t
floatToF16F16C(void *out, const void *in, size_t count) {
  size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    auto *from = static_cast<const char *>(in) + i * sizeof(float);
    auto *to = static_cast<char *>(out) + i * sizeof(Float16);
    __m256 floats = _mm256_loadu_ps(reinterpret_cast<const float *>(from));
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to),
                     _mm256_cvtps_ph(floats, _MM_FROUND_TO_NEAREST_INT));
  }
  return i;
}
#else
bool hasF16C() { return false; }
size_t f16ToFloatF16C(void *, const void *, size_t) { return 0; }
size_t floatToF16F16C(void *, const void *, size_t) { return 0; }
#endif

//===----------------------------------------------------------------------===//
// The common types
//===----------------------------------------------------------------------===//

void commonToFloat(DataType from, void *out, const void *in, size_t count) {
  atCpuLevel([=] {
    visitIf<KeepCommon>(from, [=](auto tag) {
      using T = typename decltype(tag)::type;
      convertLoop<float, T>(out, in, count);
    });
  });
}

void commonToDouble(DataType from, void *out, const void *in, size_t count) {
  atCpuLevel([=] {
    visitIf<KeepCommon>(from, [=](auto tag) {
      using T = typename decltype(tag)::type;
      convertLoop<double, T>(out, in, count);
    });
  });
}

void commonFromFloat(DataType to, void *out, const void *in, size_t count) {
  atCpuLevel([=] {
    visitIf<KeepCommon>(to, [=](auto tag) {
      using T = typename decltype(tag)::type;
      convertLoop<T, float>(out, in, count);
    });
  });
}

/// To the types that are not narrow floats.
void commonFromDouble(DataType to, void *out, const void *in, size_t count) {
  atCpuLevel([=] {
    visitIf<KeepFromDouble>(to, [=](auto tag) {
      using T = typename decltype(tag)::type;
      convertLoop<T, double>(out, in, count);
    });
  });
}

void doubleToFloatOdd(void *out, const void *in, size_t count) {
  atCpuLevel([=] {
    mapLoop<float, double>(out, in, count,
                           [](double x) { return toFloatOdd(x); });
  });
}

} // namespace

//===----------------------------------------------------------------------===//
// Hubs
//===----------------------------------------------------------------------===//

void detail::blockToFloat(DataType from, void *out, const void *in,
                          size_t count) {
  if (smallFloatTo<float>(from, out, in, count))
    return;
  if (from == DataType::Float16 && hasF16C()) {
    size_t done = f16ToFloatF16C(out, in, count);
    out = static_cast<char *>(out) + done * sizeof(float);
    in = static_cast<const char *>(in) + done * sizeof(Float16);
    count -= done;
  }
  commonToFloat(from, out, in, count);
}

void detail::blockToDouble(DataType from, void *out, const void *in,
                           size_t count) {
  if (smallFloatTo<double>(from, out, in, count))
    return;
  if (from == DataType::Float16 && hasF16C())
    return convertThrough<float>(
        out, sizeof(double), in, sizeof(Float16), count,
        [](float *hub, const void *part, size_t n) {
          blockToFloat(DataType::Float16, hub, part, n);
        },
        [](void *target, const float *hub, size_t n) {
          commonToDouble(DataType::Float32, target, hub, n);
        });
  commonToDouble(from, out, in, count);
}

void detail::blockFromFloat(DataType to, void *out, const void *in,
                            size_t count, const CastOptions &options) {
  if (typeClass(to) == TypeClass::SmallFloat)
    return floatToSmallFloat(to, out, in, count, options);
  if (to == DataType::Float16 && hasF16C()) {
    size_t done = floatToF16F16C(out, in, count);
    out = static_cast<char *>(out) + done * sizeof(Float16);
    in = static_cast<const char *>(in) + done * sizeof(float);
    count -= done;
  }
  commonFromFloat(to, out, in, count);
}

void detail::blockFromDouble(DataType to, void *out, const void *in,
                             size_t count, const CastOptions &options) {
  if (!isFloat(to) || bitWidth(to) >= 32)
    return commonFromDouble(to, out, in, count);
  convertThrough<float>(
      out, byteWidth(to), in, sizeof(double), count,
      [](float *hub, const void *part, size_t n) {
        doubleToFloatOdd(hub, part, n);
      },
      [&](void *target, const float *hub, size_t n) {
        blockFromFloat(to, target, hub, n, options);
      });
}

void detail::blockToDoubleOdd(DataType from, void *out, const void *in,
                              size_t count) {
  if (from == DataType::Int64)
    mapLoop<double, int64_t>(out, in, count,
                             [](int64_t x) { return toDoubleOdd(x); });
  else
    mapLoop<double, uint64_t>(out, in, count,
                              [](uint64_t x) { return toDoubleOdd(x); });
}

void detail::blockToInt64(DataType from, void *out, const void *in,
                          size_t count) {
  visitIf<KeepIntegerOrBool>(from, [&](auto tag) {
    convertLoop<int64_t, typename decltype(tag)::type>(out, in, count);
  });
}

void detail::blockFromInt64(DataType to, void *out, const void *in,
                            size_t count) {
  visitIf<KeepIntegerOrBool>(to, [&](auto tag) {
    convertLoop<typename decltype(tag)::type, int64_t>(out, in, count);
  });
}

//===----------------------------------------------------------------------===//
// Ranges
//===----------------------------------------------------------------------===//

namespace {
/// Whether holds(x) of all; looks at all of them, which vectorises.
template <class T, class F>
[[gnu::always_inline]] inline bool allOf(const void *in, size_t count,
                                         F holds) {
  auto *from = static_cast<const char *>(in);
  // As wide as an element, so that a vector of results fits one of elements.
  std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t> failed = 0;
  for (size_t i = 0; i < count; ++i) {
    T x;
    std::memcpy(&x, from + i * sizeof(T), sizeof(T));
    failed |= holds(x) ? 0 : 1;
  }
  return failed == 0;
}
} // namespace

bool detail::allBetween(const void *in, size_t count,
                        ExclusiveBounds<float> bounds) {
  return allOf<float>(in, count, [bounds](float x) {
    return (x > bounds.below) & (x < bounds.above);
  });
}
bool detail::allBetween(const void *in, size_t count,
                        ExclusiveBounds<double> bounds) {
  return allOf<double>(in, count, [bounds](double x) {
    return (x > bounds.below) & (x < bounds.above);
  });
}
bool detail::allWithin(const void *in, size_t count, int64_t smallest,
                       int64_t largest) {
  return allOf<int64_t>(
      in, count, [=](int64_t x) { return (x >= smallest) & (x <= largest); });
}
bool detail::allUpTo(const void *in, size_t count, uint64_t largest) {
  return allOf<uint64_t>(in, count, [=](uint64_t x) { return x <= largest; });
}
