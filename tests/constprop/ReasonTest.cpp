//===- ReasonTest.cpp - The one way to say why not ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/Reason.h"
#include <gtest/gtest.h>
#include <memory>

using namespace onnxfold;

TEST(ReasonTest, aReasonIsTrueIfItSaysNo) {
  EXPECT_FALSE(Reason());
  Reason reason = invalid("the axis is " + llvm::Twine(7));
  EXPECT_TRUE(reason);
  EXPECT_EQ(reason.code, ReasonCode::Invalid);
  EXPECT_EQ(reason.text, "the axis is 7");
  EXPECT_EQ(undefined("it is 0").code, ReasonCode::Undefined);
  EXPECT_EQ(notFolded(ReasonCode::WorkLimit, "").code, ReasonCode::WorkLimit);
}

TEST(ReasonTest, everyCodeHasANameOfItsOwn) {
  llvm::StringRef last;
  for (int i = 0; i <= int(ReasonCode::Inconsistent); ++i) {
    llvm::StringRef name = nameOf(ReasonCode(i));
    EXPECT_FALSE(name.empty());
    for (int k = 0; k < i; ++k)
      EXPECT_NE(name, nameOf(ReasonCode(k)));
    last = name;
  }
  EXPECT_EQ(last, "inconsistent");
  EXPECT_EQ(nameOf(ReasonCode::InputNotConstant), "input-not-constant");
}

//===----------------------------------------------------------------------===//
// ReasonOr
//===----------------------------------------------------------------------===//

static ReasonOr<int64_t> axisOf(int64_t axis) {
  if (axis < 0)
    return invalid("the axis is " + llvm::Twine(axis));
  return axis;
}

TEST(ReasonOrTest, aValueIsNoReason) {
  ReasonOr<int64_t> axis = axisOf(2);
  ASSERT_TRUE(axis);
  EXPECT_EQ(*axis, 2);
  EXPECT_FALSE(axis.reason());
  EXPECT_EQ(axis.reason().code, ReasonCode::None);
}

TEST(ReasonOrTest, zeroAndFalseAreValuesToo) {
  EXPECT_TRUE(axisOf(0));
  ReasonOr<bool> no(false);
  ASSERT_TRUE(no);
  EXPECT_FALSE(*no);
}

TEST(ReasonOrTest, aReasonIsNoValue) {
  ReasonOr<int64_t> axis = axisOf(-3);
  EXPECT_FALSE(axis);
  EXPECT_EQ(axis.reason().code, ReasonCode::Invalid);
  EXPECT_EQ(axis.reason().text, "the axis is -3");
}

/// As a caller hands a reason on, whatever type of value it has itself.
static ReasonOr<std::string> textOf(int64_t given) {
  ReasonOr<int64_t> axis = axisOf(given);
  if (!axis)
    return axis.reason();
  return std::to_string(*axis);
}

TEST(ReasonOrTest, aReasonIsHandedOn) {
  EXPECT_EQ(textOf(-1).reason().text, "the axis is -1");
  EXPECT_EQ(*textOf(4), "4");
}

TEST(ReasonOrTest, copiesAreValuesOfTheirOwn) {
  ReasonOr<std::string> first = std::string("a"), second = first;
  second->append("b");
  *first += "c";
  EXPECT_EQ(*first, "ac");
  EXPECT_EQ(*second, "ab");
  EXPECT_EQ(second->size(), 2u);
  second = textOf(-1);
  EXPECT_FALSE(second) << "a value is replaced by a reason";
  first = second;
  EXPECT_EQ(first.reason().text, "the axis is -1");
  first = textOf(1);
  EXPECT_TRUE(first);
  EXPECT_FALSE(first.reason()) << "and a reason by a value";
}

TEST(ReasonOrTest, valuesMayBeMoveOnly) {
  ReasonOr<std::unique_ptr<int>> made = std::make_unique<int>(7);
  ASSERT_TRUE(made);
  EXPECT_EQ(**made, 7);
  std::unique_ptr<int> taken = std::move(*made);
  EXPECT_EQ(*taken, 7);
  ReasonOr<std::unique_ptr<int>> none(undefined("it is 0"));
  EXPECT_FALSE(none);
  ReasonOr<std::unique_ptr<int>> moved = std::move(none);
  EXPECT_EQ(moved.reason().text, "it is 0");
}

#ifndef NDEBUG
TEST(ReasonOrDeathTest, aReasonThatSaysYesIsAMistake) {
  EXPECT_DEATH(ReasonOr<int>{Reason()}, "a value is missing");
}
#endif
