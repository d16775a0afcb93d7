//===- ScalarOperatorTest.cpp - An operator of DML and known scalars ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/ScalarOperator.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

DmlValue intOf(double number) { return DmlValue::known(number, DmlValue::Int); }
DmlValue doubleOf(double number) {
  return DmlValue::known(number, DmlValue::Double);
}
DmlValue openScalar(DmlValue::Type type, int64_t least = INT64_MIN) {
  DmlValue value = DmlValue::scalar("n", type);
  value.least = least;
  return value;
}
double computedOf(const char *sign, const DmlValue &a, const DmlValue &b) {
  return ScalarOperator(sign).value(a, b)->number.value();
}

TEST(ScalarOperator, Values) {
  EXPECT_EQ(computedOf("%/%", intOf(-7), intOf(2)), -3); // towards zero
  EXPECT_EQ(computedOf("%%", intOf(-7), intOf(2)), -1);
  EXPECT_EQ(computedOf("%%", intOf(7), intOf(0)), 0);
  EXPECT_EQ(computedOf("%/%", doubleOf(-1e300), intOf(3)), -0x1p63);
  EXPECT_EQ(computedOf("%/%", doubleOf(1e300), doubleOf(1e-300)), HUGE_VAL);
  EXPECT_TRUE(std::isnan(computedOf("%%", doubleOf(7), intOf(0))));
  EXPECT_EQ(computedOf("^", intOf(2), intOf(-1)), 0.5);
  EXPECT_EQ(computedOf("!=", doubleOf(NAN), doubleOf(NAN)), 1);
  EXPECT_EQ(computedOf("<=", intOf(2), intOf(2)), 1);
  EXPECT_EQ(computedOf("<", intOf(2), intOf(2)), 0);
  EXPECT_EQ(computedOf("&", doubleOf(0.5), intOf(-1)), 1);
}

TEST(ScalarOperator, Types) {
  EXPECT_EQ(ScalarOperator("+").type(intOf(1), intOf(1)), DmlValue::Int);
  EXPECT_EQ(ScalarOperator("+").type(intOf(1), doubleOf(1)), DmlValue::Double);
  EXPECT_EQ(ScalarOperator("/").type(intOf(4), intOf(2)), DmlValue::Double);
  EXPECT_EQ(ScalarOperator("^").type(intOf(4), intOf(2)), DmlValue::Double);
  EXPECT_EQ(ScalarOperator("==").type(intOf(4), doubleOf(2)),
            DmlValue::Boolean);
}

TEST(ScalarOperator, DivisionOfIntegersByZero) {
  ScalarOperator divided("%/%");
  EXPECT_TRUE(divided.isDivisionByZero(intOf(1), intOf(0)));
  EXPECT_FALSE(divided.isDivisionByZero(intOf(1), doubleOf(0)));
  EXPECT_FALSE(divided.isDivisionByZero(openScalar(DmlValue::Int), intOf(0)));
  EXPECT_FALSE(ScalarOperator("%%").isDivisionByZero(intOf(1), intOf(0)));
}

/// One known operand decides a logical operator, and no other one.
TEST(ScalarOperator, OneOperandDecides) {
  DmlValue some = openScalar(DmlValue::Boolean);
  EXPECT_EQ(computedOf("|", some, intOf(3)), 1);
  EXPECT_EQ(computedOf("&&", intOf(0), some), 0);
  EXPECT_FALSE(ScalarOperator("|").value(some, intOf(0)));
  EXPECT_FALSE(ScalarOperator("&").value(intOf(1), some));
  EXPECT_FALSE(ScalarOperator("*").value(intOf(0), some));
}

TEST(ScalarOperator, Bounds) {
  DmlValue rows = openScalar(DmlValue::Int, 1), any = openScalar(DmlValue::Int);
  EXPECT_EQ(ScalarOperator("+").least(rows, intOf(2)), 3);
  EXPECT_EQ(ScalarOperator("-").least(rows, intOf(2)), -1);
  EXPECT_EQ(ScalarOperator("*").least(rows, rows), 1);
  for (const char *sign : {"+", "-", "*"})
    EXPECT_EQ(ScalarOperator(sign).least(rows, any), INT64_MIN) << sign;
  EXPECT_EQ(ScalarOperator("-").least(intOf(2), rows), INT64_MIN);
  EXPECT_EQ(ScalarOperator("*").least(intOf(-1), rows), INT64_MIN);
  EXPECT_EQ(ScalarOperator("+").least(rows, intOf(1e18)), INT64_MIN);
}

TEST(ScalarOperator, BoundValues) {
  EXPECT_EQ(boundValue("TRUE").type, DmlValue::Boolean);
  EXPECT_EQ(boundValue("3").type, DmlValue::Int);
  EXPECT_EQ(boundValue("3.0").type, DmlValue::Double);
  EXPECT_EQ(boundValue("three").text, "three");
  // The default says what the text is.
  EXPECT_EQ(boundValue("3", textValue("")).text, "3");
  EXPECT_EQ(boundValue("3", doubleOf(1)).type, DmlValue::Double);
  EXPECT_EQ(boundValue("3.5", intOf(1)).type, DmlValue::Double);
  EXPECT_EQ(boundValue("TRUE", intOf(1)).text, "TRUE");
}

TEST(ScalarOperator, Texts) {
  EXPECT_EQ(textOf(intOf(3)).text, "3");
  EXPECT_EQ(textOf(DmlValue::known(0, DmlValue::Boolean)).text, "FALSE");
  EXPECT_TRUE(textOf(doubleOf(3)).isOpenText);
  EXPECT_TRUE(textOf(intOf(1e15)).isOpenText);
  EXPECT_TRUE(textOf(openScalar(DmlValue::Int)).isOpenText);
}

} // namespace
