//===- IntervalPacking.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/dealloc/reuse/internal/IntervalPacking.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <map>
#include <queue>
#include <set>

using namespace onnxfold::deallocation;

namespace {

/// By time, how much more is alive than allowed (mostly less): adds to ranges,
/// and the largest of a range.
class Profile {
public:
  explicit Profile(llvm::ArrayRef<Amount> values)
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

  /// Whether `more` fits at all times from `from` to `to`.
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

std::vector<Amount> excess(llvm::ArrayRef<Interval> intervals,
                           llvm::ArrayRef<Amount> others,
                           llvm::ArrayRef<Amount> allowed) {
  std::vector<Amount> profile = profileOf(intervals, others);
  for (auto [alive, limit] : llvm::zip(profile, allowed))
    alive = alive - allowedFor(alive, limit);
  return profile;
}

class Packer {
public:
  Packer(llvm::ArrayRef<Interval> intervals, llvm::ArrayRef<Amount> others,
         llvm::ArrayRef<Amount> allowed)
      : intervals(intervals), profile(excess(intervals, others, allowed)) {}

  std::vector<Pool> run() {
    for (unsigned index = 0; index < intervals.size(); ++index) {
      release(intervals[index].start);
      place(index);
    }
    return std::move(pools);
  }

private:
  /// What a pool is besides its members.
  struct State {
    unsigned start, end;
    int64_t alignment;
    unsigned kind, space;
    bool flexible, given;
  };

  void release(unsigned time) {
    while (!busy.empty() && busy.top().first < time) {
      unsigned pool = busy.top().second;
      busy.pop();
      if (pools[pool].uniform)
        freeByKind[states[pool].kind].push_back(pool);
      if (states[pool].flexible)
        freeBySize[states[pool].space].insert({pools[pool].size.known, pool});
    }
  }

  void place(unsigned index) {
    const Interval &interval = intervals[index];
    int pool = -1;
    if (!interval.given) {
      pool = ofKind(interval);
      if (pool < 0 && interval.flexible)
        pool = largeEnough(interval);
      if (pool < 0 && interval.flexible && !interval.optional)
        pool = tooSmall(interval);
    }
    if (pool >= 0)
      join(pool, index);
    else if (!interval.optional)
      open(index);
  }

  Amount amountOf(unsigned pool) const {
    return pools[pool].size + Amount::ofBytes(states[pool].alignment);
  }

  /// What a pool needs with one more member.
  Amount amountWith(unsigned pool, const Interval &interval) const {
    return largest(pools[pool].size, interval.size) +
           Amount::ofBytes(
               std::max(states[pool].alignment, interval.alignment));
  }

  /// Whether a pool may take an interval: what it then needs fits in up to and
  /// during the interval.
  bool fits(unsigned pool, const Interval &interval) const {
    const State &state = states[pool];
    Amount amount = amountWith(pool, interval);
    return profile.allows(state.start, state.end, amount - amountOf(pool)) &&
           profile.allows(state.end + 1, interval.start - 1, amount) &&
           profile.allows(interval.start, interval.end,
                          amount - interval.amount());
  }

  bool aligned(unsigned pool, const Interval &interval) const {
    return !states[pool].given || interval.alignment <= states[pool].alignment;
  }

  int ofKind(const Interval &interval) {
    auto &candidates = freeByKind[interval.kind];
    unsigned tries = 8;
    for (size_t at = candidates.size(); at-- > 0 && tries;) {
      unsigned pool = candidates[at];
      // Taken for another kind since: no longer of this one.
      bool stale = !pools[pool].uniform;
      bool found = !stale && aligned(pool, interval) && fits(pool, interval);
      if (stale || found)
        candidates.erase(candidates.begin() + at);
      if (found)
        return pool;
      tries -= !stale;
    }
    return -1;
  }

  int largeEnough(const Interval &interval) {
    auto &free = freeBySize[interval.space];
    unsigned tries = 8; // the next larger ones fail for the same reason
    for (auto entry = free.lower_bound({interval.size.known, 0});
         entry != free.end() && tries--; ++entry)
      if (fits(entry->second, interval))
        return entry->second;
    return -1;
  }

  int tooSmall(const Interval &interval) {
    auto &free = freeBySize[interval.space];
    unsigned tries = 8;
    for (auto entry = free.lower_bound({interval.size.known, 0});
         entry != free.begin() && tries--;)
      if (fits((--entry)->second, interval))
        return entry->second;
    return -1;
  }

  void open(unsigned index) {
    const Interval &interval = intervals[index];
    pools.push_back({{index}, interval.size});
    states.push_back({interval.start, interval.end, interval.alignment,
                      interval.kind, interval.space,
                      interval.flexible && !interval.given, interval.given});
    if (!interval.escapes)
      busy.push({interval.end, pools.size() - 1});
  }

  void join(unsigned pool, unsigned index) {
    const Interval &interval = intervals[index];
    State &state = states[pool];
    if (state.flexible)
      freeBySize[state.space].erase({pools[pool].size.known, pool});
    Amount amount = amountWith(pool, interval);
    profile.add(state.start, state.end, amount - amountOf(pool));
    profile.add(state.end + 1, interval.start - 1, amount);
    profile.add(interval.start, interval.end, amount - interval.amount());
    pools[pool].size = largest(pools[pool].size, interval.size);
    pools[pool].members.push_back(index);
    pools[pool].uniform &= interval.kind == state.kind;
    state.end = interval.end;
    state.alignment = std::max(state.alignment, interval.alignment);
    state.flexible &= interval.flexible;
    if (!interval.escapes)
      busy.push({interval.end, pool});
  }

  llvm::ArrayRef<Interval> intervals;
  Profile profile;
  std::vector<Pool> pools;
  std::vector<State> states;
  std::map<unsigned, std::vector<unsigned>> freeByKind;
  std::map<unsigned, std::set<std::pair<int64_t, unsigned>>> freeBySize;
  using Event = std::pair<unsigned, unsigned>;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> busy;
};

} // namespace

std::vector<Amount>
onnxfold::deallocation::profileOf(llvm::ArrayRef<Interval> intervals,
                                  llvm::ArrayRef<Amount> others) {
  std::vector<Amount> change(others.size() + 1);
  for (const Interval &interval : intervals) {
    if (interval.given)
      continue;
    change[interval.start] += interval.amount();
    change[interval.end + 1] += Amount() - interval.amount();
  }
  std::vector<Amount> profile(others.begin(), others.end());
  Amount alive;
  for (size_t time = 0; time < profile.size(); ++time)
    profile[time] += alive += change[time];
  return profile;
}

Amount onnxfold::deallocation::peakOf(llvm::ArrayRef<Interval> intervals,
                                      llvm::ArrayRef<Amount> others) {
  Amount peak;
  for (Amount alive : profileOf(intervals, others))
    peak = largest(peak, alive);
  return peak;
}

std::vector<Pool>
onnxfold::deallocation::packIntervals(llvm::ArrayRef<Interval> intervals,
                                      llvm::ArrayRef<Amount> others,
                                      llvm::ArrayRef<Amount> allowed) {
  return Packer(intervals, others, allowed).run();
}
