//===- Recipe.h - How a value comes about -----------------------*- C++ -*-===//
//
// What a cache knows of a value: the operator and the recipes of its inputs, or
// a constant. The key is made of them when somebody asks for it; before that
// nothing is read.
//
// Ownership: shared; a recipe holds those that it is made of, and the elements
// of constants, until it has its key.
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
  /// Of a constant.
  explicit Recipe(const Elements &constant)
      : constant(constant), constantBytes(constant.bytes()) {}
  /// Of a result that an operator, with all that is said of it in `words`, gives
  /// for these inputs with so much work.
  Recipe(llvm::SmallVector<uint64_t, 0> words, std::vector<RecipeRef> inputs,
         double work);

  /// Hashes the constants, at the first call.
  ResultCache::Key key();

  /// Of all operators between the constants and the value.
  double totalWork() const { return work; }
  /// Of all constants. One that is used twice counts twice.
  uint64_t bytesOfConstants() const { return constantBytes; }

  /// Of recipes in each other that have no key yet.
  unsigned depth() const { return levels; }
  /// Reading the value keeps it (storedOnDemand).
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

/// What an operator is, but for its inputs.
struct CachedOperation {
  mlir::Operation *op;
  /// Which kernel computes it: operations of one name may have several.
  llvm::StringRef kernel;
  int version;
  llvm::ArrayRef<ValueState *> inputs, results;
};

/// Recipes of results begin with these words: the same operator gives the same
/// for the same inputs. Nothing if that cannot be said of the operation.
std::optional<llvm::SmallVector<uint64_t, 0>>
wordsOf(const CachedOperation &operation, ResultCache::Key salt,
        Precision precision);

/// A result of that many bytes is worth a recipe.
bool mayBeCached(const Elements &value);

/// `value`, which has this recipe, from the cache, or computed and kept there;
/// itself, if it costs less to compute.
Elements stored(const Elements &value, Recipe &recipe, ResultCache &cache);

/// The same when somebody reads it, if an operator of so much work computes it
/// that keeping it costs next to nothing.
Elements storedOnDemand(const Elements &value, RecipeRef recipe, double work,
                        ResultCache &cache);

} // namespace onnxfold

#endif // ONNXFOLD_CONSTPROP_INTERNAL_RECIPE_H
