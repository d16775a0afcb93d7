//===- IntervalPacking.h - Which buffers share memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Packs intervals of numbers; it does not depend on the IR. Thread safety: pure
// functions.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_INTERVALPACKING_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_INTERVALPACKING_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace onnxfold::deallocation {

/// Memory. Sizes that are not known are counted in two ways, as zero and as
/// larger than all known sizes, and a bound must hold for both.
struct Amount {
  int64_t known = 0, all = 0;

  static Amount ofBytes(int64_t bytes) { return {bytes, bytes}; }
  static Amount unknown() { return {0, int64_t(1) << 40}; }

  Amount operator+(Amount other) const {
    return {known + other.known, all + other.all};
  }
  Amount operator-(Amount other) const {
    return {known - other.known, all - other.all};
  }
  Amount &operator+=(Amount other) { return *this = *this + other; }
  bool operator<=(Amount other) const {
    return known <= other.known && all <= other.all;
  }
  bool operator==(const Amount &) const = default;
};
inline Amount largest(Amount a, Amount b) {
  return {std::max(a.known, b.known), std::max(a.all, b.all)};
}
inline Amount smallest(Amount a, Amount b) {
  return {std::min(a.known, b.known), std::min(a.all, b.all)};
}
/// The larger of `limit` and of the memory that is needed already.
inline Amount allowedFor(Amount needed, Amount limit) {
  return needed <= limit ? limit : needed;
}

/// A buffer that is alive from `start` to `end`, both included.
struct Interval {
  unsigned start, end;
  Amount size;
  int64_t alignment; ///< that it needs, 0: none in particular
  /// Intervals of one kind can replace each other as they are.
  unsigned kind;
  /// Intervals of one space that are `flexible` can be pieces of memory without
  /// a type, which may be larger than they are.
  unsigned space;
  bool flexible;
  /// Not ours to change: was allocated earlier, with that alignment, and
  /// counted there: its bytes count after its end only.
  bool given = false;
  /// The buffer lives after `end`, because its uses cannot be followed.
  bool escapes = false;
  /// Is worth nothing by itself: shares a pool with others, or is in none.
  bool optional = false;

  /// An allocation that is to be aligned asks for so many bytes more.
  Amount amount() const { return size + Amount::ofBytes(alignment); }
};

/// Intervals that share memory, in the order of time.
struct Pool {
  std::vector<unsigned> members;
  Amount size;         ///< of the largest
  bool uniform = true; ///< all of one kind
};

/// Puts intervals into pools so that no two of a pool overlap: each joins the
/// pool of its kind that became free last, else to the smallest that it fits
/// into, else the largest becomes larger, else it gets a pool of its own.
/// Members keep memory alive between them; `allowed[t]` is the most that may be
/// alive at time t, where `others[t]` is what something else needs, and where
/// it is more already it does not become more still. Intervals are sorted by
/// `start`. Optional ones that find no pool are in none. Deterministic; time n
/// log n.
std::vector<Pool> packIntervals(llvm::ArrayRef<Interval> intervals,
                                llvm::ArrayRef<Amount> others,
                                llvm::ArrayRef<Amount> allowed);

/// The memory that is alive at each time if each interval has its own.
std::vector<Amount> profileOf(llvm::ArrayRef<Interval> intervals,
                              llvm::ArrayRef<Amount> others);

/// The largest of them; 0 where there is no time.
Amount peakOf(llvm::ArrayRef<Interval> intervals,
              llvm::ArrayRef<Amount> others);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_INTERVALPACKING_H
