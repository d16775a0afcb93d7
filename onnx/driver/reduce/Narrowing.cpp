//===- Narrowing.cpp - The items of a list that a fault needs -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/reduce/internal/Narrowing.h"
#include <algorithm>
#include <cmath>
#include <deque>

using namespace onnxfold;

Narrowing::Narrowing(size_t count, Neighbours neighbours, const Groups &groups)
    : neighbours(std::move(neighbours)) {
  std::vector<bool> isListed(count, false);
  auto add = [&](size_t item) {
    if (!isListed[item])
      open.push_back(item);
    isListed[item] = true;
  };
  for (const std::vector<size_t> &group : groups) {
    for (size_t item : group)
      add(item);
    ends.push_back(int(open.size()));
  }
  for (size_t i = 0; i != count; ++i)
    add(i);
  begin();
  forgetGroups();
}

/// Nothing at all is no model, so that one item alone is needed.
void Narrowing::begin() {
  lo = must.empty() ? 0 : -1;
  hi = int(open.size());
  if (!open.empty() && hi - lo == 1)
    finish();
}

std::set<size_t> Narrowing::items(int cut) const {
  std::set<size_t> result = must;
  result.insert(open.begin(), open.begin() + cut);
  return result;
}

/// The nearest to needed items first; of these the last one, as it was.
void Narrowing::sortOpen() {
  constexpr size_t isFar = SIZE_MAX;
  std::vector<size_t> distances(neighbours.size(), isFar);
  std::deque<size_t> next(must.begin(), must.end());
  for (size_t item : must)
    distances[item] = 0;
  for (; !next.empty(); next.pop_front())
    for (size_t other : neighbours[next.front()])
      if (distances[other] == isFar) {
        distances[other] = distances[next.front()] + 1;
        next.push_back(other);
      }
  std::sort(open.begin(), open.end(), [&](size_t a, size_t b) {
    return distances[a] != distances[b] ? distances[a] < distances[b] : a > b;
  });
}

/// The search is over: the last item of the shortest cut is needed.
void Narrowing::finish() {
  if (hi > 0)
    must.insert(open[hi - 1]);
  open.resize(std::max(hi - 1, 0));
  ends.clear();
  sortOpen();
  begin();
}

std::optional<int> Narrowing::endBetween(int lo, int hi) const {
  for (int end : ends)
    if (lo < end && end < hi)
      return end;
  return std::nullopt;
}

/// Where no group was interesting, the items are in their own order.
void Narrowing::forgetGroups() {
  if (ends.empty() || hi != int(open.size()) || endBetween(lo, hi))
    return;
  ends.clear();
  std::sort(open.begin(), open.end());
  begin();
}

/// The end of a group, and half of an interesting one; without groups as many
/// factors of two are on both sides, as long as there are some.
int Narrowing::middle(int lo, int hi) const {
  if (lo < 0)
    return 0;
  if (std::optional<int> end = endBetween(lo, hi))
    return *end;
  constexpr int isFar = 4;
  if (!ends.empty() || hi <= isFar * (lo + 1))
    return lo + (hi - lo) / 2;
  int middle = int(std::sqrt(double(lo + 1) * double(hi + 1)));
  return std::clamp(middle, lo + 1, hi - 1);
}

Narrowing::Question Narrowing::ask(int lo, int hi) const {
  Question question{lo, hi, {middle(lo, hi)}};
  constexpr int mostAside = 8;
  int cut = question.cuts.front();
  for (int aside = 1; aside <= mostAside && cut != 0; ++aside)
    for (int other : {cut + aside, cut - aside})
      if (other > std::max(lo, 0) && other < hi)
        question.cuts.push_back(other);
  return question;
}

std::vector<Narrowing::Question> Narrowing::questions(size_t most) const {
  std::vector<Question> result;
  std::deque<std::pair<int, int>> next = {{lo, hi}};
  while (!next.empty() && result.size() < most && !isDone()) {
    auto [from, to] = next.front();
    next.pop_front();
    if (to - from < 2)
      continue;
    result.push_back(ask(from, to));
    int cut = result.back().cuts.front();
    next.push_back({cut, to});
    next.push_back({from, cut});
  }
  return result;
}

std::vector<size_t> Narrowing::hear(llvm::ArrayRef<Question> questions,
                                    llvm::ArrayRef<Answer> answers) {
  std::vector<size_t> smaller;
  for (size_t i = 0; i != questions.size(); ++i) {
    const Question &question = questions[i];
    if (question.lo != lo || question.hi != hi)
      continue;
    if (answers[i].isInteresting) {
      hi = *answers[i].cut;
      smaller.push_back(i);
    } else {
      lo = answers[i].cut.value_or(question.cuts.front());
    }
    forgetGroups();
  }
  if (hi - lo == 1)
    finish();
  return smaller;
}
