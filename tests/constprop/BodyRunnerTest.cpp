//===- BodyRunnerTest.cpp - Runs of bodies and functions ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operations are evaluated by a C++ function: "t.one" is 1, "t.neg" negates.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/internal/BodyRunner.h"
#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class BodyRunnerTest : public ConstpropTest {
protected:
  BodyRunnerTest()
      : runner(
            options,
            [this](Operation *op, const Walk &walk) { visit(op, walk); },
            [this] { return functions ? &*functions : nullptr; }) {}

  void visit(Operation *op, const Walk &walk) {
    depths.push_back(walk.depth);
    if (op->getName().getStringRef() == "t.one") {
      walk.values.set(op->getResult(0), FoldedValue(number(1)));
      walk.values.setReason(op, {});
      return;
    }
    const ValueState *in =
        op->getNumOperands() ? &walk.values.of(op->getOperand(0)) : nullptr;
    if (op->getName().getStringRef() != "t.neg" || !in || !in->isConstant()) {
      walk.values.setReason(op, undefined("is undefined"));
      return;
    }
    walk.values.set(op->getResult(0),
                    FoldedValue(number(-in->value.ints()[0])));
    walk.values.setReason(op, {});
  }

  static Elements number(int64_t n) {
    return Elements::fromValues<int64_t>({1}, {n});
  }

  void parseBody(StringRef body) {
    parse(("\"t.run\"() ({ ^bb0(%x: tensor<1xi64>):\n" + body +
           "}) {id = \"op\"} : () -> ()")
              .str());
  }
  FoldResult run(ArrayRef<FoldedValue> arguments, unsigned depth = 0) {
    Walk walk{.values = values, .loops = loops, .limits = {}, .depth = depth};
    return runner.runBody(find("op")->getRegion(0), arguments, walk, used);
  }

  EvaluationOptions options;
  ValueTable values{Precision::Exact};
  LoopSolver loops;
  UsedLimits used;
  std::optional<SymbolTable> functions;
  std::vector<unsigned> depths;
  BodyRunner runner;
};

constexpr const char *negates = R"(
  %y = "t.neg"(%x) : (tensor<1xi64>) -> tensor<1xi64>
  "t.yield"(%y) : (tensor<1xi64>) -> ())";

} // namespace

TEST_F(BodyRunnerTest, givesWhatTheTerminatorReads) {
  parseBody(negates);
  FoldResult result = run({FoldedValue(number(3))});
  ASSERT_TRUE(result) << result.reason().text;
  EXPECT_EQ(result.values()[0].tensor.ints()[0], -3);
  EXPECT_EQ(depths, std::vector<unsigned>{1});
}

TEST_F(BodyRunnerTest, leavesTheTableAroundAsItIs) {
  parseBody(negates);
  ASSERT_TRUE(run({FoldedValue(number(3))}));
  Operation &neg = find("op")->getRegion(0).front().front();
  EXPECT_FALSE(values.findReason(&neg));
  EXPECT_FALSE(values.of(neg.getResult(0)).value);
}

TEST_F(BodyRunnerTest, argumentsMustBeWhatTheirTypesSay) {
  parseBody(negates);
  EXPECT_EQ(run({}).reason().code, ReasonCode::Invalid);
  EXPECT_EQ(run({FoldedValue()}).reason().code, ReasonCode::Invalid);
  EXPECT_EQ(run({FoldedValue(Elements::splat<float>({1}, 1))}).reason().code,
            ReasonCode::Inconsistent);
  EXPECT_EQ(run({FoldedValue(Elements::splat<int64_t>({2}, 1))}).reason().code,
            ReasonCode::Inconsistent);
  EXPECT_TRUE(depths.empty());
}

TEST_F(BodyRunnerTest, theReasonIsThatOfTheOperationToBlame) {
  parseBody(R"(
    %y = "t.div"(%x) : (tensor<1xi64>) -> tensor<1xi64>
    "t.yield"(%y) : (tensor<1xi64>) -> ())");
  FoldResult result = run({FoldedValue(number(3))});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.reason().code, ReasonCode::Undefined);
  EXPECT_EQ(result.reason().text, "in its body, t.div: is undefined");
}

/// It is not read, but must run.
TEST_F(BodyRunnerTest, whatMayNotBeErasedKeepsTheBody) {
  const char *text = R"(
    %s = "t.NAME"(%x) : (tensor<1xi64>) -> tensor<1xi64>
    "t.yield"(%x) : (tensor<1xi64>) -> ())";
  parseBody(
      std::string(text).replace(std::string(text).find("NAME"), 4, "sticky"));
  EXPECT_FALSE(run({FoldedValue(number(3))}));
  parseBody(
      std::string(text).replace(std::string(text).find("NAME"), 4, "div"));
  EXPECT_TRUE(run({FoldedValue(number(3))}));
}

TEST_F(BodyRunnerTest, depthIsLimited) {
  parseBody(negates);
  EXPECT_TRUE(run({FoldedValue(number(3))}, 99));
  EXPECT_EQ(run({FoldedValue(number(3))}, 100).reason().code,
            ReasonCode::WorkLimit);
}

TEST_F(BodyRunnerTest, functionsKnowNothingOfWhatIsAround) {
  parse(R"mlir(
    func.func @g(%x: tensor<1xi64>, %z: tensor<1xi64>) -> tensor<1xi64> {
      %y = "t.neg"(%x) : (tensor<1xi64>) -> tensor<1xi64>
      return %y : tensor<1xi64>
    }
    func.func @f(%x: tensor<1xi64>) {
      %r = call @g(%x, %x) {id = "call"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
      return
    })mlir");
  functions.emplace(*module);
  OwningOpRef<Operation *> callee = runner.calleeOf(find("call"));
  ASSERT_TRUE(callee);
  ValueState x, absent;
  x.value = number(4);
  absent.absent = true;
  ValueState *inputs[] = {&x, &absent};
  UsedLimits all;
  Walk walk{.values = values, .loops = loops, .limits = {}, .used = &all};
  FoldResult result = runner.runFunction(*callee, 1, inputs, walk);
  ASSERT_TRUE(result) << result.reason().text;
  EXPECT_EQ(result.values()[0].tensor.ints()[0], -4);
  EXPECT_GT(all.work, 0); // a copy is work
  EXPECT_EQ(runner.runFunction(*callee, 2, inputs, walk).reason().code,
            ReasonCode::Inconsistent);
  // MLIR's own calls leave no argument out.
  find("call")->eraseOperand(1);
  EXPECT_FALSE(runner.calleeOf(find("call")));
}
