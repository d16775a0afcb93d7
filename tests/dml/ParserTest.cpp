//===- ParserTest.cpp - A DML script as a syntax tree ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What SystemDS 3.4.0 reads, and how, was tried with it. Damaged text is refused
// or read, and never more than that: ONNXFOLD_LONG asks for a million scripts.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/syntax/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace onnxfold::dml;

namespace {

/// The script as print() writes it, or what the parser says.
std::string read(llvm::StringRef text) {
  llvm::Expected<Script> script = parseScript(text, "a.dml");
  if (!script)
    return llvm::toString(script.takeError());
  std::string printed;
  llvm::raw_string_ostream out(printed);
  print(out, *script);
  return printed;
}

std::string repeated(llvm::StringRef text, unsigned count) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(Parser, Precedence) {
  EXPECT_EQ(read("x = -a ^ 2"), "x = -(a ^ 2)\n");
  EXPECT_EQ(read("x = -2 ^ 2"), "x = -(2 ^ 2)\n");
  EXPECT_EQ(read("x = (-2) ^ 2"), "x = (-2) ^ 2\n");
  EXPECT_EQ(read("x = 2 ^ -1"), "x = 2 ^ (-1)\n");
  EXPECT_EQ(read("x = 2 ^ 3 ^ 2"), "x = 2 ^ (3 ^ 2)\n");
  EXPECT_EQ(read("x = -a %*% b"), "x = (-a) %*% b\n");
  EXPECT_EQ(read("x = a * b %*% c"), "x = a * b %*% c\n");
  EXPECT_EQ(read("x = (a * b) %*% c"), "x = (a * b) %*% c\n");
  EXPECT_EQ(read("x = 20 / 2 %/% 3"), "x = 20 / 2 %/% 3\n");
  EXPECT_EQ(read("x = !a > b & c"), "x = (!(a > b)) & c\n");
  EXPECT_EQ(read("x = a + !b"), "x = a + (!b)\n");
  EXPECT_EQ(read("x = a | b & c == d"), "x = a | b & c == d\n");
  EXPECT_EQ(read("x = 1 == 1 == TRUE"), "x = (1 == 1) == TRUE\n");
  EXPECT_EQ(read("x = 5 - -2"), "x = 5 - (-2)\n");
  EXPECT_EQ(read("x = a - b - c"), "x = a - b - c\n");
}

TEST(Parser, Numbers) {
  EXPECT_EQ(read("x = 1"), "x = 1\n");
  EXPECT_EQ(read("x = 1."), "x = 1.0\n");
  EXPECT_EQ(read("x = -2.0"), "x = -2.0\n");
  EXPECT_EQ(read("x = .5"), "x = 0.5\n");
  EXPECT_EQ(read("x = 1e+5"), "x = 100000.0\n");
  EXPECT_EQ(read("x = 1E-5"), "x = 1e-05\n");
  EXPECT_EQ(read("x = Inf - NaN"), "x = Inf - NaN\n");
  EXPECT_EQ(read("x = 10L"), "a.dml:1:5: a number ends in 'L'");
  EXPECT_EQ(read("x = 1e"), "a.dml:1:5: a number has no digits after its e");
  EXPECT_EQ(read("x = 1e999"), "a.dml:1:5: '1e999' is not a number of 64 bits");
  EXPECT_EQ(read("x = 9007199254740993"),
            "a.dml:1:5: the integer 9007199254740993 is beyond 2^53");
}

TEST(Parser, Texts) {
  EXPECT_EQ(read("x = 'it\\'s'"), "x = \"it's\"\n");
  EXPECT_EQ(read("x = \"\\t\\\"\\\\\""), "x = \"\\t\\\"\\\\\"\n");
  EXPECT_EQ(read("x = \"é\""), "x = \"é\"\n");
  EXPECT_EQ(read("x = \"a"), "a.dml:1:5: the string that begins here has no "
                             "end");
}

TEST(Parser, Statements) {
  EXPECT_EQ(read("a <- 1; b = 2;; a += b"), "a = 1\nb = 2\na = a + b\n");
  EXPECT_EQ(read("a[1, ] = b\n[c, d] = f(a)"), "a[1, ] = b\n[c, d] = f(a)\n");
  EXPECT_EQ(read("x = a\n[c, d] = f(a)"), "x = a\n[c, d] = f(a)\n");
  EXPECT_EQ(read("print(\"x\" + 1)"), "print(\"x\" + 1)\n");
  EXPECT_EQ(read("if (a) b = 1 else if (c) b = 2"),
            "if (a) {\n  b = 1\n} else {\n  if (c) {\n    b = 2\n  }\n}\n");
  EXPECT_EQ(read("while (a > 1) { a = a - 1 }"),
            "while (a > 1) {\n  a = a - 1\n}\n");
  EXPECT_EQ(read("for (i in 1:n-1) a = i"),
            "for (i in 1:(n - 1)) {\n  a = i\n}\n");
  EXPECT_EQ(read("parfor (i in seq(1, n, 2), check=0) { }"),
            "parfor (i in seq(1, n, 2), check=0) {\n}\n");
  EXPECT_EQ(read("source('f.dml') as f /* of\n f */ # and more\ny = f::g(1)"),
            "source(\"f.dml\") as f\n\ny = f::g(1)\n");
}

/// It says where the files are that are sourced after it.
TEST(Parser, WorkingFolder) {
  EXPECT_EQ(read("source('a.dml') as a\nsetwd('d/e');\nsource('f.dml') as f\n"
                 "source('/g.dml') as g\nsource('d/e/h.dml') as h\ny = 1"),
            "source(\"a.dml\") as a\nsource(\"d/e/f.dml\") as f\n"
            "source(\"/g.dml\") as g\nsource(\"d/e/h.dml\") as h\n\ny = 1\n");
}

TEST(Parser, Slices) {
  EXPECT_EQ(read("x = a[, 2:n-1]"), "x = a[, 2:(n - 1)]\n");
  EXPECT_EQ(read("x = a[i, ]"), "x = a[i, ]\n");
  EXPECT_EQ(read("x = l['a'] + l[1:2]"), "x = l[\"a\"] + l[1:2]\n");
  EXPECT_EQ(read("x = a[]"), "a.dml:1:7: expected an index, found ']'");
}

TEST(Parser, Functions) {
  EXPECT_EQ(
      read("f = function(Matrix[Double] X, Integer n = 3, list[unknown] l)\n"
           "  return (matrix[double] Y) { Y = X ^ n; }\n"),
      "f = function(matrix[double] X, int n = 3, list[unknown] l) "
      "return (matrix[double] Y)\n{\n  Y = X ^ n\n}\n");
  EXPECT_EQ(read("f = function(double x) { print(x) }"),
            "f = function(double x)\n{\n  print(x)\n}\n");
  EXPECT_EQ(read("f = function(matrix X) { }"),
            "a.dml:1:21: expected '[', found 'X'");
  EXPECT_EQ(read("f = function(int a, double a) { }"),
            "a.dml:1:28: two parameters are called 'a'");
}

TEST(Parser, Mistakes) {
  EXPECT_EQ(read("x = (a + b\ny = 3"), "a.dml:2:1: expected ')', found 'y'");
  EXPECT_EQ(read("if (a<-1) b = 1"), "a.dml:1:6: expected ')', found '<-'");
  EXPECT_EQ(read("x = -1:2"), "a.dml:1:7: expected a statement, found ':'");
  EXPECT_EQ(read("in = 3"), "a.dml:1:1: expected a statement, found 'in'");
  EXPECT_EQ(read("x = a.b"), "a.dml:1:6: expected a statement, found '.'");
  EXPECT_EQ(read("é = 3"), "a.dml:1:1: the character 'é'");
  EXPECT_EQ(read("x = \1"), "a.dml:1:5: a character of code 1");
  EXPECT_EQ(read("/* x"), "a.dml:1:1: the comment that begins here has no end");
  EXPECT_EQ(read("x = { y }"), "a.dml:1:5: expected an expression, found '{'");
  EXPECT_EQ(read("x ="), "a.dml:1:4: expected an expression, found the end of "
                         "the file");
  EXPECT_EQ(read("for (i in n) { }"), "a.dml:1:12: expected ':', found ')'");
  EXPECT_EQ(read("if (a) { f = function(int x) { } }"),
            "a.dml:1:10: a function is defined inside of a block");
}

TEST(Parser, DeepText) {
  constexpr unsigned many = 100000;
  for (llvm::StringRef each :
       {"(", "-", "!", "a + ", "a ^ ", "f(", "a[", "[", "2 - "})
    EXPECT_NE(read("x = " + repeated(each, many) + "1").find("nested"),
              std::string::npos)
        << each.str();
  for (llvm::StringRef each : {"if (a) ", "while (a) {", "if (a) b = 1 else "})
    EXPECT_NE(read(repeated(each, many)).find("nested"), std::string::npos)
        << each.str();
}

TEST(Parser, DamagedText) {
  const std::string whole =
      "source(\"nn/f.dml\") as f\n# a comment\n"
      "g = function(matrix[double] X, int n = 3) return (matrix[double] Y) {\n"
      "  Y = -X[1:n, ] %*% t(X) ^ 2 + f::h(X, p=[1, 2])\n"
      "  for (i in seq(1, n, 1)) { if (i > 2 & !(n == 1)) Y[i, ] = 0.5e-3 }\n"
      "  while (as.scalar(Y[1, 1]) < 1.) Y = Y + 1; /* end */\n}\n"
      "x = read($x)\n[y, z] = g(x, 'q\\n'); write(y, \"y.csv\", "
      "format='csv')\n";
  ASSERT_EQ(read(whole).find("a.dml:"), std::string::npos) << read(whole);
  std::mt19937 random(20261123);
  int count = std::getenv("ONNXFOLD_LONG") ? 1000000 : 10000;
  for (int i = 0; i < count; ++i) {
    std::string text = whole;
    for (unsigned edits = 1 + random() % 3; edits > 0; --edits) {
      size_t at = random() % text.size(), from = random() % text.size();
      switch (random() % 4) {
      case 0:
        text.erase(at, 1 + random() % 8);
        break;
      case 1:
        text.insert(at, whole.substr(from % whole.size(), random() % 12));
        break;
      case 2:
        text[at] = char(random());
        break;
      default:
        std::swap(text[at], text[from]);
      }
      if (text.empty())
        break;
    }
    std::string once = read(text);
    if (!llvm::StringRef(once).starts_with("a.dml:")) {
      ASSERT_EQ(read(once), once) << text;
    }
  }
}

} // namespace
