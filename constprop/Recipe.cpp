//===- Recipe.cpp - How a value comes about -------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/Recipe.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cstring>

using namespace onnxfold;
using namespace mlir;

using Words = SmallVector<uint64_t, 0>;

ResultCache::~ResultCache() = default;

/// Smaller values are computed in the time that it takes to open a file.
static constexpr uint64_t leastBytes = 64 << 10;

/// Units of work for each byte that is read instead: of constants, to hash them,
/// and of the value itself. A unit is at most a tenth of a nanosecond, and half
/// of that on most machines, so this is about 0.6 ns; a transposition of floats
/// counts 5 for each byte, and takes less time than it takes to read it.
static constexpr double unitsOfByte = 12;

/// The same for an intermediate value: to write it, perhaps for nothing, takes
/// a tenth of the time that it takes to compute it.
static constexpr double unitsOfDearByte = 10 * unitsOfByte;

/// The limit on nested recipes: a deeper one gets its key at once, so that
/// neither this nor its destruction needs a large stack.
static constexpr unsigned mostLevels = 64;

/// Intermediate values are looked up that have at most so many operators below
/// them: elements do not see the depth of what is computed behind a look-up.
static constexpr unsigned mostLevelsOnDemand = 8;

static ResultCache::Key hashBytes(const void *data, size_t size) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits({static_cast<const uint8_t *>(data), size});
  return {hash.low64, hash.high64};
}

static void append(Words &words, const ResultCache::Key &key) {
  words.push_back(key.low);
  words.push_back(key.high);
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

Recipe::Recipe(Words words, std::vector<RecipeRef> given, double work)
    : words(std::move(words)), inputs(std::move(given)), work(work) {
  for (const RecipeRef &input : inputs) {
    this->work += input->work;
    constantBytes += input->constantBytes;
    levels = std::max(levels, input->levels + 1);
  }
  if (levels < mostLevels)
    return;
  key();
  levels = 0;
}

ResultCache::Key Recipe::key() {
  std::lock_guard<std::mutex> lock(mutex);
  if (std::exchange(hasKey, true))
    return made;
  if (constant) {
    append(words, ops::contentHash(constant.narrowed()));
    if (constant.isWide()) // what it was rounded from decides
      append(words, ops::contentHash(constant.unrounded()));
  }
  for (const RecipeRef &input : inputs)
    append(words, input->key());
  made = hashBytes(words.data(), words.size() * sizeof(uint64_t));
  constant = Elements();
  words = Words();
  inputs = {};
  return made;
}

RecipeRef onnxfold::makeLeafRecipe(const Elements &constant) {
  return llvm::makeIntrusiveRefCnt<Recipe>(constant);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

static void append(Words &words, StringRef text) {
  append(words, hashBytes(text.data(), text.size()));
}

/// Attributes that differ in value or type give other words.
static void append(Words &words, Attribute attribute) {
  append(words, attribute.getAbstractAttribute().getName());
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    words.push_back(array.size());
    for (Attribute element : array)
      append(words, element);
    return;
  }
  if (auto tensor = dyn_cast<ElementsAttr>(attribute))
    if (Elements elements = fromAttribute(tensor))
      return append(words, ops::contentHash(elements));
  // Their text has six digits.
  if (auto numbers = dyn_cast<DenseArrayAttr>(attribute)) {
    ArrayRef<char> bytes = numbers.getRawData();
    append(words, StringRef(bytes.data(), bytes.size()));
    attribute = TypeAttr::get(numbers.getElementType());
  }
  // Other texts say the type of a number, and all digits.
  std::string text;
  llvm::raw_string_ostream out(text);
  attribute.print(out);
  append(words, text);
}

std::optional<Words> onnxfold::wordsOf(const CachedOperation &operation,
                                       ResultCache::Key salt,
                                       Precision precision) {
  Operation *op = operation.op;
  // A body, and what it reads from outside, decide the value too.
  if (op->getNumRegions() != 0)
    return std::nullopt;
  Words words;
  append(words, salt);
  append(words, op->getName().getStringRef());
  append(words, operation.kernel);
  words.push_back(uint64_t(operation.version));
  words.push_back(uint64_t(precision));
  words.push_back(op->getNumOperands());
  for (const ValueState *input : operation.inputs) {
    if (!input->absent && !input->isConstant())
      return std::nullopt;
    words.push_back(input->absent);
  }
  words.push_back(op->getNumResults());
  for (const ValueState *result : operation.results)
    words.push_back(uint64_t(result->type) << 1 | uint64_t(result->absent));
  for (NamedAttribute attribute : op->getAttrDictionary()) {
    append(words, attribute.getName().getValue());
    append(words, attribute.getValue());
  }
  return words;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

bool onnxfold::mayBeCached(const Elements &value) {
  return value && value.type() != DataType::String &&
         value.type() != DataType::Opaque && value.bytes() >= leastBytes &&
         !value.isSplat();
}

/// The elements of a wide tensor, rounded, are another value than itself.
static ResultCache::Key keyOfRounded(Recipe &recipe) {
  Words words = {1};
  append(words, recipe.key());
  return hashBytes(words.data(), words.size() * sizeof(uint64_t));
}

/// Keeps the elements of `value`, which are in memory.
static void keepBytes(const Elements &value, const ResultCache::Key &key,
                      char *bytes, ResultCache &cache) {
  cache.keep(key, Elements::fromBuffer(value.type(), value.shape(),
                                       foreignBuffer({bytes, value.bytes()})));
}

/// The whole value of the cache, which is kept there again if it was lost.
static void readOrCompute(const Elements &value, const ResultCache::Key &key,
                          ResultCache &cache, char *out) {
  if (cache.read(key, value.type(), value.shape(), 0, value.bytes(), out))
    return;
  value.read(out);
  keepBytes(value, key, out, cache);
}

namespace {

/// A value that is read from the cache when it is needed, a range at a time
/// where that is all that is needed. What the cache has lost is computed.
class CachedBuffer final : public DeferredBuffer {
public:
  CachedBuffer(const Elements &value, const ResultCache::Key &key,
               ResultCache &cache)
      : DeferredBuffer(value.bytes(),
                       [value, key, &cache](char *out) {
                         readOrCompute(value, key, cache, out);
                       }),
        key(key), type(value.type()), shape(value.shape()), cache(cache) {
    // The buffer owns the function.
    setSample([this](const SampleRequest &request) { return look(request); });
  }

  bool readRange(uint64_t offset, uint64_t size, char *out) override {
    if (size == 0 ||
        (!isComputed() && cache.read(key, type, shape, offset, size, out)))
      return true;
    settle(); // each of the other ranges would compute all of them
    BufferPin pin(this);
    std::memcpy(out, pin.data() + offset, size);
    return true;
  }

private:
  /// Positions are near each other: a piece is read for all that are in it.
  bool look(const SampleRequest &request) {
    constexpr uint64_t most = ResultCache::pieceBytes;
    HeapBuffer piece(std::min(most, size()));
    uint64_t begin = 0, end = 0;
    for (auto [i, position] : llvm::enumerate(request.positions)) {
      uint64_t offset = position * request.width;
      if (offset < begin || offset >= end) {
        begin = offset / most * most;
        end = std::min(begin + most, size());
        if (!cache.read(key, type, shape, begin, end - begin, piece.data()))
          return false;
      }
      std::memcpy(request.out + i * request.width,
                  piece.data() + (offset - begin), request.width);
    }
    return true;
  }

  ResultCache::Key key;
  DataType type;
  Shape shape;
  ResultCache &cache;
};

} // namespace

static Elements readOnDemand(const Elements &value, const ResultCache::Key &key,
                             ResultCache &cache) {
  return Elements::fromBuffer(
      value.type(), value.shape(),
      llvm::makeIntrusiveRefCnt<CachedBuffer>(value, key, cache));
}

Elements onnxfold::stored(const Elements &value, Recipe &recipe,
                          ResultCache &cache) {
  double read = double(value.bytes()) + double(recipe.bytesOfConstants());
  if (!mayBeCached(value) || recipe.totalWork() < unitsOfByte * read)
    return value;
  ResultCache::Key key = keyOfRounded(recipe);
  if (cache.has(key, value.type(), value.shape()))
    return readOnDemand(value, key, cache);
  if (recipe.isKeptOnDemand() || !cache.keep(key, value))
    return value;
  return readOnDemand(value, key, cache);
}

Elements onnxfold::storedOnDemand(const Elements &value,
                                  const RecipeRef &recipe, double work,
                                  ResultCache &cache) {
  double read = double(value.bytes()) + double(recipe->bytesOfConstants());
  if (!mayBeCached(value) || value.isWide() || work < unitsOfDearByte * read ||
      recipe->depth() > mostLevelsOnDemand)
    return value;
  recipe->keepOnDemand();
  // The value is no operand: those are computed before they are asked for.
  return Elements::deferred(
      value.type(), value.shape(), {}, [value, recipe, &cache](char *out) {
        ResultCache::Key key = keyOfRounded(*recipe);
        if (cache.has(key, value.type(), value.shape()) &&
            cache.read(key, value.type(), value.shape(), 0, value.bytes(), out))
          return;
        value.read(out);
        keepBytes(value, key, out, cache);
      });
}
