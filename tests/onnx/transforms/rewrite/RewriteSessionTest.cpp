//===- RewriteSessionTest.cpp - Replacing, rewiring, and names ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/RewriteSession.h"
#include "onnxfold/tests/onnx/transforms/RewriteTest.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct RewriteSessionTest : RewriteTest {
  /// A walk has ended.
  void begin(ModuleOp module, EvaluationOptions options = {}) {
    evaluation.emplace(module, options);
    evaluation->run();
    session.begin(*evaluation);
  }

  std::optional<Evaluation> evaluation;
  RewriteSession session;
};

TEST_F(RewriteSessionTest, ReadersOfAReplacedNodeAreRewired) {
  auto module = parse(unary("a", "Abs", "x") + unary("b", "Neg", "a") +
                      unary("y", "Exp", "b"));
  begin(*module);
  Operation *abs = find(*module, "a"), *neg = find(*module, "b");
  Operation *exp = find(*module, "y");
  EXPECT_TRUE(session.replace(neg, abs->getResult(0), "test"));
  EXPECT_EQ(exp->getOperand(0), abs->getResult(0));
  EXPECT_TRUE(session.isReplaced(neg));
  EXPECT_EQ(session.patternOf(neg), "test");
  EXPECT_TRUE(session.isRewired(exp));
  EXPECT_FALSE(session.isRewired(abs));
  EXPECT_EQ(session.replaced().size(), 1u);
  // Nobody reads it any more.
  EXPECT_FALSE(session.replace(neg, abs->getResult(0), "test"));
}

/// A graph output keeps its name: what takes the place of its node gets it.
TEST_F(RewriteSessionTest, AGraphOutputGivesItsName) {
  auto module = parse(unary("a", "Abs", "x") + unary("y", "Identity", "a"));
  begin(*module);
  Operation *abs = find(*module, "a"), *copy = find(*module, "y");
  EXPECT_TRUE(session.replace(copy, abs->getResult(0), "identity"));
  EXPECT_EQ(valueName(abs->getResult(0)), "y");
  EXPECT_EQ(session.outputName(Operator::from(abs), 0), "a");
}

/// An input of the graph has the name that callers use.
TEST_F(RewriteSessionTest, AnInputCannotTakeTheNameOfAnOutput) {
  auto module = parse(unary("y", "Identity", "x"));
  begin(*module);
  Operation *copy = find(*module, "y");
  EXPECT_FALSE(session.replace(copy, copy->getOperand(0), "identity"));
  EXPECT_TRUE(session.replaced().empty());
}

TEST_F(RewriteSessionTest, WhatIsReplacedReadsNothing) {
  auto module = parse(unary("a", "Abs", "x") + unary("b", "Neg", "a") +
                      unary("y", "Exp", "a"));
  begin(*module);
  Operation *abs = find(*module, "a");
  EXPECT_EQ(session.countReaders(abs->getResult(0), 9), 2u);
  EXPECT_EQ(session.countReaders(abs->getResult(0), 1), 1u);
  session.markReplaced(find(*module, "b"), "test", /*isUnread=*/true);
  EXPECT_EQ(session.countReaders(abs->getResult(0), 9), 1u);
  EXPECT_FALSE(session.knowsMore());
}

/// A pattern did not fire because of two users, of which one was erased.
TEST_F(RewriteSessionTest, ErasedReadersAskForAnotherWalk) {
  auto module = parse(unary("a", "Abs", "x") + unary("b", "Neg", "a") +
                      unary("y", "Exp", "a"));
  begin(*module);
  EXPECT_FALSE(session.haveReadersBeenErased());
  session.noteReaders(find(*module, "a")->getResult(0));
  session.markReplaced(find(*module, "b"), "test", /*isUnread=*/true);
  EXPECT_TRUE(session.haveReadersBeenErased());
  EXPECT_FALSE(session.haveReadersBeenErased()); // until somebody asks again
}

TEST_F(RewriteSessionTest, UnusedNodesAreListedInProgramOrder) {
  auto module = parse(unary("a", "Abs", "x") + unary("b", "Neg", "a") +
                      unary("y", "Exp", "x"));
  begin(*module);
  Operation *abs = find(*module, "a"), *neg = find(*module, "b");
  session.markReplaced(neg, "unused-node", /*isUnread=*/true);
  session.markReplaced(abs, "unused-node", /*isUnread=*/true);
  session.reverseReplaced(0);
  EXPECT_EQ(session.replaced()[0], abs);
  EXPECT_EQ(session.replaced()[1], neg);
}

TEST(GrowthLedgerTest, WhatIsLeft) {
  GrowthLedger growth;
  EXPECT_FALSE(growth.left() || growth.leftForPlan());
  growth.limit = 100;
  growth.lifted = 20;
  growth.decomposed = 30;
  growth.undecomposed = 10; // go with the plan, which counts them
  EXPECT_EQ(growth.made(), 50);
  EXPECT_EQ(growth.leftForPlan(), 50);
  EXPECT_EQ(growth.left(), 60);
}

} // namespace
