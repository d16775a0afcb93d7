//===- ConvertLoops.h - The loops under convertBlock ------------*- C++ -*-===//
//
// Conversions of whole blocks between any type and one of three hubs, float,
// double and int64_t. convertBlock (Convert.cpp) puts two of them together
// where neither side is a hub, by a block that stays in L1. So there are 6 x 24
// loops and not 24 x 24.
//
// Pointers are void because elements need no alignment. Ranges must not
// overlap. All rules are those of Convert.h. Stateless, thread safe, no errors.
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

/// From a numeric type or bool to float or double, one rounding.
void blockToFloat(DataType from, void *out, const void *in, size_t count);
void blockToDouble(DataType from, void *out, const void *in, size_t count);
/// Int64 and UInt64 to double by toDoubleOdd: to be rounded further.
void blockToDoubleOdd(DataType from, void *out, const void *in, size_t count);
/// From an integer type or bool to int64_t (the bits, of UInt64).
void blockToInt64(DataType from, void *out, const void *in, size_t count);

/// From float or double to a numeric type or bool.
void blockFromFloat(DataType to, void *out, const void *in, size_t count,
                    const CastOptions &options);
void blockFromDouble(DataType to, void *out, const void *in, size_t count,
                     const CastOptions &options);
/// From int64_t (or uint64_t) to an integer type or bool.
void blockFromInt64(DataType to, void *out, const void *in, size_t count);

/// Whether all are within the bounds; the elements are floats, doubles, int64_t
/// or uint64_t.
bool allBetween(const void *in, size_t count, ExclusiveBounds<float> bounds);
bool allBetween(const void *in, size_t count, ExclusiveBounds<double> bounds);
bool allWithin(const void *in, size_t count, int64_t smallest, int64_t largest);
bool allUpTo(const void *in, size_t count, uint64_t largest);

} // namespace onnxfold::detail

#endif // ONNXFOLD_WIDENUM_INTERNAL_CONVERTLOOPS_H
