//===- NGrams.cpp - Counting n-grams for TfIdfVectorizer ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/kernels/support/NGrams.h"

using namespace onnxfold;

ReasonOr<NGrams> NGrams::read(FoldContext &cx) {
  NGrams grams;
  grams.shortest = cx.integer("min_gram_length").value_or(0);
  grams.longest = cx.integer("max_gram_length").value_or(0);
  grams.skips = cx.integer("max_skip_count").value_or(-1);
  grams.indexes = cx.ints("ngram_indexes").value_or(Shape());
  Shape starts = cx.ints("ngram_counts").value_or(Shape());
  if (grams.shortest < 1 || grams.longest < grams.shortest || grams.skips < 0 ||
      grams.longest > int64_t(starts.size()))
    return invalid("the lengths " + llvm::Twine(grams.shortest) + " to " +
                   llvm::Twine(grams.longest) + " with " +
                   llvm::Twine(grams.skips) + " skips do not fit n-grams of " +
                   llvm::Twine(starts.size()) + " lengths");
  if (grams.indexes.empty() || *llvm::min_element(grams.indexes) < 0 ||
      *llvm::max_element(grams.indexes) == INT64_MAX)
    return invalid("attribute 'ngram_indexes' is empty or names no column");
  ReasonOr<Shape> pool = grams.readPool(cx);
  if (!pool)
    return pool.reason();
  if (Reason wrong = grams.readGrams(std::move(starts), *pool))
    return wrong;
  return grams;
}

/// The pool cut into n-grams: those of each length begin at `starts`.
Reason NGrams::readGrams(Shape starts, ShapeRef pool) {
  starts.push_back(pool.size());
  for (int64_t length = 1; length < int64_t(starts.size()); ++length) {
    int64_t begin = starts[length - 1], end = starts[length];
    if (begin < 0 || begin > end || end > int64_t(pool.size()) ||
        (end - begin) % length != 0)
      return invalid("attribute 'ngram_counts' does not cut the pool into "
                     "n-grams of length " +
                     llvm::Twine(length));
    for (; begin < end; begin += length, ++numGrams)
      if (length >= shortest && length <= longest)
        if (Reason twice = insert(pool.slice(begin, length)))
          return twice;
  }
  if (numGrams > int64_t(indexes.size()))
    return invalid("there are " + llvm::Twine(numGrams) + " n-grams and " +
                   llvm::Twine(indexes.size()) +
                   " of attribute 'ngram_indexes'");
  return {};
}

/// The tokens of the pool; a string is the number of the first one like it.
ReasonOr<Shape> NGrams::readPool(FoldContext &cx) {
  std::optional<Shape> numbers = cx.ints("pool_int64s");
  auto strings = cx.strings("pool_strings");
  // Writers leave the one that is not meant empty.
  if (numbers && strings && numbers->empty())
    numbers.reset();
  if (numbers && strings && strings->empty())
    strings.reset();
  if (bool(numbers) == bool(strings))
    return invalid("expected one of the attributes 'pool_int64s' and "
                   "'pool_strings'");
  if (numbers)
    return *numbers;
  ofStrings = true;
  Shape pool;
  for (llvm::StringRef word : *strings)
    pool.push_back(tokens.try_emplace(word, tokens.size()).first->second);
  return pool;
}

Reason NGrams::insert(ShapeRef gram) {
  int64_t node = 0;
  for (int64_t token : gram) {
    auto [child, isNew] = children.try_emplace({node, token}, gramAt.size());
    if (isNew)
      gramAt.push_back(-1);
    node = child->second;
  }
  if (gramAt[node] >= 0)
    return invalid("the pool has n-gram " + llvm::Twine(numGrams) + " twice");
  gramAt[node] = numGrams;
  return {};
}

std::vector<int64_t> NGrams::tokensOf(const Elements &x) const {
  std::vector<int64_t> result;
  if (!ofStrings) {
    llvm::SmallVector<int64_t> numbers = x.ints();
    return {numbers.begin(), numbers.end()};
  }
  result.reserve(x.size());
  for (llvm::StringRef word : ElementsArray<llvm::StringRef>(x)) {
    auto it = tokens.find(word);
    result.push_back(it == tokens.end() ? -1 : it->second);
  }
  return result;
}

/// Steps between the tokens of an n-gram that can find something.
int64_t NGrams::distances(int64_t length) const {
  return std::max<int64_t>(1, std::min(skips, length - 2) + 1);
}

double NGrams::work(int64_t length) const {
  // Each step is a search in a table.
  return 10.0 * double(length) * double(distances(length)) * double(longest);
}

void NGrams::count(const int64_t *tokens, int64_t length,
                   int64_t *counts) const {
  for (int64_t step = 1; step <= distances(length); ++step)
    for (int64_t start = 0; start < length; ++start) {
      int64_t node = 0;
      for (int64_t at = start, size = 1; at < length && size <= longest;
           at += step, ++size) {
        auto child = children.find({node, tokens[at]});
        if (child == children.end())
          break;
        node = child->second;
        // One token alone is the same at every distance.
        if (gramAt[node] >= 0 && (size > 1 || step == 1))
          ++counts[gramAt[node]];
      }
    }
}
