//===- PartsTest.cpp - Parts of matrices and lists ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/import/internal/Parts.h"
#include "onnxfold/dml/syntax/Parser.h"
#include "llvm/ADT/StringMap.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

struct PartsTest : testing::Test {
  OnnxGraph graph{"g", onnx::TensorProto::DOUBLE, 21};
  Refusals refusals;
  Emitter emitter{graph};
  Operators operators{emitter, refusals};
  DmlValue base = DmlValue::matrix("x", 4, 5);
  llvm::StringMap<DmlValue> variables;
  std::vector<Script> scripts; ///< own the expressions

  DmlValue evaluate(const Expr &expr) {
    const Expr::Node &node = *expr;
    if (node.kind == Expr::Kind::Number)
      return DmlValue::known(node.number, DmlValue::Int);
    return node.kind == Expr::Kind::Text ? textValue(node.text)
                                         : variables.lookup(node.text);
  }
  /// Of "x[1, ]".
  const Expr::Node &parse(const std::string &slice) {
    scripts.push_back(llvm::cantFail(parseScript("y = " + slice, "script")));
    return *scripts.back().main[0].value;
  }
  DmlValue part(const std::string &slice) {
    auto index = [&](const Expr &one) { return evaluate(one); };
    return Parts(operators, emitter, refusals, index).of(parse(slice), base);
  }
  DmlValue assigned(const std::string &slice, const DmlValue &value) {
    auto index = [&](const Expr &one) { return evaluate(one); };
    return Parts(operators, emitter, refusals, index)
        .assigned(parse(slice), base, value);
  }
  std::string nodes() {
    std::string names;
    for (const StoredNode *node : graph.current->nodes)
      names += (names.empty() ? "" : " ") + node->op.str();
    return names;
  }
  /// The reason of the last refusal.
  std::string refusal() {
    std::string text = refusals.empty() ? "" : refusals.takeFrom(0).back();
    return text.substr(text.rfind(": ") + 2);
  }
};

TEST_F(PartsTest, KnownBoundsAreASlice) {
  EXPECT_EQ(sizeText(part("x[2:3, ]")), "2 x 5");
  EXPECT_EQ(sizeText(part("x[, 5]")), "4 x 1");
  EXPECT_EQ(sizeText(part("x[1]")), "1 x 5");
  EXPECT_EQ(part("x[, ]").name, "x");
  EXPECT_EQ(nodes(), "Slice Slice Slice");
}

TEST_F(PartsTest, OneOpenIndexIsAGather) {
  variables["i"] = DmlValue::scalar("i", DmlValue::Int);
  EXPECT_EQ(sizeText(part("x[i, ]")), "1 x 5");
  EXPECT_NE(nodes().find("Gather"), std::string::npos);
  EXPECT_EQ(sizeText(part("x[1:i, ]")), "? x 5");
}

TEST_F(PartsTest, IndicesOutsideAreRefused) {
  EXPECT_TRUE(part("x[5, ]").isUnknown());
  EXPECT_EQ(refusal(), "index 5 of 4");
  EXPECT_TRUE(part("x[0, ]").isUnknown());
  EXPECT_EQ(refusal(), "index 0 of 4");
  EXPECT_TRUE(part("x[3:2, ]").isUnknown());
  EXPECT_EQ(refusal(), "an empty range");
  variables["t"] = textValue("a");
  EXPECT_TRUE(part("x[t, ]").isUnknown());
  EXPECT_EQ(refusal(), "an index that is not a scalar");
}

TEST_F(PartsTest, ElementsOfLists) {
  DmlValue list;
  list.type = DmlValue::List;
  list.elements = {DmlValue::known(1, DmlValue::Int), base};
  list.keys = {"a", "b"};
  base = list;
  EXPECT_EQ(part("x['b']").elements.at(0).name, "x");
  EXPECT_EQ(part("x[1:2]").elements.size(), 2u);
  EXPECT_EQ(part("x[2]").keys, std::vector<std::string>{"b"});
  EXPECT_TRUE(part("x[3]").isUnknown());
  EXPECT_EQ(refusal(), "element 3 of a list of 2");
  EXPECT_TRUE(part("x['c']").isUnknown());
  EXPECT_EQ(refusal(), "the list has no element 'c'");
  EXPECT_EQ(nodes(), "");
}

TEST_F(PartsTest, AssignmentsToElementsOfLists) {
  base = DmlValue();
  base.type = DmlValue::List;
  base.elements = {DmlValue::known(1, DmlValue::Int), textValue("t")};
  base.keys = {"a", "b"};
  DmlValue row = DmlValue::matrix("r", 1, 5);
  EXPECT_EQ(assigned("x['b']", row).elements.at(1).name, "r");
  EXPECT_EQ(assigned("x[1]", row).keys, base.keys);
  DmlValue two = base;
  two.keys = {"c", "d"};
  EXPECT_EQ(assigned("x[1:2]", two).keys, two.keys);
  EXPECT_TRUE(assigned("x[1]", two).isUnknown());
  EXPECT_EQ(refusal(), "2 elements for 1 of a list");
  EXPECT_TRUE(assigned("x[3]", row).isUnknown());
  EXPECT_EQ(refusal(), "element 3 of a list of 2");
  EXPECT_TRUE(assigned("x[2:1]", row).isUnknown());
  EXPECT_EQ(refusal(), "an empty range of a list");
}

/// Each of these lists has twice the values of the one before.
TEST_F(PartsTest, ListsOfListsHaveALimit) {
  base = DmlValue();
  base.type = DmlValue::List;
  base.elements = {DmlValue::known(1, DmlValue::Int),
                   DmlValue::known(2, DmlValue::Int)};
  for (int i = 0; i < 40 && !base.isUnknown(); ++i) {
    DmlValue inner;
    inner.type = DmlValue::List;
    inner.elements = {base};
    DmlValue next = assigned("x[1]", inner);
    if (!next.isUnknown())
      next.elements[1] = base;
    base = next;
  }
  EXPECT_EQ(refusal(), "a list of more than 20000 values");
}

TEST_F(PartsTest, AssignmentsKeepTheSize) {
  DmlValue row = DmlValue::matrix("r", 1, 5);
  EXPECT_EQ(sizeText(assigned("x[2, ]", row)), "4 x 5");
  EXPECT_EQ(nodes(), "ScatterND");
  EXPECT_TRUE(assigned("x[1:2, ]", row).isUnknown());
  EXPECT_EQ(refusal(), "a matrix of 1 x 5 for 2 rows");
  EXPECT_EQ(assigned("x[, ]", DmlValue::matrix("z", 4, 5)).name, "z");
}

} // namespace
