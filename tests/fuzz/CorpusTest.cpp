//===- CorpusTest.cpp - The corpus of the fuzz targets --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Replays tests/fuzz/corpus through the entry points of libFuzzer, and damaged
// copies of it. What a fuzzer found and was fixed lies there too, as
// found-*.onnx with its story in corpus/README.md.
//
//===----------------------------------------------------------------------===//
#include "FuzzTargets.h"
#include "onnxfold/tests/fuzz/Mutations.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

using namespace onnxfold;

namespace {

using Inputs = std::map<std::string, std::string>;

/// The files of the folder of a target; of those that read protobuf, which
/// share theirs, the files themselves.
Inputs corpus(llvm::StringRef target = "") {
  Inputs files;
  for (const auto &entry : std::filesystem::directory_iterator(
           std::filesystem::path(ONNXFOLD_FUZZ_CORPUS) / target.str()))
    if (entry.is_regular_file() && entry.path().extension() != ".md") {
      auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
      files[entry.path().filename().string()] = (*buffer)->getBuffer().str();
    }
  return files;
}

std::string flipped(std::string bytes, std::minstd_rand &random) {
  for (unsigned flips = 1 + random() % 3; flips > 0 && !bytes.empty(); --flips)
    bytes[random() % bytes.size()] ^= char(1 << random() % 8);
  return bytes;
}

/// Seeds are legal models, or they would lead a fuzzer nowhere.
TEST(Corpus, SeedsFold) {
  unsigned seeds = 0;
  for (const auto &[name, bytes] : corpus()) {
    SCOPED_TRACE(name);
    FuzzOutcome read = fuzzReader(bytes), folded = fuzzFold(bytes),
                converted = fuzzOpset(bytes);
    if (name.starts_with("seed-")) {
      EXPECT_EQ(read, FuzzOutcome::Read);
      EXPECT_EQ(folded, FuzzOutcome::Folded);
      EXPECT_EQ(converted, FuzzOutcome::Folded);
      ++seeds;
    }
  }
  EXPECT_GE(seeds, 10u);
}

/// Every prefix: a reader that trusts a length reads beyond the end.
TEST(Corpus, CutOffAnywhere) {
  for (const auto &[name, bytes] : corpus()) {
    SCOPED_TRACE(name);
    for (size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 40)
      fuzzReader(llvm::StringRef(bytes).take_front(size));
  }
}

/// What a fuzzer does first, on every machine that has no clang.
TEST(Corpus, FlippedBytes) {
  std::minstd_rand random(20261122);
  unsigned outcomes[3] = {};
  for (const auto &[name, bytes] : corpus()) {
    SCOPED_TRACE(name);
    for (unsigned i = 0; i < 20; ++i)
      ++outcomes[unsigned(fuzzFold(flipped(bytes, random)))];
  }
  // Some damage is refused and some is survived, or this test tests nothing.
  EXPECT_GT(outcomes[unsigned(FuzzOutcome::Refused)], 0u);
  EXPECT_GT(outcomes[unsigned(FuzzOutcome::Folded)], 0u);
}

/// One to four of the changes that models get, in a text or a table.
std::string changed(std::string bytes, std::minstd_rand &random) {
  constexpr size_t most = 1 << 16;
  for (unsigned changes = 1 + random() % 4; changes > 0; --changes)
    bytes = changeSomeBytes(bytes, most, random);
  return bytes;
}

/// The other targets: each input as it is, cut off, and damaged; ONNXFOLD_LONG
/// asks for 20,000 changed ones of each.
class OtherCorpus : public testing::TestWithParam<FuzzTarget> {};

TEST_P(OtherCorpus, Replays) {
  const FuzzTarget &target = GetParam();
  std::minstd_rand random(20261123);
  unsigned seeds = 0;
  for (const auto &[name, bytes] : corpus(target.name)) {
    SCOPED_TRACE(name);
    FuzzOutcome outcome = target.run(bytes);
    if (name.starts_with("seed-")) {
      EXPECT_NE(outcome, FuzzOutcome::Refused);
      ++seeds;
    }
    for (size_t size = 0; size < bytes.size(); size += 1 + bytes.size() / 10)
      target.run(llvm::StringRef(bytes).take_front(size));
    for (unsigned i = 0; i < 20; ++i)
      target.run(flipped(bytes, random));
    unsigned count = std::getenv("ONNXFOLD_LONG") ? 20000 : 20;
    for (unsigned i = 0; i < count; ++i)
      target.run(changed(bytes, random));
  }
  EXPECT_GE(seeds, 3u);
}

INSTANTIATE_TEST_SUITE_P(All, OtherCorpus,
                         testing::ValuesIn(fuzzTargets().drop_until(
                             [](auto &target) { return !target.isModel; })),
                         [](const auto &info) {
                           return info.param.name.str();
                         });

} // namespace
