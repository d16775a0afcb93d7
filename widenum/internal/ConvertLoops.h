//===- ConvertLoops.h - The loops under convertBlock ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Conversions of whole blocks between any type and one of three hubs, float,
// double and int64_t. Where neither side is a hub, convertBlock (Convert.cpp)
// combines two of them through a block that fits in L1. So there are 6 x 24
// loops and not 24 x 24.
//
// Pointers are void because elements need no alignment. Ranges must not
// overlap. All rules are those of Convert.h. The functions are stateless and
// thread safe, and have no errors.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_WIDENUM_INTERNAL_CONVERTLOOPS_H
#define ONNXFOLD_WIDENUM_INTERNAL_CONVERTLOOPS_H

#include "onnxfold/widenum/Convert.h"

#include <algorithm>

namespace onnxfold::detail {

/// Elements of a block between two loops: 4 KiB of the widest hub.
inline constexpr size_t blockSize = 512;

/// Converts blocks in two steps, first(hub, in, n) and then second(out, hub,
/// n), through blockSize elements of type Hub.
template <class Hub, class First, class Second>
void convertThrough(void *out, size_t outWidth, const void *in, size_t inWidth,
                    size_t count, First first, Second second) {
  Hub hub[blockSize];
  for (size_t done = 0; done < count; done += blockSize) {
    size_t n = std::min(blockSize, count - done);
    first(hub, static_cast<const char *>(in) + done * inWidth, n);
    second(static_cast<char *>(out) + done * outWidth, hub, n);
  }
}

/// Converts a numeric type or bool to float or double, with one rounding.
void blockToFloat(DataType from, void *out, const void *in, size_t count);
void blockToDouble(DataType from, void *out, const void *in, size_t count);
/// Converts Int64 or UInt64 to double by toDoubleOdd, for further rounding.
void blockToDoubleOdd(DataType from, void *out, const void *in, size_t count);
/// Converts an integer type or bool to int64_t; UInt64 keeps its bits.
void blockToInt64(DataType from, void *out, const void *in, size_t count);

/// Converts float or double to a numeric type or bool.
void blockFromFloat(DataType to, void *out, const void *in, size_t count,
                    const CastOptions &options);
void blockFromDouble(DataType to, void *out, const void *in, size_t count,
                     const CastOptions &options);
/// Converts int64_t (or uint64_t) to an integer type or bool.
void blockFromInt64(DataType to, void *out, const void *in, size_t count);

/// Whether all elements are within the bounds. They are floats, doubles
/// (allBetween), int64_t (allWithin) or uint64_t (allUpTo).
bool allBetween(const void *in, size_t count, ExclusiveBounds<float> bounds);
bool allBetween(const void *in, size_t count, ExclusiveBounds<double> bounds);
bool allWithin(const void *in, size_t count, int64_t smallest, int64_t largest);
bool allUpTo(const void *in, size_t count, uint64_t largest);

} // namespace onnxfold::detail

#endif // ONNXFOLD_WIDENUM_INTERNAL_CONVERTLOOPS_H
