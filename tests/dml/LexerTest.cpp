//===- LexerTest.cpp - The words of a DML script --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/syntax/internal/Lexer.h"
#include "llvm/Support/FormatVariadic.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;
using llvm::StringRef;

namespace {

/// "1:3 name x" for each token.
std::vector<std::string> tokensOf(StringRef text) {
  constexpr StringRef kinds[] = {"name", "number", "text",
                                 "sign", "end",    "bad"};
  llvm::BumpPtrAllocator texts;
  Lexer lexer(text, texts);
  std::vector<std::string> found;
  for (;;) {
    Token token = lexer.next();
    std::string what =
        token.kind == Token::Kind::Number
            ? llvm::formatv("{0}{1}", token.number, token.isReal ? " real" : "")
                  .str()
            : token.text.str();
    found.push_back(llvm::formatv("{0}:{1} {2} {3}", token.place.line,
                                  token.place.column, kinds[size_t(token.kind)],
                                  what)
                        .str());
    if (token.kind == Token::Kind::End || token.kind == Token::Kind::Bad)
      return found;
  }
}

using Tokens = std::vector<std::string>;

TEST(Lexer, LongestSign) {
  EXPECT_EQ(tokensOf("%*%%%%/%"), (Tokens{"1:1 sign %*%", "1:4 sign %%",
                                          "1:6 sign %/%", "1:9 end "}));
  EXPECT_EQ(tokensOf("<-<=<"),
            (Tokens{"1:1 sign <-", "1:3 sign <=", "1:5 sign <", "1:6 end "}));
  EXPECT_EQ(tokensOf("&&&!=!"),
            (Tokens{"1:1 sign &&", "1:3 sign &", "1:4 sign !=", "1:6 sign !",
                    "1:7 end "}));
  EXPECT_EQ(tokensOf("+=-="),
            (Tokens{"1:1 sign +=", "1:3 sign -", "1:4 sign =", "1:5 end "}));
}

TEST(Lexer, ColumnsCountCharacters) {
  EXPECT_EQ(tokensOf("\"é\" x\n y"),
            (Tokens{"1:1 text é", "1:5 name x", "2:2 name y", "2:3 end "}));
}

TEST(Lexer, NamesWithPoints) {
  EXPECT_EQ(tokensOf("as.scalar"), (Tokens{"1:1 name as.scalar", "1:10 end "}));
  EXPECT_EQ(tokensOf("empty.return"),
            (Tokens{"1:1 name empty.return", "1:13 end "}));
  EXPECT_EQ(tokensOf("a::b2_"), (Tokens{"1:1 name a::b2_", "1:7 end "}));
  EXPECT_EQ(tokensOf("$x"), (Tokens{"1:1 name $x", "1:3 end "}));
  EXPECT_EQ(tokensOf("a.b"),
            (Tokens{"1:1 name a", "1:2 sign .", "1:3 name b", "1:4 end "}));
}

TEST(Lexer, Numbers) {
  EXPECT_EQ(
      tokensOf("1 1. .5 2e-1"),
      (Tokens{"1:1 number 1.00", "1:3 number 1.00 real", "1:6 number 0.50 real",
              "1:9 number 0.20 real", "1:13 end "}));
  EXPECT_EQ(tokensOf("1x"), (Tokens{"1:1 bad a number ends in 'x'"}));
}

TEST(Lexer, TextsAndComments) {
  EXPECT_EQ(tokensOf("'a\\n\\'' # 'x\n/* y\n */\"\""),
            (Tokens{"1:1 text a\n'", "3:4 text ", "3:6 end "}));
  EXPECT_EQ(tokensOf("x /* y"),
            (Tokens{"1:1 name x",
                    "1:3 bad the comment that begins here has no end"}));
  EXPECT_EQ(tokensOf("'\\q'"),
            (Tokens{"1:1 bad a string has the unknown escape '\\q'"}));
}

} // namespace
