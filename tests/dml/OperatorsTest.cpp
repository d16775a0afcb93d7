//===- OperatorsTest.cpp - Values and operators of DML as nodes -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Emitter, Operators and Refusals without a script.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/Operators.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

struct OperatorsTest : testing::Test {
  OnnxGraph graph{"g", onnx::TensorProto::DOUBLE, 21};
  Refusals refusals;
  Emitter emitter{graph};
  Operators operators{emitter, refusals};
  DmlValue x = DmlValue::matrix("x", 3, -1), one = known(1),
           rows = DmlValue::scalar("rows", DmlValue::Int);

  static DmlValue known(double number, DmlValue::Type type = DmlValue::Int) {
    return DmlValue::known(number, type);
  }
  DmlValue binary(const char *op, const DmlValue &a, const DmlValue &b) {
    return operators.binary({1, 2}, op, a, b);
  }
  std::string nodes() {
    onnx::ModelProto model;
    EXPECT_TRUE(model.ParseFromString(graph.bytes()));
    std::string names;
    for (const onnx::NodeProto &node : model.graph().node())
      names += (names.empty() ? "" : " ") + node.op_type();
    return names;
  }
  std::string refusal() {
    std::string text;
    for (const std::string &one : refusals.takeFrom(0))
      text += one;
    return text;
  }
};

TEST_F(OperatorsTest, KnownScalarsAreNoNodes) {
  EXPECT_EQ(binary("+", one, known(2)).number, 3);
  EXPECT_EQ(binary("*", known(1, DmlValue::Boolean), one).isUnknown(), true);
  EXPECT_EQ(refusal(), ":1:2: a boolean in arithmetic, expected as.double()");
  EXPECT_TRUE(binary("%/%", one, known(0)).isUnknown());
  EXPECT_EQ(refusal(), ":1:2: a division by zero");
  EXPECT_EQ(nodes(), "");
}

TEST_F(OperatorsTest, AnIndexAndItsPlaceAreOneValue) {
  DmlValue next = binary("+", rows, one);
  EXPECT_EQ(binary("-", next, one).name, "rows");
  EXPECT_NE(binary("-", next, known(2)).name, "rows");
  EXPECT_EQ(nodes(), "Add Sub"); // rows - 1, not rows + 1 - 2
}

TEST_F(OperatorsTest, SizesOfBroadcasts) {
  DmlValue row = DmlValue::matrix("r", 1, 4);
  EXPECT_EQ(sizeText(binary("+", x, row)), "3 x 4");
  EXPECT_TRUE(binary("+", row, x).isUnknown()); // on the right only
  EXPECT_EQ(refusal(), ":1:2: operands of + are 1 x 4 and 3 x ?");
  EXPECT_TRUE(binary("%*%", x, one).isUnknown());
  EXPECT_EQ(refusal(), ":1:2: a matrix product of 3 x ? and a scalar");
}

/// What is unknown was refused where it became so.
TEST_F(OperatorsTest, UnknownOperandsAreNotRefusedAgain) {
  EXPECT_TRUE(binary("+", x, {}).isUnknown());
  EXPECT_TRUE(operators.unary({1, 2}, "-", {}).isUnknown());
  EXPECT_TRUE(refusals.empty());
}

TEST_F(OperatorsTest, ARefusalIsThereOnce) {
  refusals.setFile("a.dml");
  refusals.refuse({1, 2}, "why");
  refusals.refuse({1, 2}, "why");
  EXPECT_EQ(refusals.count(), 1u);
  refusals.addMissing({"a.dml:1:2: why", "other"});
  EXPECT_EQ(refusals.all(),
            (std::vector<std::string>{"a.dml:1:2: why", "other"}));
}

TEST_F(OperatorsTest, TypesInTheGraph) {
  EXPECT_EQ(emitter.integer(rows), "rows");
  EXPECT_NE(emitter.real(rows), "rows");
  EXPECT_EQ(nodes(), "Cast");
  EXPECT_EQ(emitter.size(x, 0).number, 3);
  DmlValue columns = emitter.size(x, 1);
  EXPECT_FALSE(columns.number);
  EXPECT_TRUE(columns.isAtLeast(1));
}

TEST_F(OperatorsTest, SelectionOfOneSizeIsAWhere) {
  DmlValue test = DmlValue::scalar("test", DmlValue::Boolean);
  DmlValue y = DmlValue::matrix("y", 3, -1);
  EXPECT_EQ(emitter.select(known(0, DmlValue::Boolean), x, y).name, "y");
  EXPECT_EQ(emitter.select(test, x, x).name, "x");
  EXPECT_EQ(nodes(), "");
  emitter.select(test, one, known(2));
  EXPECT_EQ(nodes(), "Where");
  emitter.select(test, x, y); // columns that may differ
  EXPECT_EQ(nodes(), "Where If");
}

TEST_F(OperatorsTest, UnusableNodesCountIfAnOutputNeedsThem) {
  graph.addInput("x", graph.real(), {3, 3});
  std::string random = emitter.unusable("x", "random"),
              other = emitter.unusable("x", "not used");
  std::string y = graph.node("Neg", {random});
  graph.addOutput(y, "y", graph.real(), {3, 3});
  graph.nameOutputs();
  EXPECT_NE(random, other);
  EXPECT_EQ(emitter.neededUnusable(), std::vector<std::string>{"random"});
}

} // namespace
