//===- Recipe.h - How a value is computed -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0
//
// What a cache knows of a value: the operator and the recipes of its inputs, or
// a constant. The key is computed from them at the first call of key(); before
// that no constant is read.
//
// Ownership: shared. A recipe holds the recipes of its inputs, and the elements
// of a constant, until it has its key.
// Thread safety: key() may be called from any thread.
//
//===----------------------------------------------------------------------===//
#ifndef ONNXFOLD_CONSTPROP_INTERNAL_RECIPE_H
#define ONNXFOLD_CONSTPROP_INTERNAL_RECIPE_H

#include "onnxfold/constprop/EvaluationOptions.h"
#include "onnxfold/constprop/ResultCache.h"
#include <mutex>

namespace onnxfold {

class Recipe;
using RecipeRef = llvm::IntrusiveRefCntPtr<Recipe>;

class Recipe : public llvm::ThreadSafeRefCountedBase<Recipe> {
public:
  /// The recipe of a constant.
  explicit Recipe(const Elements &constant)
      : constant(constant), constantBytes(constant.bytes()) {}
  /// The recipe of a result: `words` describe the operator (wordsOf), which
  /// computes it from `inputs`; `work` is the work of this operator.
  Recipe(llvm::SmallVector<uint64_t, 0> words, std::vector<RecipeRef> inputs,
         double work);

  /// The key. The first call hashes the constants.
  ResultCache::Key key();

  /// The work of all operators between the constants and the value.
  double totalWork() const { return work; }
  /// The bytes of all constants. A constant that is used twice counts twice.
  uint64_t bytesOfConstants() const { return constantBytes; }

  /// How many levels of recipes without a key are nested in this one.
  unsigned depth() const { return levels; }
  /// True if reading the value keeps it (storedOnDemand).
  bool isKeptOnDemand() const { return onDemand; }
  void keepOnDemand() { onDemand = true; }

private:
  std::mutex mutex; // guards what key() changes
  bool hasKey = false;
  ResultCache::Key made;
  Elements constant; // null: a result
  llvm::SmallVector<uint64_t, 0> words;
  std::vector<RecipeRef> inputs;

  double work = 0;
  uint64_t constantBytes = 0;
  unsigned levels = 0;
  bool onDemand = false;
};

RecipeRef makeLeafRecipe(const Elements &constant);

/// An operation whose results may be cached.
struct CachedOperation {
  mlir::Operation *op;
  /// The name of its kernel: operations of one name may have several kernels.
  llvm::StringRef kernel;
  int version;
  llvm::ArrayRef<ValueState *> inputs, results;
};

/// The words with which the recipes of the operation's results begin. Two
/// operations with equal words and equal inputs have equal results. Nothing if
/// this does not hold for the operation.
std::optional<llvm::SmallVector<uint64_t, 0>>
wordsOf(const CachedOperation &operation, ResultCache::Key salt,
        Precision precision);

/// True if the size of a result is worth a recipe.
bool mayBeCached(const Elements &value);

/// Takes `value`, which has this recipe, from the cache, or computes it and
/// keeps it there. Returns `value` itself if computing it costs less.
Elements stored(const Elements &value, Recipe &recipe, ResultCache &cache);

/// The same, but the cache is asked when the value is read. Only for a value
/// whose operator does so much work that keeping the value costs next to
/// nothing; returns other values unchanged.
Elements storedOnDemand(const Elements &value, const RecipeRef &recipe,
                        double work, ResultCache &cache);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_RECIPE_H
