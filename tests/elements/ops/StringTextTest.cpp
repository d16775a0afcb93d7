//===- StringTextTest.cpp - The characters of string tensors --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Expected values: Python's str.split and str.strip where nothing else is said.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ops/StringText.h"
#include "gmock/gmock.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using testing::ElementsAre;

static std::vector<std::string>
pieces(llvm::StringRef text, llvm::StringRef delimiter, int64_t most = -1) {
  std::vector<std::string> result;
  forEachPiece(text, delimiter, most,
               [&](llvm::StringRef piece) { result.push_back(piece.str()); });
  return result;
}

TEST(StringText, Pieces) {
  EXPECT_THAT(pieces("a,b", ","), ElementsAre("a", "b"));
  EXPECT_THAT(pieces(",a,,b,", ","), ElementsAre("", "a", "", "b", ""));
  EXPECT_THAT(pieces("", ","), ElementsAre(""));
  EXPECT_THAT(pieces("abc", ","), ElementsAre("abc"));
  EXPECT_THAT(pieces("a::b:::c", "::"), ElementsAre("a", "b", ":c"));
  EXPECT_THAT(pieces("a,b,c", ",", 0), ElementsAre("a,b,c"));
  EXPECT_THAT(pieces("a,b,c", ",", 1), ElementsAre("a", "b,c"));
  EXPECT_THAT(pieces("a,b,c", ",", 2), ElementsAre("a", "b", "c"));
  EXPECT_THAT(pieces("a,b,c", ",", 9), ElementsAre("a", "b", "c"));
  EXPECT_THAT(pieces(llvm::StringRef("a\0b", 3), llvm::StringRef("\0", 1)),
              ElementsAre("a", "b"));
}

TEST(StringText, Words) {
  EXPECT_THAT(pieces("", ""), ElementsAre());
  EXPECT_THAT(pieces(" \t\n", ""), ElementsAre());
  EXPECT_THAT(pieces(" a  bc\x1f"
                     "d ",
                     ""),
              ElementsAre("a", "bc", "d"));
  EXPECT_THAT(pieces("a\u00a0b\u1680c\u3000\u2028", ""),
              ElementsAre("a", "b", "c"));
  // No whitespace: U+200B, U+FEFF, and a byte that is none of its own.
  EXPECT_THAT(pieces("a\u200bb\ufeff\x85", ""),
              ElementsAre("a\u200bb\ufeff\x85"));
  EXPECT_THAT(pieces("a b c", "", 0), ElementsAre("a b c"));
  EXPECT_THAT(pieces("a b  c", "", 1), ElementsAre("a", "b  c"));
  // Python leaves whitespace at the end.
  EXPECT_THAT(pieces(" a b ", "", 1), ElementsAre("a", "b"));
}

TEST(StringText, Trim) {
  EXPECT_EQ(trimWhitespace("\u2003 a b\v\u0085"), "a b");
  EXPECT_EQ(trimWhitespace("\u205f\u202f"), "");
}

// Naive search takes the product of the lengths: hours for this one.
TEST(StringText, LongDelimitersTakeLinearTime) {
  std::string text(4'000'000, 'a'), delimiter(2'000'000, 'a');
  delimiter += 'b';
  EXPECT_EQ(pieces(text, delimiter).size(), 1u);
}

TEST(StringText, Concat) {
  Elements x = Elements::fromStrings({3}, {"a", "", "\u00e9"});
  Elements y = Elements::fromStrings({}, {"-z"}).expand({3});
  Elements z = concatStrings(x, y);
  EXPECT_EQ(characterCount(z), 9);
  // The result owns its characters.
  x = y = {};
  std::vector<std::string> texts;
  for (llvm::StringRef text : ElementsArray<llvm::StringRef>(z))
    texts.push_back(text.str());
  EXPECT_THAT(texts, ElementsAre("a-z", "-z", "\u00e9-z"));
}
