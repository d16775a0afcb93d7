//===- IntervalPacking.cpp ------------------------------------------------===//
#include "onnxfold/dealloc/IntervalPacking.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <map>
#include <queue>
#include <set>

using namespace onnxfold::deallocation;

namespace {

/// Bytes alive by time: adds to ranges, and the largest of a range.
class Profile {
public:
  explicit Profile(llvm::ArrayRef<int64_t> values)
      : size(llvm::bit_ceil(std::max<size_t>(values.size(), 1))),
        largest(2 * size), added(2 * size) {
    std::copy(values.begin(), values.end(), largest.begin() + size);
    for (size_t node = size - 1; node > 0; --node)
      largest[node] = std::max(largest[2 * node], largest[2 * node + 1]);
  }

  void add(unsigned from, unsigned to, int64_t bytes) {
    if (from <= to && bytes)
      add(1, 0, size - 1, from, to, bytes);
  }

  int64_t max(unsigned from, unsigned to) const {
    return from <= to ? max(1, 0, size - 1, from, to) : 0;
  }

private:
  void add(size_t node, unsigned low, unsigned high, unsigned from, unsigned to,
           int64_t bytes) {
    if (to < low || high < from)
      return;
    if (from <= low && high <= to) {
      largest[node] += bytes;
      added[node] += bytes;
      return;
    }
    unsigned middle = (low + high) / 2;
    add(2 * node, low, middle, from, to, bytes);
    add(2 * node + 1, middle + 1, high, from, to, bytes);
    largest[node] =
        std::max(largest[2 * node], largest[2 * node + 1]) + added[node];
  }

  int64_t max(size_t node, unsigned low, unsigned high, unsigned from,
              unsigned to) const {
    if (to < low || high < from)
      return 0;
    if (from <= low && high <= to)
      return largest[node];
    unsigned middle = (low + high) / 2;
    return std::max(max(2 * node, low, middle, from, to),
                    max(2 * node + 1, middle + 1, high, from, to)) +
           added[node];
  }

  size_t size;
  std::vector<int64_t> largest, added;
};

class Packer {
public:
  Packer(llvm::ArrayRef<Interval> intervals, llvm::ArrayRef<int64_t> others,
         int64_t bound)
      : intervals(intervals), profile(profileOf(intervals, others)),
        bound(bound) {}

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
        freeBySize[states[pool].space].insert({pools[pool].bytes, pool});
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

  /// Whether a pool may be `bytes` large up to and during an interval.
  bool fits(unsigned pool, int64_t bytes, const Interval &interval) const {
    const State &state = states[pool];
    int64_t growth = bytes - pools[pool].bytes;
    auto allows = [&](unsigned from, unsigned to, int64_t more) {
      return from > to || !more || profile.max(from, to) + more <= bound;
    };
    return allows(state.start, state.end, growth) &&
           allows(state.end + 1, interval.start - 1, bytes) &&
           allows(interval.start, interval.end, bytes - interval.bytes);
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
      bool found = !stale && aligned(pool, interval) &&
                   fits(pool, pools[pool].bytes, interval);
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
    for (auto entry = free.lower_bound({interval.bytes, 0});
         entry != free.end() && tries--; ++entry)
      if (fits(entry->second, entry->first, interval))
        return entry->second;
    return -1;
  }

  int tooSmall(const Interval &interval) {
    auto &free = freeBySize[interval.space];
    unsigned tries = 8;
    for (auto entry = free.lower_bound({interval.bytes, 0});
         entry != free.begin() && tries--;)
      if (fits((--entry)->second, interval.bytes, interval))
        return entry->second;
    return -1;
  }

  void open(unsigned index) {
    const Interval &interval = intervals[index];
    pools.push_back({{index}, interval.bytes});
    states.push_back({interval.start, interval.end, interval.alignment,
                      interval.kind, interval.space,
                      interval.flexible && !interval.given, interval.given});
    if (!interval.escapes)
      busy.push({interval.end, pools.size() - 1});
  }

  void join(unsigned pool, unsigned index) {
    const Interval &interval = intervals[index];
    State &state = states[pool];
    int64_t old = pools[pool].bytes;
    if (state.flexible)
      freeBySize[state.space].erase({old, pool});
    int64_t bytes = std::max(old, interval.bytes);
    profile.add(state.start, state.end, bytes - old);
    profile.add(state.end + 1, interval.start - 1, bytes);
    profile.add(interval.start, interval.end, bytes - interval.bytes);
    pools[pool].bytes = bytes;
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
  int64_t bound;
  std::vector<Pool> pools;
  std::vector<State> states;
  std::map<unsigned, std::vector<unsigned>> freeByKind;
  std::map<unsigned, std::set<std::pair<int64_t, unsigned>>> freeBySize;
  using Event = std::pair<unsigned, unsigned>;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> busy;
};

} // namespace

std::vector<int64_t>
onnxfold::deallocation::profileOf(llvm::ArrayRef<Interval> intervals,
                                  llvm::ArrayRef<int64_t> others) {
  std::vector<int64_t> change(others.size() + 1);
  for (const Interval &interval : intervals) {
    change[interval.start] += interval.bytes;
    change[interval.end + 1] -= interval.bytes;
  }
  std::vector<int64_t> profile(others.begin(), others.end());
  int64_t alive = 0;
  for (size_t time = 0; time < profile.size(); ++time)
    profile[time] += alive += change[time];
  return profile;
}

std::vector<Pool>
onnxfold::deallocation::packIntervals(llvm::ArrayRef<Interval> intervals,
                                      llvm::ArrayRef<int64_t> others,
                                      int64_t bound) {
  return Packer(intervals, others, bound).run();
}

int64_t onnxfold::deallocation::peakOf(llvm::ArrayRef<Interval> intervals,
                                       llvm::ArrayRef<int64_t> others) {
  std::vector<int64_t> profile = profileOf(intervals, others);
  return profile.empty() ? 0 : *llvm::max_element(profile);
}
