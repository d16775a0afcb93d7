//===- DamagedScriptsTest.cpp - Scripts of SystemDS with mistakes ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// The scripts of tests/fuzz/corpus/dml, each time with one to four words or
// bytes left out, doubled, exchanged or changed, are parsed, printed, and
// translated (fuzzDml): 5,000 of them, a million with ONNXFOLD_LONG=1. Each has
// a seed of its own, that of the run plus its number:
//
//   ONNXFOLD_SEED=20262904 ONNXFOLD_CASES=1 fuzz-test --gtest_filter='DamagedS*'
//
// runs again the one that the last words of the program name.
//
//===----------------------------------------------------------------------===//
#include "FuzzTargets.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <unistd.h>

using namespace onnxfold;

namespace {

using Words = std::vector<std::string>;

volatile std::sig_atomic_t seedAtWork;

/// Says which script it was; then the signal does what it does.
extern "C" void nameScript(int signal) {
  char text[] = "\nthe script of seed ----------\n";
  char *digit = text + sizeof(text) - 3;
  for (long rest = seedAtWork; *digit == '-'; rest /= 10)
    *digit-- = char('0' + rest % 10);
  [[maybe_unused]] auto written = ::write(2, text, sizeof(text) - 1);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// Names, numbers, and everything else byte by byte.
Words wordsOf(llvm::StringRef text) {
  Words words;
  while (!text.empty()) {
    size_t size = std::max<size_t>(
        text.take_while([](char c) { return llvm::isAlnum(c); }).size(), 1);
    words.push_back(text.take_front(size).str());
    text = text.drop_front(size);
  }
  return words;
}

/// Words that scripts have, and numbers at the edges.
const char *const replacements[] = {
    "while", "for",  "if", "else", "TRUE",   "list",  "nrow",       "rand",
    "[",     "(",    ")",  "{",    "}",      "\"",    "1e308",      "-1",
    "0",     "x",    "y",  "i",    "=",      "+",     "2147483648", "NaN",
    "%*%",   "\xff", "#",  "/*",   "matrix", "order", "as.scalar",  "append"};

std::string damaged(Words words, std::minstd_rand &random) {
  for (unsigned left = 1 + random() % 4; left > 0 && !words.empty(); --left) {
    size_t at = random() % words.size(), other = random() % words.size();
    switch (random() % 6) {
    case 0:
      words.erase(words.begin() + at);
      break;
    case 1:
      words.insert(words.begin() + at, std::string(words[other]));
      break;
    case 2:
      std::swap(words[at], words[other]);
      break;
    case 3:
      words[at][random() % words[at].size()] ^= char(1 << random() % 8);
      break;
    case 4:
      words.resize(at);
      break;
    default:
      words[at] = replacements[random() % std::size(replacements)];
    }
  }
  std::string text;
  for (const std::string &word : words)
    text += word;
  return text;
}

long numberFrom(const char *name, long otherwise) {
  const char *value = std::getenv(name);
  return value ? std::strtol(value, nullptr, 10) : otherwise;
}

TEST(DamagedScripts, NoneEndsTheProgram) {
  std::vector<Words> scripts;
  for (const auto &entry : std::filesystem::directory_iterator(
           std::filesystem::path(ONNXFOLD_FUZZ_CORPUS) / "dml")) {
    std::string name = entry.path().filename().string();
    if (llvm::StringRef(name).starts_with("kept-")) // damaged already
      continue;
    if (auto file = llvm::MemoryBuffer::getFile(entry.path().string()))
      scripts.push_back(wordsOf((*file)->getBuffer()));
  }
  std::sort(scripts.begin(), scripts.end());
  ASSERT_GE(scripts.size(), 3u);
  const long first = numberFrom("ONNXFOLD_SEED", 20261123);
  const long cases = numberFrom("ONNXFOLD_CASES",
                                std::getenv("ONNXFOLD_LONG") ? 1000000 : 5000);
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    std::signal(signal, nameScript);
  unsigned outcomes[3] = {};
  for (long seed = first; seed < first + cases; ++seed) {
    seedAtWork = int(seed);
    std::minstd_rand random(seed);
    random.discard(3);
    const Words &words = scripts[random() % scripts.size()];
    ++outcomes[unsigned(fuzzDml(damaged(words, random)))];
  }
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGBUS})
    std::signal(signal, SIG_DFL);
  RecordProperty("refused", int(outcomes[0]));
  RecordProperty("read", int(outcomes[1]));
  RecordProperty("translated", int(outcomes[2]));
  if (cases > 1000) { // some damage of each kind
    EXPECT_GT(outcomes[0], unsigned(cases / 20));
    EXPECT_GT(outcomes[1], unsigned(cases / 50));
    EXPECT_GT(outcomes[2], unsigned(cases / 50));
  }
}

} // namespace
