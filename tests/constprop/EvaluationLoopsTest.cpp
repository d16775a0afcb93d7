//===- EvaluationLoopsTest.cpp - Bodies that run again and again ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"
#include "gmock/gmock.h"

using namespace onnxfold;

namespace {

struct EvaluationLoopsTest : ConstpropTest {
  /// How often each operation with an id was visited, and inferred.
  std::map<std::string, int> visits, inferences;

  void evaluateWithVisitors() {
    evaluation.emplace(*module, EvaluationOptions());
    evaluation->refineTypes();
    auto count = [](std::map<std::string, int> &counts, mlir::Operation *op) {
      if (auto id = op->getAttrOfType<mlir::StringAttr>("id"))
        ++counts[id.getValue().str()];
    };
    evaluation->run([&](mlir::Operation *op) { count(visits, op); },
                    [&](mlir::Operation *op) { count(inferences, op); });
  }

  /// The size of a vector, if it is known.
  std::optional<int64_t> size(llvm::StringRef id, unsigned i = 0) {
    const ValueState &state = evaluation->state(find(id)->getResult(i));
    return state.shape ? evaluation->exprs().valueOf((*state.shape)[0])
                       : std::nullopt;
  }
};

/// Carries %a as it is, %b as the sum of both, and %c as a constant.
constexpr const char *simple = R"mlir(func.func @f(%x: tensor<3xi64>) {
  %a = arith.constant dense<[1, 2]> : tensor<2xi64>
  %r:3 = "t.loop"(%a, %a, %a) ({
  ^bb0(%i: tensor<?xi64>, %j: tensor<?xi64>, %k: tensor<?xi64>):
    %s = "t.shape"(%j) {id = "shape"} : (tensor<?xi64>) -> tensor<1xi64>
    %d = "t.add"(%i, %i) {id = "double"} : (tensor<?xi64>, tensor<?xi64>) -> tensor<?xi64>
    %n = "t.add"(%i, %j) {id = "sum"} : (tensor<?xi64>, tensor<?xi64>) -> tensor<2xi64>
    %c = arith.constant dense<[7, 8]> : tensor<2xi64>
    "t.yield"(%i, %n, %c) : (tensor<?xi64>, tensor<2xi64>, tensor<2xi64>) -> ()
  }) {id = "loop" RUNS} : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> (tensor<?xi64>, tensor<?xi64>, tensor<?xi64>)
  %n = "t.neg"(%r#0) {id = "first"} : (tensor<?xi64>) -> tensor<?xi64>
  %o = "t.neg"(%r#1) {id = "second"} : (tensor<?xi64>) -> tensor<?xi64>
  %p = "t.neg"(%r#2) {id = "third"} : (tensor<?xi64>) -> tensor<?xi64>
  return
})mlir";

std::string withRuns(std::string source, bool runs) {
  source.replace(source.find(" RUNS"), 5, runs ? ", runs" : "");
  return source;
}

} // namespace

TEST_F(EvaluationLoopsTest, whatHoldsInEveryIterationIsKnownInTheBodyAndAfter) {
  for (bool runs : {false, true}) {
    parse(withRuns(simple, runs));
    evaluate();
    EXPECT_EQ(outcome("shape"), "folded");
    EXPECT_EQ(ints("shape"), std::vector<int64_t>{2});
    EXPECT_EQ(outcome("double"), "folded");
    EXPECT_EQ(outcome("sum"), "input-not-constant"); // 1 + 1 at first
    EXPECT_EQ(outcome("first"), "folded");
    EXPECT_EQ(ints("first"), (std::vector<int64_t>{-1, -2}));
    EXPECT_EQ(outcome("second"), "input-not-constant");
    EXPECT_EQ(size("loop", 1), 2);
    EXPECT_EQ(outcome("third"), runs ? "folded" : "input-not-constant");
  }
}

/// Walks that only find out what holds are nobody's business.
TEST_F(EvaluationLoopsTest, onlyTheLastWalkIsSeen) {
  parse(withRuns(simple, false));
  callsOfRefine = 0;
  evaluateWithVisitors();
  for (const char *id : {"shape", "double", "sum", "loop"})
    EXPECT_EQ(visits[id], 1) << id;
  EXPECT_GT(inferences["sum"], 1);
  EXPECT_EQ(inferences["loop"], 1);
  EXPECT_EQ(callsOfRefine, 10); // two of them by values
  EXPECT_TRUE(evaluation->mayLearn(find("sum")));
  EXPECT_FALSE(evaluation->mayLearn(find("loop")));
}

/// Each level carries two values that it exchanges and one that it adds to: two
/// wrong assumptions. If each walk of a body began its loops anew there would
/// be three times as many walks for every level.
TEST_F(EvaluationLoopsTest, nestedLoopsAreNotWalkedExponentially) {
  for (int depth : {3, 12, 24}) {
    std::string source = R"mlir(func.func @f(%x: tensor<2xi64>) {
      %p0 = arith.constant dense<[1, 2]> : tensor<2xi64>
      %q0 = arith.constant dense<[3, 4]> : tensor<2xi64>)mlir";
    const std::string type = "tensor<2xi64>", two = type + ", " + type;
    for (int k = 0; k < depth; ++k) {
      std::string n = std::to_string(k), m = std::to_string(k + 1);
      source += "\n%r" + m + ":2 = \"t.loop\"(%p" + n + ", %q" + n +
                ") ({\n^bb0(%i" + m + ": " + type + ", %j" + m + ": " + type +
                "):\n%p" + m + " = \"t.add\"(%i" + m + ", %x) : (" + two +
                ") -> " + type + "\n%q" + m + " = \"t.add\"(%j" + m + ", %j" +
                m + ") : (" + two + ") -> " + type;
    }
    source += "\n%c = arith.constant dense<1> : tensor<2xi64>\n%b = \"t.big\"("
              "%c) {id = \"big\"} : (tensor<2xi64>) -> tensor<2xi64>";
    for (int k = depth; k > 0; --k) {
      std::string m = std::to_string(k);
      source += "\n\"t.yield\"(%q" + m + ", %p" + m + ") : (" + two +
                ") -> ()\n}) {id = \"l" + m + "\"} : (" + two + ") -> (" + two +
                ")";
    }
    parse(source + "\nreturn\n}");
    callsOfBig = 0;
    evaluate();
    EXPECT_LE(callsOfBig, 3 * depth + 3) << depth << " levels";
    EXPECT_EQ(outcome("big"), "folded");
  }
}

/// What is computed in quiet walks is bounded, and computed in the last one.
TEST_F(EvaluationLoopsTest, largeResultsWaitForTheLastWalk) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<1> : tensor<2xi64>
    %r = "t.loop"(%a) ({
    ^bb0(%i: tensor<2xi64>):
      %c = arith.constant dense<1> : tensor<2xi64>
      %b = "t.big"(%c) {id = "big", n = 1000000} : (tensor<2xi64>) -> tensor<2xi64>
      %w = "t.work"(%c) {id = "work", n = 1000000000} : (tensor<2xi64>) -> tensor<2xi64>
      %n = "t.add"(%i, %w) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "t.yield"(%n) : (tensor<2xi64>) -> ()
    }) {id = "loop"} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("big"), "folded");
  EXPECT_EQ(outcome("work"), "folded");
  EXPECT_FALSE(evaluation->mayBeKept(ReasonCode::ResultLimit));
  EXPECT_FALSE(evaluation->mayBeKept(ReasonCode::WorkLimit));
}
