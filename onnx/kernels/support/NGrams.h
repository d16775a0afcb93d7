//===- NGrams.h - Counting n-grams for TfIdfVectorizer ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// Reads the attributes pool_strings, pool_int64s, ngram_counts, ngram_indexes,
// min_gram_length, max_gram_length and max_skip_count to a tree of tokens, and
// counts the n-grams of rows.
//
//   ReasonOr<NGrams> grams = NGrams::read(cx);
//   if (!grams)
//     return grams.reason();
//   grams->count(grams->tokensOf(x).data(), x.size(), counts.data());
//
// Thread safety: count() may be called from several threads at once.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_ONNX_KERNELS_SUPPORT_NGRAMS_H
#define ONNXFOLD_ONNX_KERNELS_SUPPORT_NGRAMS_H

#include "onnxfold/constprop/KernelRegistry.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace onnxfold {

class NGrams {
public:
  static ReasonOr<NGrams> read(FoldContext &cx);

  /// The number of n-grams.
  int64_t size() const { return numGrams; }
  /// Attribute ngram_indexes: at least size() numbers, none of which is
  /// negative.
  ShapeRef columns() const { return indexes; }

  /// Whether the pool has strings, and the tokens of the tree for the elements
  /// of x. REQUIRES: x has the type of the pool, which is strings or integers.
  bool isOfStrings() const { return ofStrings; }
  std::vector<int64_t> tokensOf(const Elements &x) const;

  /// Adds the number of occurrences of n-gram i in a row of tokens to
  /// counts[i].
  void count(const int64_t *tokens, int64_t length, int64_t *counts) const;
  /// The greatest number of operations that count() takes for a row of that
  /// length.
  double work(int64_t length) const;

private:
  NGrams() : gramAt(1, -1) {}
  ReasonOr<Shape> readPool(FoldContext &cx);
  Reason readGrams(Shape starts, ShapeRef pool);
  Reason insert(ShapeRef gram);
  int64_t distances(int64_t length) const;

  int64_t shortest = 0, longest = 0, skips = 0, numGrams = 0;
  Shape indexes;
  bool ofStrings = false;
  llvm::StringMap<int64_t> tokens; // of a pool of strings
  // Nodes of the tree; 0 is the root.
  llvm::DenseMap<std::pair<int64_t, int64_t>, int64_t> children;
  std::vector<int64_t> gramAt; // negative: none ends here
};

} // namespace onnxfold

#endif // ONNXFOLD_ONNX_KERNELS_SUPPORT_NGRAMS_H
