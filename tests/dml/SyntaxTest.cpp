//===- SyntaxTest.cpp - Text of the syntax tree ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What must come out is what the rules of DML demand: its precedence, in which
// %*% binds more than *, a space before a minus, numbers without a plus.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/syntax/Syntax.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>
#include <limits>

using namespace onnxfold::dml;

namespace {

const Expr a = Expr::name("a"), b = Expr::name("b"), c = Expr::name("c");

std::string textOf(const Expr &expr) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, expr);
  return text;
}

std::string textOf(const Body &body) {
  std::string text;
  llvm::raw_string_ostream out(text);
  print(out, body);
  return text;
}

TEST(Syntax, Precedence) {
  EXPECT_EQ(textOf(a + b * c), "a + b * c");
  EXPECT_EQ(textOf((a + b) * c), "(a + b) * c");
  EXPECT_EQ(textOf(a - (b - c)), "a - (b - c)");
  EXPECT_EQ(textOf(a - b - c), "a - b - c");
  EXPECT_EQ(textOf((a * b).times(c)), "(a * b) %*% c");
  EXPECT_EQ(textOf(a * b.times(c)), "a * b %*% c");
  EXPECT_EQ(textOf(a / Expr::binary("%/%", b, c)), "a / b %/% c");
  EXPECT_EQ(textOf(Expr::binary("<", a, b) + c), "(a < b) + c");
}

/// -a ^ 2 is -(a ^ 2), and 2 ^ 3 ^ 2 is 2 ^ 9.
TEST(Syntax, PowersAndSigns) {
  EXPECT_EQ(textOf(power(-a, 2)), "(-a) ^ 2");
  EXPECT_EQ(textOf(-power(a, 2)), "-(a ^ 2)");
  EXPECT_EQ(textOf(power(power(a, 2), b)), "(a ^ 2) ^ b");
}

/// "x<-1" is an assignment in R's manner, and no comparison.
TEST(Syntax, NegativeNumbers) {
  EXPECT_EQ(textOf(Expr::binary("<", a, -1)), "a < (-1)");
  EXPECT_EQ(textOf(call("max", {a, -0.5})), "max(a, -0.5)");
  EXPECT_EQ(textOf(a + -std::numeric_limits<double>::infinity()), "a + (-Inf)");
}

TEST(Syntax, Numbers) {
  EXPECT_EQ(numberText(0.1), "0.1");
  EXPECT_EQ(numberText(double(0.1f)), "0.10000000149011612");
  EXPECT_EQ(numberText(1e20), "1e20");
  EXPECT_EQ(numberText(1e-5), "1e-05");
  EXPECT_EQ(numberText(3), "3");
  EXPECT_EQ(numberText(std::numeric_limits<double>::quiet_NaN()), "NaN");
}

/// The colon is read before + and -: "i:j + 1" is (i:j) + 1.
TEST(Syntax, Slices) {
  EXPECT_EQ(textOf(a.slice({}, {}, b + 1, c * 2)), "a[, (b + 1):(c * 2)]");
  EXPECT_EQ(textOf(a.slice(b, {}, {}, {})), "a[b, ]");
}

TEST(Syntax, Statements) {
  Body body = {
      Statement::line("a name\nof two lines"),
      Statement::loop("i", b, {Statement::assign("a", Expr::name("i"), "x/y")}),
      Statement::choose(Expr::binary("<", a, 0), {Statement::assign("a", 0)},
                        {Statement::assign("b", Expr::text("q\"\\"))})};
  EXPECT_EQ(textOf(body), "# a name of two lines\n"
                          "for (i in seq(1, b, 1)) {\n"
                          "  a = i    # x/y\n"
                          "}\n"
                          "if (a < 0) {\n"
                          "  a = 0\n"
                          "} else {\n"
                          "  b = \"q\\\"\\\\\"\n"
                          "}\n");
}

} // namespace
