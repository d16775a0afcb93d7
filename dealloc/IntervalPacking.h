//===- IntervalPacking.h - Which buffers share memory ---------------------===//
//
// Of this folder only. A pure function of numbers: knows no IR.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_DEALLOC_INTERVALPACKING_H
#define ONNXFOLD_DEALLOC_INTERVALPACKING_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace onnxfold::deallocation {

/// A buffer that is alive from `start` to `end`, both included.
struct Interval {
  unsigned start, end;
  int64_t bytes;     ///< 0: not known
  int64_t alignment; ///< that it needs, 0: none in particular
  /// Intervals of one kind can replace each other as they are.
  unsigned kind;
  /// Intervals of one space that are `flexible` can be pieces of memory without
  /// a type, which may be larger than they are.
  unsigned space;
  bool flexible;
  /// Not ours to change: was allocated earlier, with that alignment.
  bool given = false;
  /// Lives on after `end`: nobody can follow it.
  bool escapes = false;
  /// Is worth nothing by itself: joins others or stays away.
  bool optional = false;
};

/// Intervals that share memory, in the order of time.
struct Pool {
  std::vector<unsigned> members;
  int64_t bytes = 0;
  bool uniform = true; ///< all of one kind
};

/// Puts intervals into pools so that no two of a pool overlap: each goes to the
/// pool of its kind that became free last, else to the smallest that it fits
/// into, else the largest becomes larger, else it gets a pool of its own.
/// Members keep memory alive between them; no decision lifts the sum of what
/// is alive above `bound` where it was not above. `others[t]` are bytes that
/// something else needs at time t. Intervals are sorted by `start`. Optional
/// ones that find no pool are in none. Deterministic; time n log n.
std::vector<Pool> packIntervals(llvm::ArrayRef<Interval> intervals,
                                llvm::ArrayRef<int64_t> others, int64_t bound);

/// The bytes alive at each time, each interval by itself.
std::vector<int64_t> profileOf(llvm::ArrayRef<Interval> intervals,
                               llvm::ArrayRef<int64_t> others);

/// The largest of them; 0 where there is no time.
int64_t peakOf(llvm::ArrayRef<Interval> intervals,
               llvm::ArrayRef<int64_t> others);

} // namespace onnxfold::deallocation

#endif // ONNXFOLD_DEALLOC_INTERVALPACKING_H
