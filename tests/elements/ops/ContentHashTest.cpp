//===- ContentHashTest.cpp - Which tensors are equal ----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The independent result is the definition in the header, done naively on all
// bytes; numbers that were written down pin it for other machines.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/ContentHash.h"
#include "onnxfold/elements/memory/Parallel.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/elements/Naive.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace onnxfold;
using namespace onnxfold::ops;

namespace {

std::string word(uint64_t value) {
  return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
}

std::string digest(const std::string &bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()));
  return word(hash.low64) + word(hash.high64);
}

/// The definition, with the pieces that are hashed first.
ContentHash byDefinition(const Elements &x,
                         const std::vector<std::string> &chunks) {
  std::vector<std::string> level;
  for (const std::string &chunk : chunks)
    level.push_back(digest(chunk));
  while (level.size() > 1) {
    std::vector<std::string> next;
    for (size_t i = 0; i < level.size(); ++i) {
      if (i % 4096 == 0)
        next.emplace_back();
      next.back() += level[i];
    }
    for (std::string &group : next)
      group = digest(group);
    level = next;
  }
  std::string words = word(1) + word(uint64_t(x.type())) + word(x.rank());
  for (int64_t dim : x.shape())
    words += word(dim);
  words += level.empty() ? word(0) + word(0) : level[0];
  std::string result = digest(words);
  ContentHash hash;
  std::memcpy(&hash.low, result.data(), 8);
  std::memcpy(&hash.high, result.data() + 8, 8);
  return hash;
}

ContentHash byDefinition(const Elements &x) {
  std::vector<std::string> chunks;
  if (x.type() == DataType::String) {
    auto values = x.values<llvm::StringRef>();
    for (size_t i = 0; i < values.size(); ++i) {
      if (i % 4096 == 0)
        chunks.emplace_back();
      chunks.back() += word(values[i].size()) + values[i].str();
    }
    return byDefinition(x, chunks);
  }
  std::string bytes(x.bytes(), '\0');
  x.read(bytes.data());
  for (size_t i = 0; i < bytes.size(); i += 65536)
    chunks.push_back(bytes.substr(i, 65536));
  return byDefinition(x, chunks);
}

Elements floats(ShapeRef shape) {
  return Elements::build<float>(shape, [](llvm::MutableArrayRef<float> out) {
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = float(i * 2654435761u % 1000003);
  });
}

TEST(ContentHash, IsAsDefined) {
  for (ShapeRef shape : std::initializer_list<Shape>{{},
                                                     {1},
                                                     {3, 5},
                                                     {0},
                                                     {2, 0, 3},
                                                     {16384},
                                                     {16385},
                                                     {7, 5000},
                                                     {300, 301, 7}})
    EXPECT_EQ(contentHash(floats(shape)), byDefinition(floats(shape)))
        << toString(shape);
  // More than one group of chunks: 4099 and a bit.
  Elements bytes = Elements::build<uint8_t>(
      {4099 * 65536 + 5}, [](llvm::MutableArrayRef<uint8_t> out) {
        for (size_t i = 0; i < out.size(); ++i)
          out[i] = uint8_t(i * 2654435761u >> 20);
      });
  EXPECT_EQ(contentHash(bytes), byDefinition(bytes));
}

TEST(ContentHash, ForEveryTypeAndView) {
  Random random(20);
  for (int number = 1; number <= 28; ++number) {
    DataType type = DataType(number);
    if (type == DataType::String)
      continue;
    for (int i = 0; i < 20; ++i) {
      Shape shape = {random.integer(1, 90), random.integer(1, 300)};
      auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(numElements(shape) *
                                                          byteWidth(type));
      for (size_t j = 0; j < buffer->size(); ++j)
        buffer->data()[j] = random.integer(0, 1);
      Elements x = Elements::fromBuffer(type, shape, buffer);
      Elements views[] = {
          x,
          x.transpose({1, 0}),
          x.reshape({shape[1], shape[0]}),
          x.slice({shape[0] - 1, 0}, {shape[0], shape[1]}, {-1, 1}),
          x.slice({0, shape[1] / 2}, {shape[0], shape[1] - shape[1] / 2},
                  {1, 1}),
          x.slice(0, 0, 1).expand({40, shape[1]}),
          x.slice({0, 0}, {1, 1}, {1, 1}).expand({40, 2000})};
      for (const Elements &view : views) {
        ContentHash hash = contentHash(view);
        EXPECT_EQ(hash, byDefinition(view)) << name(type).str();
        EXPECT_EQ(hash, contentHash(view.materialize())) << name(type).str();
      }
    }
  }
}

TEST(ContentHash, OfProgramsAndDeferredValues) {
  Elements x = floats({600, 700});
  auto twice = [](auto v) { return v + v; };
  Elements y = map(map(x, twice), twice);
  EXPECT_EQ(contentHash(y), contentHash(y.materialize()));
  Elements z = y.transpose({1, 0}).reshape({600, 700});
  EXPECT_EQ(contentHash(z), contentHash(z.materialize()));
  EXPECT_NE(contentHash(z), contentHash(y));
  // Wide tensors are what is read of them.
  Elements wide = map(x.widened(), [](auto v) { return v / 3; });
  EXPECT_EQ(contentHash(wide),
            contentHash(map(x, [](auto v) { return v / 3; })));
}

/// Splats of any size, without reading them; 2^44 elements would take hours.
TEST(ContentHash, OfSplats) {
  for (int64_t n :
       {1, 5, 16384, 16385, 16384 * 7, 16384 * 4096 + 3, 16384 * 4097}) {
    Elements splat = Elements::splat<float>({n}, 1.5f);
    std::vector<std::string> chunks;
    std::string full;
    for (int i = 0; i < 16384; ++i)
      full += std::string("\0\0\xc0\x3f", 4);
    for (int64_t i = 0; i < n; i += 16384)
      chunks.push_back(full.substr(0, std::min<int64_t>(16384, n - i) * 4));
    EXPECT_EQ(contentHash(splat), byDefinition(splat, chunks)) << n;
  }
  std::set<ContentHash> hashes;
  for (int64_t n : {1ll << 44, (1ll << 44) + 1, 1ll << 40})
    hashes.insert(contentHash(Elements::splat<double>({n}, 0)));
  EXPECT_EQ(hashes.size(), 3u);
}

TEST(ContentHash, OfStrings) {
  std::vector<std::string> texts;
  for (int i = 0; i < 9000; ++i)
    texts.push_back(std::string(i % 7, 'a') + std::to_string(i % 100));
  std::vector<llvm::StringRef> refs(texts.begin(), texts.end());
  Elements x = Elements::fromStrings({90, 100}, refs);
  EXPECT_EQ(contentHash(x), byDefinition(x));
  // The characters count, not where they lie.
  std::vector<std::string> copies = texts;
  std::vector<llvm::StringRef> copyRefs(copies.begin(), copies.end());
  EXPECT_EQ(contentHash(Elements::fromStrings({90, 100}, copyRefs)),
            contentHash(x));
  Elements view = x.transpose({1, 0});
  EXPECT_EQ(contentHash(view), byDefinition(view));
  Elements splat = x.slice({3, 3}, {1, 1}, {1, 1}).expand({50, 300});
  EXPECT_EQ(contentHash(splat), byDefinition(splat));
  // Where one string ends matters.
  auto two = [](llvm::StringRef a, llvm::StringRef b) {
    return contentHash(Elements::fromStrings({2}, {a, b}));
  };
  EXPECT_NE(two("ab", "c"), two("a", "bc"));
  EXPECT_NE(two("", "a"), two("a", ""));
}

TEST(ContentHash, TellsTypesShapesAndBitsApart) {
  std::set<ContentHash> hashes;
  int different = 0;
  auto add = [&](const Elements &x) {
    hashes.insert(contentHash(x));
    EXPECT_EQ(hashes.size(), size_t(++different));
  };
  for (Shape shape : std::initializer_list<Shape>{
           {6}, {2, 3}, {3, 2}, {1, 6}, {6, 1}, {1, 2, 3}})
    add(Elements::splat<float>(shape, 0));
  add(Elements::splat<int32_t>({6}, 0));
  add(Elements::splat<float>({6}, -0.0f));
  add(Elements::fromValues<float>({0}, {}));
  add(Elements::fromValues<int8_t>({0}, {}));
  add(Elements::fromValues<float>({0, 3}, {}));
  add(Elements::fromValues<float>({}, {0}));
  // Any single bit of a large tensor.
  Elements x = floats({50000});
  add(x);
  std::vector<float> values = x.values<float>();
  for (int64_t i : {0, 16383, 16384, 49999}) {
    std::vector<float> changed = values;
    reinterpret_cast<uint32_t &>(changed[i]) ^= 1;
    add(Elements::fromValues<float>({50000}, changed));
  }
  // Chunks that change places.
  std::vector<float> swapped = values;
  std::swap_ranges(swapped.begin(), swapped.begin() + 16384,
                   swapped.begin() + 16384);
  add(Elements::fromValues<float>({50000}, swapped));
}

TEST(ContentHash, SameWithThreads) {
  Elements x = floats({3000, 1111});
  Elements views[] = {x, x.transpose({1, 0}),
                      map(x, [](auto v) { return v * 3; })};
  for (const Elements &view : views) {
    ContentHash expected = contentHash(view);
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(4));
    ParallelScope scope(pool);
    for (int i = 0; i < 5; ++i)
      EXPECT_EQ(contentHash(view), expected);
  }
}

TEST(Comparison, FindsTheOneElementThatDiffers) {
  Elements x = floats({1500, 700});
  std::vector<float> values = x.values<float>();
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(4));
  for (int64_t at : {-1, 0, 4095, 4096, 524287, 1049999}) {
    std::vector<float> changed = values;
    if (at >= 0)
      changed[at] = -1;
    Elements y = Elements::fromValues<float>(x.shape(), changed);
    Elements moved = y.transpose({1, 0}).materialize().transpose({1, 0});
    Elements lazy = map(y, [](auto v) { return v; });
    for (bool parallel : {false, true}) {
      std::optional<ParallelScope> scope;
      if (parallel)
        scope.emplace(pool);
      for (const Elements &other : {y, moved, lazy}) {
        EXPECT_EQ(x.identicalTo(other), at < 0) << at;
        EXPECT_EQ(other.identicalTo(x), at < 0) << at;
      }
    }
  }
}

TEST(Comparison, ByBytesTypeAndShape) {
  auto nan = [](uint32_t bits) {
    return Elements::build<float>({2}, [=](llvm::MutableArrayRef<float> out) {
      std::memcpy(&out[0], &bits, 4);
      std::memcpy(&out[1], &bits, 4);
    });
  };
  EXPECT_TRUE(nan(0x7fc00000).identicalTo(nan(0x7fc00000)));
  EXPECT_FALSE(nan(0x7fc00000).identicalTo(nan(0x7fc00001)));
  EXPECT_FALSE(nan(0).identicalTo(nan(0x80000000)));
  Elements x = floats({2, 3});
  EXPECT_FALSE(x.identicalTo(x.reshape({3, 2})));
  EXPECT_FALSE(Elements::splat<int32_t>({4}, 1).identicalTo(
      Elements::splat<uint32_t>({4}, 1)));
  EXPECT_TRUE(Elements::splat<int32_t>({1 << 30}, 1)
                  .identicalTo(Elements::splat<int32_t>({1 << 30}, 1)));
  EXPECT_FALSE(Elements::splat<int32_t>({1 << 30}, 1)
                   .identicalTo(Elements::splat<int32_t>({1 << 30}, 2)));
  EXPECT_TRUE(floats({0, 3}).identicalTo(floats({0, 3})));
  EXPECT_FALSE(floats({0, 3}).identicalTo(floats({0, 4})));
  auto strings = [](llvm::StringRef a, llvm::StringRef b) {
    return Elements::fromStrings({2}, {a, b});
  };
  EXPECT_TRUE(strings("ab", "c").identicalTo(strings("ab", "c")));
  EXPECT_FALSE(strings("ab", "c").identicalTo(strings("a", "bc")));
}

/// Hashes that are stored somewhere must not change: a change needs a new
/// format.
TEST(ContentHash, FormatOneStays) {
  auto check = [](const Elements &x, uint64_t low, uint64_t high) {
    ContentHash hash = contentHash(x);
    EXPECT_EQ(hash.low, low) << std::hex << hash.low;
    EXPECT_EQ(hash.high, high) << std::hex << hash.high;
  };
  check(Elements::fromValues<float>({2, 2}, {1, 2, 3, 4}), 0x553bc7a3ac12a63f,
        0x86428bd19a581647);
  check(floats({300, 301}), 0xabb71e3356959c55, 0x56cda0fbe1b3e482);
  check(Elements::fromStrings({2}, {"a", "bc"}), 0x92316393799ec30d,
        0x179623e7fa409b13);
  check(Elements::fromValues<bool>({0}, {}), 0x47b73f95712fa9c0,
        0x3d75a8f0a0ab00a1);
}

} // namespace
