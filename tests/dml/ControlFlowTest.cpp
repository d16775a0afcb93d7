//===- ControlFlowTest.cpp - Branches and loops, with other statements ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Control flow asks a StatementRunner to run statements. This one knows
// `a = a + 1` and conditions that are variables, so what it is asked for is what
// control flow decides.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/dml/import/internal/ControlFlow.h"
#include "onnxfold/dml/syntax/Parser.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

struct TestRunner : StatementRunner {
  Operators &operators;
  ControlFlow *flow = nullptr;
  StepCount steps;
  llvm::StringMap<unsigned> counts;
  unsigned ran = 0, ranInBodies = 0;

  explicit TestRunner(Operators &operators) : operators(operators) {}

  DmlValue evaluate(const Expr &expr, Variables &variables) override {
    const Expr::Node &node = *expr;
    if (node.kind == Expr::Kind::Number)
      return DmlValue::known(node.number, DmlValue::Int);
    if (node.kind == Expr::Kind::Name)
      return variables.lookup(node.text);
    return operators.binary(node.place, node.text,
                            evaluate(node.operands[0], variables),
                            evaluate(node.operands[1], variables));
  }
  void run(const Body &body, Variables &variables) override {
    for (const Statement &one : body) {
      if (one.kind == Statement::Kind::Assign) {
        ++ran;
        ranInBodies += flow->isInBody();
        variables[(*one.target).text] = evaluate(one.value, variables);
      } else if (one.kind == Statement::Kind::If) {
        flow->choose(one, variables);
      } else {
        flow->loop(one, variables);
      }
    }
  }
  const llvm::StringMap<unsigned> &reads() override { return counts; }
};

struct ControlFlowTest : testing::Test {
  OnnxGraph graph{"g", onnx::TensorProto::DOUBLE, 21};
  Refusals refusals;
  Emitter emitter{graph};
  Operators operators{emitter, refusals};
  TestRunner runner{operators};
  ControlFlow flow{runner, operators, emitter, refusals, runner.steps};
  Variables variables;

  void SetUp() override {
    runner.flow = &flow;
    variables["a"] = DmlValue::known(0, DmlValue::Int);
    variables["open"] = DmlValue::scalar("open", DmlValue::Int);
    variables["test"] = DmlValue::scalar("test", DmlValue::Boolean);
  }
  bool isScalarOfALoop(const char *name) {
    const DmlValue &value = variables[name];
    return value.isScalar() && value.name.starts_with("Loop") &&
           refusals.empty();
  }
  /// The nodes of the main graph.
  std::string run(const char *text) {
    llvm::Expected<Script> script = parseScript(text, "script");
    if (!script)
      return llvm::toString(script.takeError());
    countReads(script->main, runner.counts);
    ++runner.counts["a"]; // it is read afterwards
    runner.run(script->main, variables);
    std::string names;
    for (const StoredNode *node : graph.current->nodes)
      names += (names.empty() ? "" : " ") + node->op.str();
    return names;
  }
};

TEST_F(ControlFlowTest, AKnownConditionTakesOneBranch) {
  EXPECT_EQ(run("if (a == 0) a = 5 else a = open"), "");
  EXPECT_EQ(variables["a"].number, 5);
  EXPECT_EQ(runner.ran, 1u);
  EXPECT_EQ(runner.ranInBodies, 0u);
}

TEST_F(ControlFlowTest, AnOpenConditionRunsBoth) {
  EXPECT_EQ(run("if (test) a = 5 else a = open"), "If");
  EXPECT_EQ(runner.ranInBodies, 2u);
  EXPECT_FALSE(flow.isInBody());
  EXPECT_FALSE(variables["a"].name.empty());
}

/// A variable that both branches leave alike needs no node.
TEST_F(ControlFlowTest, EqualEndsAreNoNode) {
  EXPECT_EQ(run("if (test) a = 5 else a = 5"), "");
  EXPECT_EQ(variables["a"].number, 5);
}

TEST_F(ControlFlowTest, OneAssignedPathIsPartial) {
  run("if (test) b = open else a = 1");
  EXPECT_TRUE(variables["b"].isPartial);
  EXPECT_FALSE(variables["a"].isPartial);
}

TEST_F(ControlFlowTest, ShortLoopsAreUnrolled) {
  EXPECT_EQ(run("for (i in 1:64) a = a + i"), "");
  EXPECT_EQ(variables["a"].number, 2080);
  EXPECT_EQ(runner.ran, 64u);
}

TEST_F(ControlFlowTest, LongLoopsAreNodes) {
  EXPECT_EQ(run("for (i in 1:65) a = a + i"), "Loop");
  EXPECT_LE(runner.ran, 3u);
  EXPECT_EQ(runner.ranInBodies, runner.ran);
}

/// A loop that begins with a number found anew, each time that the loop around
/// it was translated, that the number changes: 2^5 times for five.
TEST_F(ControlFlowTest, NestedLoopsAreTranslatedAboutOnceALevel) {
  constexpr unsigned depth = 12;
  std::string text, ends;
  for (unsigned i = 0; i < depth; ++i) {
    text += "a = 0\nfor (i in 1:open) {\n";
    ends += "a = a + 1\n}\n";
  }
  run((text + ends).c_str());
  EXPECT_LE(runner.ran, 2 * depth * depth);
  EXPECT_TRUE(isScalarOfALoop("a"));
}

/// What a loop came to in one unrolled iteration is not what it is in another.
TEST_F(ControlFlowTest, UnrolledLoopsInALoopKeepTheirTypes) {
  variables["b"] = variables["x"] = DmlValue::matrix("x", 2, 2);
  run("while (test) {\n"
      "  for (i in 1:2) {\n"
      "    c = b\n"
      "    for (j in 1:open) c = c + b\n"
      "    a = c\n"
      "    b = 5\n"
      "  }\n"
      "  b = x\n"
      "}");
  EXPECT_TRUE(isScalarOfALoop("a"));
}

TEST_F(ControlFlowTest, AKnownWhileEnds) {
  EXPECT_EQ(run("while (a < 70) a = a + 1"), "");
  EXPECT_EQ(variables["a"].number, 70);
}

TEST_F(ControlFlowTest, EndlessLoopsAreRefused) {
  run("while (a < 70) a = a * 1");
  ASSERT_EQ(refusals.count(), 1u);
  EXPECT_EQ(refusals.all()[0], ":1:1: a loop of too many steps");
  EXPECT_TRUE(variables["a"].isUnknown());
}

TEST_F(ControlFlowTest, AConditionThatIsNoScalarIsRefused) {
  variables["x"] = DmlValue::matrix("x", 2, 2);
  run("if (x) a = 1");
  ASSERT_EQ(refusals.count(), 1u);
  EXPECT_TRUE(variables["a"].isUnknown());
}

} // namespace
