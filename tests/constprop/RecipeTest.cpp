//===- RecipeTest.cpp - How a value comes about ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/Recipe.h"
#include "onnxfold/tests/constprop/TestDialect.h"
#include "gmock/gmock.h"
#include <cstring>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

using namespace onnxfold;
using namespace mlir;

namespace {

using Words = SmallVector<uint64_t, 0>;

Elements numbers(std::initializer_list<float> values) {
  return Elements::fromValues<float>({int64_t(values.size())}, values);
}

/// A result of 64 KiB.
Elements large(float value) {
  return Elements::build<float>({1 << 14}, [&](MutableArrayRef<float> out) {
    std::fill(out.begin(), out.end(), value);
    out[1] = 0;
  });
}

class MemoryCache final : public ResultCache {
public:
  Key salt() const override { return {1, 2}; }
  bool has(const Key &key, DataType, ShapeRef) override {
    ++looks;
    return values.count(key);
  }
  bool read(const Key &key, DataType, ShapeRef, uint64_t offset, uint64_t size,
            char *out) override {
    if (isDamaged)
      return false;
    bytesRead += size;
    std::vector<char> bytes(values.at(key).bytes());
    values.at(key).read(bytes.data());
    std::memcpy(out, bytes.data() + offset, size);
    return true;
  }
  bool keep(const Key &key, const Elements &value) override {
    values[key] = value.materialize();
    return true;
  }
  bool isDamaged = false;
  std::map<Key, Elements> values;
  int looks = 0;
  uint64_t bytesRead = 0;
};

class RecipeTest : public ConstpropTest {
protected:
  /// Of an operation of one constant operand with these attributes.
  std::optional<Words> words(StringRef attributes, StringRef name = "t.neg",
                             int version = 1,
                             Precision precision = Precision::Exact,
                             ResultCache::Key salt = {1, 2},
                             StringRef kernel = "t.neg") {
    parse(("func.func @f(%x: tensor<2xf32>) {\n \"" + name + "\"(%x) {" +
           attributes +
           "} : (tensor<2xf32>) -> tensor<2xf32>\n"
           " return\n}")
              .str());
    Operation *op = nullptr;
    module->walk([&](Operation *inner) {
      if (inner->getName().getStringRef() == name)
        op = inner;
    });
    ValueState input, result;
    input.value = numbers({1, 2});
    input.type = result.type = DataType::Float32;
    ValueState *inputs[] = {&input}, *results[] = {&result};
    return wordsOf({op, kernel, version, inputs, results}, salt, precision);
  }
};

} // namespace

/// What somebody might take for the same.
TEST_F(RecipeTest, attributesCountByNameTypeAndValue) {
  std::vector<Words> seen;
  for (StringRef attributes : {"",
                               "a",
                               "b",
                               "a = 1 : i64",
                               "a = 1 : i32",
                               "a = 1 : ui64",
                               "a = true",
                               "a = 1.0 : f32",
                               "a = 1.0 : f64",
                               "a = \"1\"",
                               "b = 1 : i64",
                               "a = 0.0 : f32",
                               "a = -0.0 : f32",
                               "a = 0x7FC00000 : f32",
                               "a = 0x7FC00001 : f32",
                               "a = 1.00000001 : f64",
                               "a = 1.000000011 : f64",
                               "a = array<i64: 1>",
                               "a = array<i32: 1>",
                               "a = array<i64: 1, 1>",
                               "a = array<f32: 1.0>",
                               "a = array<f32: 1.0000001>",
                               "a = array<f32>",
                               "a = array<i64>",
                               "a = [1]",
                               "a = [[1]]",
                               "a = [1, 1]",
                               "a = []",
                               "a = [[], []]",
                               "a = [[[]]]",
                               "a = [\"1\"]",
                               "a = \"1, 1\"",
                               "a = dense<1> : tensor<1xi64>",
                               "a = dense<1> : tensor<1xi32>",
                               "a = dense<1> : tensor<1x1xi64>",
                               "a = dense<0.0> : tensor<1xf32>",
                               "a = dense<-0.0> : tensor<1xf32>",
                               "a = i64",
                               "a = f32",
                               "a = 1 : i64, b = 2 : i64",
                               "a = 2 : i64, b = 1 : i64"}) {
    std::optional<Words> found = words(attributes);
    ASSERT_TRUE(found) << attributes.str();
    EXPECT_THAT(seen, testing::Not(testing::Contains(*found)))
        << attributes.str();
    EXPECT_EQ(words(attributes), found) << attributes.str();
    seen.push_back(*found);
  }
}

TEST_F(RecipeTest, operatorVersionPrecisionAndProgramCount) {
  Words first = *words("");
  EXPECT_NE(*words("", "t.mul"), first);
  EXPECT_NE(*words("", "t.neg", 2), first);
  EXPECT_NE(*words("", "t.neg", 1, Precision::Wide), first);
  EXPECT_NE(*words("", "t.neg", 1, Precision::Exact, {1, 3}), first);
}

/// QuickGelu of com.microsoft took what was kept of its Gelu: both are an
/// onnx.Custom with one operand and no attributes.
TEST_F(RecipeTest, kernelsOfOneOperationCount) {
  ResultCache::Key salt = {1, 2};
  EXPECT_NE(*words("", "t.neg", 1, Precision::Exact, salt, "t.acme.neg"),
            *words("", "t.neg", 1, Precision::Exact, salt));
}

TEST_F(RecipeTest, anUnknownInputHasNoRecipe) {
  words("");
  ValueState input, result;
  ValueState *inputs[] = {&input}, *results[] = {&result};
  Operation *op = nullptr;
  module->walk([&](Operation *inner) {
    if (inner->getName().getStringRef() == "t.neg")
      op = inner;
  });
  EXPECT_FALSE(
      wordsOf({op, "t.neg", 1, inputs, results}, {}, Precision::Exact));
}

TEST_F(RecipeTest, constantsCountByTheirBits) {
  auto keyOf = [](Elements value) { return makeLeafRecipe(value)->key(); };
  EXPECT_EQ(keyOf(numbers({1, 2})), keyOf(numbers({1, 2})));
  EXPECT_NE(keyOf(numbers({0})), keyOf(numbers({-0.0f})));
  EXPECT_NE(keyOf(numbers({1, 2})), keyOf(numbers({2, 1})));
  EXPECT_NE(keyOf(numbers({1, 2})), keyOf(numbers({1, 2}).reshape({2, 1})));
}

/// What a wide tensor was rounded from decides what is computed from it.
TEST_F(RecipeTest, wideConstantsCountByWhatIsBehindThem) {
  auto rounded = [](double value) {
    return Elements::rounded(Elements::fromValues<double>({1}, {value}),
                             DataType::Float32);
  };
  ASSERT_TRUE(rounded(1).narrowed().identicalTo(rounded(1 + 1e-12).narrowed()));
  EXPECT_NE(makeLeafRecipe(rounded(1))->key(),
            makeLeafRecipe(rounded(1 + 1e-12))->key());
}

TEST_F(RecipeTest, inputsCountInTheirOrder) {
  auto a = makeLeafRecipe(numbers({1})), b = makeLeafRecipe(numbers({2}));
  auto keyOf = [](std::vector<RecipeRef> inputs) {
    return llvm::makeIntrusiveRefCnt<Recipe>(Words{7}, inputs, 1)->key();
  };
  EXPECT_EQ(keyOf({a, b}), keyOf({a, b}));
  EXPECT_NE(keyOf({a, b}), keyOf({b, a}));
  EXPECT_NE(keyOf({a}), keyOf({a, a}));
}

/// Neither keys nor the end of recipes take a frame of the stack each.
TEST_F(RecipeTest, recipesMayBeDeep) {
  RecipeRef last = makeLeafRecipe(numbers({1}));
  for (int i = 0; i < 1000000; ++i)
    last = llvm::makeIntrusiveRefCnt<Recipe>(Words{7},
                                             std::vector<RecipeRef>{last}, 1);
  last->key();
  EXPECT_EQ(last->totalWork(), 1000000);
}

TEST_F(RecipeTest, onlyWhatIsWorthItIsLookedUp) {
  MemoryCache cache;
  Elements value = large(3);
  auto recipe = [&](double work) {
    return Recipe(Words{7}, {makeLeafRecipe(large(1))}, work);
  };
  double bytes = 2 * double(value.bytes());
  Recipe cheap = recipe(bytes), dear = recipe(100 * bytes);
  EXPECT_TRUE(stored(value, cheap, cache).identicalTo(value));
  EXPECT_EQ(cache.looks, 0) << "nothing is hashed";
  EXPECT_TRUE(stored(value, dear, cache).identicalTo(value));
  EXPECT_EQ(cache.values.size(), 1u);
  // From the cache, whatever the value is now.
  EXPECT_TRUE(stored(large(4), dear, cache).identicalTo(value));
  // What proves damaged when it is read is computed and kept again.
  cache.isDamaged = true;
  EXPECT_TRUE(stored(large(4), dear, cache).identicalTo(large(4)));
  EXPECT_TRUE(cache.values.begin()->second.identicalTo(large(4)));
}

/// A writer got the whole value in memory, which was spilled for the next one.
TEST_F(RecipeTest, rangesAreReadUntilOneIsLost) {
  constexpr int64_t perPiece = ResultCache::pieceBytes / sizeof(float);
  MemoryCache cache;
  int computed = 0;
  auto value = [&] {
    return Elements::deferred(DataType::Float32, {4 * perPiece}, {},
                              [&](char *out) {
                                ++computed;
                                auto *floats = reinterpret_cast<float *>(out);
                                std::iota(floats, floats + 4 * perPiece, 0);
                              });
  };
  Recipe dear(Words{7}, {makeLeafRecipe(large(1))}, 1e12);
  stored(value(), dear, cache);
  Elements cached = stored(value(), dear, cache);
  EXPECT_EQ(std::exchange(computed, 0), 1);
  float few[3];
  EXPECT_TRUE(cached.sample({perPiece + 5, perPiece + 6, 0}, few));
  EXPECT_THAT(few, testing::ElementsAre(perPiece + 5, perPiece + 6, 0));
  EXPECT_EQ(std::exchange(cache.bytesRead, 0), 2 * ResultCache::pieceBytes);
  Elements::Reader reader(cached, Elements::Reader::Access::Once);
  std::vector<float> all(4 * perPiece);
  for (int64_t first = 0; first < 4 * perPiece; first += perPiece) {
    cache.isDamaged = first == 2 * perPiece;
    reader.read(first, perPiece, &all[first]);
    EXPECT_EQ(computed, first < 2 * perPiece ? 0 : 1);
  }
  EXPECT_EQ(cache.bytesRead, 2 * ResultCache::pieceBytes);
  for (int64_t i = 0; i < 4 * perPiece; ++i)
    ASSERT_EQ(all[i], float(i));
}

TEST_F(RecipeTest, valuesOnTheWayAreLookedUpWhenTheyAreRead) {
  MemoryCache cache;
  int computed = 0;
  auto compute = [&] {
    Elements value =
        Elements::deferred(DataType::Float32, {1 << 14}, {}, [&](char *out) {
          ++computed;
          large(3).read(out);
        });
    auto recipe = llvm::makeIntrusiveRefCnt<Recipe>(
        Words{7}, std::vector<RecipeRef>{makeLeafRecipe(large(1))}, 1e9);
    return storedOnDemand(value, recipe, 1e9, cache);
  };
  Elements first = compute();
  EXPECT_EQ(cache.looks, 0) << "nobody has read it";
  EXPECT_TRUE(first.identicalTo(large(3)));
  EXPECT_EQ(computed, 1);
  EXPECT_TRUE(compute().identicalTo(large(3)));
  EXPECT_EQ(computed, 1) << "the second one is found";
}
