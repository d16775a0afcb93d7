//===- CallsTest.cpp - Calls of functions whose arguments are known -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;

namespace {
struct CallsTest : ConstpropTest {
  std::vector<int64_t> list(std::initializer_list<int64_t> values) {
    return values;
  }
  /// A function of two results, one that calls it, and `body` as that of @f.
  void parseWith(const std::string &body) {
    parse(
        R"mlir(func.func private @half(%a: tensor<2xi64>, %b: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>) {
      %s = "t.add"(%a, %b) {id = "inner"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %d = "t.div"(%s, %b) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      return %s, %d : tensor<2xi64>, tensor<2xi64>
    }
    func.func private @twice(%a: tensor<2xi64>) -> tensor<2xi64> {
      %s:2 = "t.call"(%a, %a) {callee = @half} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
      %p = "t.mul"(%s#0, %s#1) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      return %p : tensor<2xi64>
    }
    func.func private @again(%a: tensor<2xi64>) -> tensor<2xi64> {
      %s = "t.call"(%a) {callee = @again} : (tensor<2xi64>) -> tensor<2xi64>
      return %s : tensor<2xi64>
    }
    func.func @f(%x: tensor<2xi64>) {
      %a = arith.constant dense<[1, 2]> : tensor<2xi64>
      %z = arith.constant dense<[1, 0]> : tensor<2xi64>
    )mlir" +
        body + "return }");
  }
};
} // namespace

static const std::string binary =
    " : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)\n";
static const std::string unary = " : (tensor<2xi64>) -> tensor<2xi64>\n";

TEST_F(CallsTest, allArgumentsAreKnown) {
  parseWith("%b:2 = \"t.call\"(%a, %a) {callee = @half, id = \"b\"}" + binary +
            "%c = \"t.call\"(%b#0) {callee = @twice, id = \"c\"}" + unary);
  std::string before = text();
  evaluate();
  EXPECT_EQ(outcome("b"), "folded");
  EXPECT_EQ(outcome("c"), "folded");
  EXPECT_EQ(ints("b"), list({2, 4}));
  EXPECT_EQ(ints("c"), list({8, 16})); // (4 + 4) * (8 / 4), (8 + 8) * (16 / 8)
  EXPECT_EQ(outcome("inner"), "input-not-constant"); // in general
  EXPECT_EQ(text(), before) << "functions are copied, not changed";
}

TEST_F(CallsTest, oneArgumentIsNot) {
  parseWith("%b:2 = \"t.call\"(%a, %x) {callee = @half, id = \"b\"}" + binary);
  evaluate();
  EXPECT_EQ(outcome("b"), "input-not-constant");
}

/// The other result would be known, but a runtime has to refuse the whole.
TEST_F(CallsTest, anErrorInside) {
  parseWith("%b:2 = \"t.call\"(%a, %z) {callee = @half, id = \"b\"}" + binary +
            "%c = \"t.call\"(%z) {callee = @twice, id = \"c\"}" + unary);
  evaluate();
  EXPECT_EQ(outcome("b"), "undefined");
  EXPECT_EQ(reasonText("b"), "in its body, t.div: divisor element 1 is 0");
  EXPECT_EQ(outcome("c"), "undefined");
  EXPECT_EQ(reasonText("c"), "in its body, t.div: divisor element 1 is 0");
}

TEST_F(CallsTest, aCycleEnds) {
  parseWith("%b = \"t.call\"(%a) {callee = @again, id = \"b\"}" + unary);
  evaluate();
  EXPECT_EQ(outcome("b"), "work-limit");
  EXPECT_NE(reasonText("b").find("more than 100 deep"), std::string::npos)
      << reasonText("b");
}

/// Another number of arguments or results than the function has.
TEST_F(CallsTest, misfits) {
  parseWith("%b = \"t.call\"(%a, %a) {callee = @twice, id = \"more\"}"
            " : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>\n"
            "%c:2 = \"t.call\"(%a) {callee = @twice, id = \"results\"}"
            " : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)\n");
  evaluate();
  EXPECT_EQ(outcome("more"), "inconsistent");
  EXPECT_EQ(outcome("results"), "inconsistent");
}
