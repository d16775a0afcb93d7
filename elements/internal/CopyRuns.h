//===- CopyRuns.h - Copying runs of bytes to large results ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// A result that is larger than the caches is written past them (non-temporal
// stores): its old content is not read first, and operands in the caches are
// not evicted. Runs that are not adjacent in the source are prefetched, because
// no processor predicts their addresses.
//
//   bool stream = bytes >= streamBytes;
//   copyRuns(begin, end, rowBytes, stream,
//            [&](int64_t i) { return in + index[i] * rowBytes; },
//            [&](int64_t i) { return out + i * rowBytes; });
//   streamFence();
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ELEMENTS_INTERNAL_COPYRUNS_H
#define ONNXFOLD_ELEMENTS_INTERNAL_COPYRUNS_H

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace onnxfold {

/// Smaller results are still in the caches when they are read.
inline constexpr int64_t streamBytes = 4 << 20;

/// The shortest runs, in bytes, that are written past the caches. Such writes
/// wait for the loads before them, so they are slower for shorter runs
/// (measured, see RATIONALE.md).
inline constexpr int64_t leastStreamed = 1024;

/// memcpy past the caches. The bytes are seen by other threads after a
/// streamFence() of the thread that wrote them.
void streamCopy(char *out, const char *in, int64_t bytes);
void streamFence();

/// Prefetches bytes that will be read soon, into L2: L1 can wait for a dozen
/// lines at a time, and the caller would wait until it has asked for the last.
/// The address need not be valid.
inline void prefetch(const char *bytes, int64_t count) {
  for (int64_t i = 0; i < count; i += 64)
    __builtin_prefetch(bytes + i, /*rw=*/0, /*locality=*/2);
}

/// Copies runs [begin, end) of `bytes` each from from(i) to to(i). With
/// `stream`, runs that are long enough are copied by streamCopy.
template <class From, class To>
void copyRuns(int64_t begin, int64_t end, int64_t bytes, bool stream, From from,
              To to) {
  // A distance of some kilobytes was measured as best. The processor prefetches
  // the rest of a long run by itself.
  constexpr int64_t mostPrefetched = 4096;
  const int64_t ahead =
      std::clamp<int64_t>(6144 / std::max<int64_t>(1, bytes), 2, 12);
  stream &= bytes >= leastStreamed;
  for (int64_t i = begin; i < end; ++i) {
    if (i + ahead < end)
      prefetch(from(i + ahead), std::min(bytes, mostPrefetched));
    if (stream)
      streamCopy(to(i), from(i), bytes);
    else
      std::memcpy(to(i), from(i), bytes);
  }
}

} // namespace onnxfold

#endif // ONNXFOLD_ELEMENTS_INTERNAL_COPYRUNS_H
