//===- LinearScan.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/LinearScan.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <map>
#include <queue>
#include <set>

using namespace onnxfold::deallocation;

namespace {

/// The pressure less the limit at each point: a segment tree of maxima.
class PressureTree {
public:
  explicit PressureTree(llvm::ArrayRef<Amount> values)
      : size(llvm::bit_ceil(std::max<size_t>(values.size(), 1))),
        most(2 * size), added(2 * size) {
    std::copy(values.begin(), values.end(), most.begin() + size);
    for (size_t node = size - 1; node > 0; --node)
      most[node] = largest(most[2 * node], most[2 * node + 1]);
  }

  void add(unsigned from, unsigned to, Amount amount) {
    if (from <= to)
      add(1, 0, size - 1, from, to, amount);
  }

  /// Whether `more` keeps the limit at all points from `from` to `to`.
  bool allows(unsigned from, unsigned to, Amount more) const {
    return from > to || more == Amount() ||
           max(1, 0, size - 1, from, to) + more <= Amount();
  }

private:
  void add(size_t node, unsigned low, unsigned high, unsigned from, unsigned to,
           Amount amount) {
    if (to < low || high < from)
      return;
    if (from <= low && high <= to) {
      most[node] += amount;
      added[node] += amount;
      return;
    }
    unsigned middle = (low + high) / 2;
    add(2 * node, low, middle, from, to, amount);
    add(2 * node + 1, middle + 1, high, from, to, amount);
    most[node] = largest(most[2 * node], most[2 * node + 1]) + added[node];
  }

  Amount max(size_t node, unsigned low, unsigned high, unsigned from,
             unsigned to) const {
    if (to < low || high < from)
      return {INT64_MIN / 2, INT64_MIN / 2};
    if (from <= low && high <= to)
      return most[node];
    unsigned middle = (low + high) / 2;
    return largest(max(2 * node, low, middle, from, to),
                   max(2 * node + 1, middle + 1, high, from, to)) +
           added[node];
  }

  size_t size;
  std::vector<Amount> most, added;
};

std::vector<Amount> excess(llvm::ArrayRef<LiveInterval> intervals,
                           llvm::ArrayRef<Amount> background,
                           llvm::ArrayRef<Amount> limits) {
  std::vector<Amount> pressure = pressureOf(intervals, background);
  for (auto [live, limit] : llvm::zip(pressure, limits))
    live = live - raisedLimit(live, limit);
  return pressure;
}

class LinearScan {
public:
  LinearScan(llvm::ArrayRef<LiveInterval> intervals,
             llvm::ArrayRef<Amount> background, llvm::ArrayRef<Amount> limit)
      : intervals(intervals), pressure(excess(intervals, background, limit)) {}

  std::vector<Slot> run() {
    for (unsigned index = 0; index < intervals.size(); ++index) {
      expireSlots(intervals[index].start);
      place(index);
    }
    return std::move(slots);
  }

private:
  /// The state of a slot besides its members.
  struct State {
    unsigned start, end;
    int64_t alignment;
    unsigned type, space;
    bool viewable, liveIn;
  };

  static bool hasExpired(unsigned end, unsigned point) { return end < point; }

  /// Slots of several types are memrefs of i8, of which each buffer is a view.
  static bool canBeView(const LiveInterval &interval) {
    return interval.viewable && !interval.liveIn;
  }

  bool isAlignedEnough(unsigned slot, const LiveInterval &interval) const {
    return !states[slot].liveIn || interval.alignment <= states[slot].alignment;
  }

  /// The slot with the interval fits at the slot's points, in the hole between
  /// them and the interval, and at the interval's.
  bool keepsPressure(unsigned slot, const LiveInterval &interval) const {
    const State &state = states[slot];
    Amount amount = amountWith(slot, interval);
    return pressure.allows(state.start, state.end, amount - amountOf(slot)) &&
           pressure.allows(state.end + 1, interval.start - 1, amount) &&
           pressure.allows(interval.start, interval.end,
                           amount - interval.amount());
  }

  static bool mayOpenSlot(const LiveInterval &interval) {
    return !interval.optional;
  }

  bool mayJoin(unsigned slot, const LiveInterval &interval) const {
    return isAlignedEnough(slot, interval) && keepsPressure(slot, interval);
  }

  void expireSlots(unsigned point) {
    while (!active.empty() && hasExpired(active.top().first, point)) {
      unsigned slot = active.top().second;
      active.pop();
      if (slots[slot].uniform)
        expiredByType[states[slot].type].push_back(slot);
      if (states[slot].viewable)
        expiredBySize[states[slot].space].insert(
            {slots[slot].size.known, slot});
    }
  }

  void place(unsigned index) {
    const LiveInterval &interval = intervals[index];
    int slot = -1;
    if (!interval.liveIn) {
      slot = slotOfType(interval);
      if (slot < 0 && canBeView(interval))
        slot = smallestSufficientSlot(interval);
      if (slot < 0 && canBeView(interval) && mayOpenSlot(interval))
        slot = largestSmallerSlot(interval);
    }
    if (slot >= 0)
      join(slot, index);
    else if (mayOpenSlot(interval))
      open(index);
  }

  Amount amountOf(unsigned slot) const {
    return slots[slot].size + Amount::ofBytes(states[slot].alignment);
  }

  Amount amountWith(unsigned slot, const LiveInterval &interval) const {
    return largest(slots[slot].size, interval.size) +
           Amount::ofBytes(
               std::max(states[slot].alignment, interval.alignment));
  }

  int slotOfType(const LiveInterval &interval) {
    auto &candidates = expiredByType[interval.type];
    unsigned tries = 8;
    for (size_t at = candidates.size(); at-- > 0 && tries;) {
      unsigned slot = candidates[at];
      // smallestSufficientSlot may have taken it since it expired.
      bool taken =
          !slots[slot].uniform || !hasExpired(states[slot].end, interval.start);
      bool found = !taken && mayJoin(slot, interval);
      if (taken || found)
        candidates.erase(candidates.begin() + at);
      if (found)
        return slot;
      tries -= !taken;
    }
    return -1;
  }

  int smallestSufficientSlot(const LiveInterval &interval) {
    auto &expired = expiredBySize[interval.space];
    unsigned tries = 8; // mostly, larger slots fail for the same reason
    for (auto entry = expired.lower_bound({interval.size.known, 0});
         entry != expired.end() && tries--; ++entry)
      if (mayJoin(entry->second, interval))
        return entry->second;
    return -1;
  }

  int largestSmallerSlot(const LiveInterval &interval) {
    auto &expired = expiredBySize[interval.space];
    unsigned tries = 8;
    for (auto entry = expired.lower_bound({interval.size.known, 0});
         entry != expired.begin() && tries--;)
      if (mayJoin((--entry)->second, interval))
        return entry->second;
    return -1;
  }

  void open(unsigned index) {
    const LiveInterval &interval = intervals[index];
    slots.push_back({{index}, interval.size});
    states.push_back({interval.start, interval.end, interval.alignment,
                      interval.type, interval.space, canBeView(interval),
                      interval.liveIn});
    activate(interval, slots.size() - 1);
  }

  void join(unsigned slot, unsigned index) {
    const LiveInterval &interval = intervals[index];
    State &state = states[slot];
    if (state.viewable)
      expiredBySize[state.space].erase({slots[slot].size.known, slot});
    Amount amount = amountWith(slot, interval);
    pressure.add(state.start, state.end, amount - amountOf(slot));
    pressure.add(state.end + 1, interval.start - 1, amount);
    pressure.add(interval.start, interval.end, amount - interval.amount());
    slots[slot].size = largest(slots[slot].size, interval.size);
    slots[slot].members.push_back(index);
    slots[slot].uniform &= interval.type == state.type;
    state.end = interval.end;
    state.alignment = std::max(state.alignment, interval.alignment);
    state.viewable &= interval.viewable;
    activate(interval, slot);
  }

  /// A slot whose last interval is live-out never expires.
  void activate(const LiveInterval &interval, unsigned slot) {
    if (!interval.liveOut)
      active.push({interval.end, slot});
  }

  llvm::ArrayRef<LiveInterval> intervals;
  PressureTree pressure;
  std::vector<Slot> slots;
  std::vector<State> states;
  std::map<unsigned, std::vector<unsigned>> expiredByType;
  std::map<unsigned, std::set<std::pair<int64_t, unsigned>>> expiredBySize;
  using EndAndSlot = std::pair<unsigned, unsigned>;
  std::priority_queue<EndAndSlot, std::vector<EndAndSlot>,
                      std::greater<EndAndSlot>>
      active;
};

} // namespace

Amount onnxfold::deallocation::largestOf(llvm::ArrayRef<Amount> amounts) {
  Amount most;
  for (Amount amount : amounts)
    most = largest(most, amount);
  return most;
}

std::vector<Amount>
onnxfold::deallocation::pressureOf(llvm::ArrayRef<LiveInterval> intervals,
                                   llvm::ArrayRef<Amount> background) {
  std::vector<Amount> change(background.size() + 1);
  for (const LiveInterval &interval : intervals) {
    if (interval.liveIn)
      continue;
    change[interval.start] += interval.amount();
    change[interval.end + 1] += Amount() - interval.amount();
  }
  std::vector<Amount> pressure(background.begin(), background.end());
  Amount live;
  for (size_t point = 0; point < pressure.size(); ++point)
    pressure[point] += live += change[point];
  return pressure;
}

Amount onnxfold::deallocation::peakOf(llvm::ArrayRef<LiveInterval> intervals,
                                      llvm::ArrayRef<Amount> background) {
  return largestOf(pressureOf(intervals, background));
}

std::vector<Slot>
onnxfold::deallocation::assignSlots(llvm::ArrayRef<LiveInterval> intervals,
                                    llvm::ArrayRef<Amount> background,
                                    llvm::ArrayRef<Amount> limit) {
  return LinearScan(intervals, background, limit).run();
}
