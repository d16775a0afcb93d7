//===- DmlValueTest.cpp - What is known of a value of DML -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/DmlValue.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

const DmlValue knownTwo = DmlValue::known(2, DmlValue::Int),
               matrixX = DmlValue::matrix("x", 3, 4);

DmlValue listOf(std::vector<DmlValue> elements) {
  DmlValue list;
  list.type = DmlValue::List;
  list.keys.resize(elements.size());
  list.elements = std::move(elements);
  return list;
}

TEST(DmlValue, TheSameValueStaysKnown) {
  EXPECT_EQ(joined(knownTwo, knownTwo).number, 2);
  EXPECT_EQ(joined(matrixX, matrixX).name, "x");
  DmlValue nan = DmlValue::known(NAN, DmlValue::Double);
  EXPECT_TRUE(joined(nan, nan).number.has_value());
}

TEST(DmlValue, WhereValuesDifferOnlyWhatTheyShareIsKnown) {
  DmlValue both = joined(matrixX, DmlValue::matrix("y", 3, 5));
  EXPECT_TRUE(isOpen(both));
  EXPECT_EQ(sizeText(both), "3 x ?");
  EXPECT_EQ(joined(knownTwo, DmlValue::known(3, DmlValue::Int)).type,
            DmlValue::Int);
  EXPECT_EQ(joined(knownTwo, DmlValue::known(2, DmlValue::Double)).type,
            DmlValue::Double);
  EXPECT_TRUE(joined(textValue("a"), textValue("b")).isOpenText);
}

TEST(DmlValue, TypesWithoutACommonOneAreUnreadable) {
  DmlValue truth = DmlValue::known(1, DmlValue::Boolean);
  for (const DmlValue &one :
       {matrixX, truth, textValue("a"), listOf({knownTwo})}) {
    DmlValue both = joined(knownTwo, one);
    EXPECT_TRUE(both.isUnknown());
    EXPECT_EQ(both.text, "has another type or length on another path");
  }
  EXPECT_TRUE(
      joined(listOf({knownTwo}), listOf({knownTwo, knownTwo})).isUnknown());
  DmlValue frame = matrixX;
  frame.type = DmlValue::Frame;
  EXPECT_EQ(joined(frame, matrixX).text, frameOfPaths);
}

TEST(DmlValue, ListsAreJoinedElementByElement) {
  DmlValue both =
      joined(listOf({knownTwo, matrixX}), listOf({knownTwo, knownTwo}));
  ASSERT_EQ(both.elements.size(), 2u);
  EXPECT_EQ(both.elements[0].number, 2);
  EXPECT_TRUE(both.elements[1].isUnknown());
}

TEST(DmlValue, Sizes) {
  EXPECT_EQ(DmlValue::known(-2.5, DmlValue::Double).size(), -2);
  for (double number : {HUGE_VAL, double(NAN), 1e15}) {
    DmlValue value = DmlValue::known(number, DmlValue::Double);
    EXPECT_FALSE(value.mayCount());
    EXPECT_EQ(value.size(), -1);
  }
  EXPECT_TRUE(knownTwo.isAtLeast(2));
  EXPECT_FALSE(knownTwo.isAtLeast(3));
  EXPECT_FALSE(DmlValue::scalar("n", DmlValue::Int).isAtLeast(0));
}

} // namespace
