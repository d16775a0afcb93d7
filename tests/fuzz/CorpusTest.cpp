//===- CorpusTest.cpp - The corpus of the fuzz targets --------------------===//
//
// Replays tests/fuzz/corpus through the entry points of libFuzzer, and damaged
// copies of it. What a fuzzer found and was fixed lies there too, as
// found-*.onnx with its story in corpus/README.md.
//
//===----------------------------------------------------------------------===//
#include "FuzzTargets.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <filesystem>
#include <map>
#include <random>

using namespace onnxfold;

namespace {

std::map<std::string, std::string> corpus() {
  std::map<std::string, std::string> files;
  for (const auto &entry :
       std::filesystem::directory_iterator(ONNXFOLD_FUZZ_CORPUS))
    if (entry.path().extension() == ".onnx") {
      auto buffer = llvm::MemoryBuffer::getFile(entry.path().string());
      files[entry.path().stem().string()] = (*buffer)->getBuffer().str();
    }
  return files;
}

/// Seeds are legal models, or they would lead a fuzzer nowhere.
TEST(Corpus, SeedsFold) {
  unsigned seeds = 0;
  for (const auto &[name, bytes] : corpus()) {
    SCOPED_TRACE(name);
    FuzzOutcome read = fuzzReader(bytes), folded = fuzzFold(bytes);
    if (name.starts_with("seed-")) {
      EXPECT_EQ(read, FuzzOutcome::Read);
      EXPECT_EQ(folded, FuzzOutcome::Folded);
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
    for (unsigned i = 0; i < 20 && !bytes.empty(); ++i) {
      std::string damaged = bytes;
      for (unsigned flips = 1 + random() % 3; flips > 0; --flips)
        damaged[random() % damaged.size()] ^= char(1 << random() % 8);
      ++outcomes[unsigned(fuzzFold(damaged))];
    }
  }
  // Some damage is refused and some is survived, or this test tests nothing.
  EXPECT_GT(outcomes[unsigned(FuzzOutcome::Refused)], 0u);
  EXPECT_GT(outcomes[unsigned(FuzzOutcome::Folded)], 0u);
}

} // namespace
