//===- LinearScan.h - Which live intervals share a storage slot -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Linear scan over live intervals, with slots of different sizes in place of
// registers. It knows numbers only, not the IR. Thread safety: pure functions.
//
//   separate   of two intervals in one slot, one ends before the other starts
//   pressure   for all t: sum of amount(s) over the slots s that are live at t
//              + background(t) <= limit(t)
//
// A slot is live from the start of its first interval to the end of its last.
// Each rule is a predicate of the class LinearScan (LinearScan.cpp):
//
//   hasExpired        the slot's last interval ended before this one starts
//   canBeView         intervals of several types share a slot of their memory
//                     space as views of it
//   isAlignedEnough   a slot that is live-in cannot be aligned any more
//   keepsPressure     the slot with the interval keeps the pressure bounded
//   mayOpenSlot       an optional interval gets no slot of its own
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_REUSE_INTERNAL_LINEARSCAN_H
#define ONNXFOLD_DEALLOC_REUSE_INTERNAL_LINEARSCAN_H

#include "llvm/ADT/ArrayRef.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace onnxfold::deallocation {

/// Bytes of memory. A dynamic size counts as 0 in `known` and as more than all
/// static sizes in `all`; a bound must hold for both.
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
Amount largestOf(llvm::ArrayRef<Amount> amounts);

/// The limit at a point: a pressure that exceeds it already may stay as it is.
inline Amount raisedLimit(Amount pressure, Amount limit) {
  return pressure <= limit ? limit : pressure;
}

/// The program points from `start` to `end`, both included, at which a buffer
/// is live.
struct LiveInterval {
  unsigned start, end;
  Amount size;
  int64_t alignment; ///< that is asked for, 0 if none is
  unsigned type;     ///< number of its type with the values of dynamic sizes
  unsigned space;    ///< number of its memory space
  /// The buffer has a static size and the identity layout, so that it can be a
  /// view of a larger i8 buffer.
  bool viewable;
  /// Allocated before the first point, where its bytes are counted: only from
  /// its end on are they counted here.
  bool liveIn = false;
  /// Live at the last point, because it is passed on or not all of its uses
  /// are known.
  bool liveOut = false;
  /// Gains nothing by a slot of its own: joins another, or is left out.
  bool optional = false;

  /// An aligned allocation takes its alignment in additional bytes.
  Amount amount() const { return size + Amount::ofBytes(alignment); }
};

/// One allocation, and the intervals that share it, ordered by start.
struct Slot {
  std::vector<unsigned> members;
  Amount size;         ///< of the largest
  bool uniform = true; ///< all are of one type
};

/// Each interval joins the slot of its type that expired last, else the
/// smallest expired slot into which it fits, else the largest expired one,
/// which is enlarged, else it opens a slot. Intervals are sorted by `start`;
/// `background[t]` is what else is live at t. Deterministic; time n log n.
std::vector<Slot> assignSlots(llvm::ArrayRef<LiveInterval> intervals,
                              llvm::ArrayRef<Amount> background,
                              llvm::ArrayRef<Amount> limit);

/// The bytes that are live at each point if each interval has its own slot.
std::vector<Amount> pressureOf(llvm::ArrayRef<LiveInterval> intervals,
                               llvm::ArrayRef<Amount> background);

/// The largest pressure; 0 if there are no points.
Amount peakOf(llvm::ArrayRef<LiveInterval> intervals,
              llvm::ArrayRef<Amount> background);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_REUSE_INTERNAL_LINEARSCAN_H
