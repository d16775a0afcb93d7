//===- Convert.cpp - Conversions of blocks of elements --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Puts the loops of ConvertLoops.h together. Which hub a pair uses is a
// question of rounding: the value must reach the last step exactly, or
// rounded to odd in a format that is wide enough for it.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/widenum/Convert.h"
#include "onnxfold/widenum/internal/ConvertLoops.h"

#include "llvm/Support/ErrorHandling.h"

#include <algorithm>
#include <cassert>
#include <cstring>

using namespace onnxfold;
using namespace onnxfold::detail;

namespace {

/// Whether float holds every element exactly.
bool isExactInFloat(DataType type) {
  return isFloat(type) ? type != DataType::Float64 : bitWidth(type) <= 16;
}

template <class To, class From>
void convertComplex(void *out, const void *in, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    std::complex<From> x;
    std::memcpy(&x, static_cast<const char *>(in) + i * sizeof(x), sizeof(x));
    auto y = convert<std::complex<To>>(x);
    std::memcpy(static_cast<char *>(out) + i * sizeof(y), &y, sizeof(y));
  }
}

/// Integers and bool among each other.
void convertIntegers(DataType to, void *out, DataType from, const void *in,
                     size_t count) {
  bool sameBits = byteWidth(to) == byteWidth(from) && !isSubByte(to) &&
                  to != DataType::Bool && from != DataType::Bool;
  if (sameBits && !isSubByte(from)) {
    std::memcpy(out, in, count * byteWidth(to));
    return;
  }
  if (byteWidth(from) == 8)
    return blockFromInt64(to, out, in, count);
  if (byteWidth(to) == 8)
    return blockToInt64(from, out, in, count);
  convertThrough<int64_t>(
      out, byteWidth(to), in, byteWidth(from), count,
      [&](int64_t *hub, const void *part, size_t n) {
        blockToInt64(from, hub, part, n);
      },
      [&](void *target, const int64_t *hub, size_t n) {
        blockFromInt64(to, target, hub, n);
      });
}

/// At least one of the types is a float.
void convertFloats(DataType to, void *out, DataType from, const void *in,
                   size_t count, const CastOptions &options) {
  if (to == DataType::Float32)
    return blockToFloat(from, out, in, count);
  if (to == DataType::Float64)
    return blockToDouble(from, out, in, count);
  if (from == DataType::Float32)
    return blockFromFloat(to, out, in, count, options);
  if (from == DataType::Float64)
    return blockFromDouble(to, out, in, count, options);
  if (isExactInFloat(from))
    return convertThrough<float>(
        out, byteWidth(to), in, byteWidth(from), count,
        [&](float *hub, const void *part, size_t n) {
          blockToFloat(from, hub, part, n);
        },
        [&](void *target, const float *hub, size_t n) {
          blockFromFloat(to, target, hub, n, options);
        });
  // What is left: 32 or 64 bit integers to a float of 16 bits or fewer.
  convertThrough<double>(
      out, byteWidth(to), in, byteWidth(from), count,
      [&](double *hub, const void *part, size_t n) {
        if (bitWidth(from) == 64)
          blockToDoubleOdd(from, hub, part, n);
        else
          blockToDouble(from, hub, part, n);
      },
      [&](void *target, const double *hub, size_t n) {
        blockFromDouble(to, target, hub, n, options);
      });
}

} // namespace

void onnxfold::convertBlock(DataType to, void *out, DataType from,
                            const void *in, size_t count,
                            const CastOptions &options) {
  if (!isConvertible(to, from))
    llvm::report_fatal_error("convertBlock: no conversion between the types");
  if (count == 0)
    return;
  if (to == from)
    std::memcpy(out, in, count * byteWidth(to));
  else if (to == DataType::Complex64)
    convertComplex<float, double>(out, in, count);
  else if (to == DataType::Complex128)
    convertComplex<double, float>(out, in, count);
  else if (isFloat(to) || isFloat(from))
    convertFloats(to, out, from, in, count, options);
  else
    convertIntegers(to, out, from, in, count);
}

void onnxfold::convertBlockToDouble(DataType from, const void *in, double *out,
                                    size_t count) {
  convertBlock(DataType::Float64, out, from, in, count);
}

void onnxfold::convertBlockFromDouble(DataType to, void *out, const double *in,
                                      size_t count,
                                      const CastOptions &options) {
  convertBlock(to, out, DataType::Float64, in, count, options);
}

//===----------------------------------------------------------------------===//
// allInRange
//===----------------------------------------------------------------------===//

namespace {

bool allFloatsInRange(DataType to, DataType from, const char *in,
                      size_t count) {
  unsigned bits = bitWidth(to);
  if (from == DataType::Float64)
    return allBetween(in, count, boundsOfInteger<double>(isSigned(to), bits));
  auto bounds = boundsOfInteger<float>(isSigned(to), bits);
  if (from == DataType::Float32)
    return allBetween(in, count, bounds);
  for (size_t done = 0; done < count; done += blockSize) {
    float hub[blockSize];
    size_t n = std::min(blockSize, count - done);
    blockToFloat(from, hub, in + done * byteWidth(from), n);
    if (!allBetween(hub, n, bounds))
      return false;
  }
  return true;
}

/// `from` is an integer type with numbers that `to` does not have.
bool allIntegersInRange(DataType to, DataType from, const char *in,
                        size_t count) {
  unsigned digits = bitWidth(to) - isSigned(to);
  uint64_t largest = ~uint64_t(0) >> (64 - digits);
  if (from == DataType::UInt64)
    return allUpTo(in, count, largest);
  auto largestSigned =
      static_cast<int64_t>(std::min(largest, ~uint64_t(0) >> 1));
  int64_t smallest = isSigned(to) ? -largestSigned - 1 : 0;
  if (from == DataType::Int64)
    return allWithin(in, count, smallest, largestSigned);
  for (size_t done = 0; done < count; done += blockSize) {
    int64_t hub[blockSize];
    size_t n = std::min(blockSize, count - done);
    blockToInt64(from, hub, in + done * byteWidth(from), n);
    if (!allWithin(hub, n, smallest, largestSigned))
      return false;
  }
  return true;
}

} // namespace

bool onnxfold::allInRange(DataType to, DataType from, const void *in,
                          size_t count) {
  assert((isNumeric(to) || to == DataType::Bool) &&
         (isNumeric(from) || from == DataType::Bool) && "not a number");
  if (!isInteger(to) || from == DataType::Bool)
    return true;
  auto *bytes = static_cast<const char *>(in);
  if (isFloat(from))
    return allFloatsInRange(to, from, bytes, count);
  bool always = isSigned(from) ? isSigned(to) && bitWidth(to) >= bitWidth(from)
                               : bitWidth(to) - isSigned(to) >= bitWidth(from);
  return always || allIntegersInRange(to, from, bytes, count);
}
