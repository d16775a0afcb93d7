//===- EvaluatorTest.cpp - One operation ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Operands are put into the table by hand; nothing is walked.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/internal/Evaluator.h"
#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class EvaluatorTest : public ConstpropTest {
protected:
  EvaluatorTest()
      : bodies(
            options,
            [this](Operation *op, const Walk &walk) {
              (void)evaluator.evaluate(op, walk);
            },
            [] { return nullptr; }),
        evaluator(options, bodies) {
    parse(R"mlir(func.func @f(%x: tensor<2xi64>, %y: tensor<2xi64>) {
      %a = "t.add"(%x, %y) {id = "add"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %w = "t.wrong_shape"(%x) {id = "wrong"} : (tensor<2xi64>) -> tensor<2xi64>
      %n = "t.nothing"(%x) {id = "none"} : (tensor<2xi64>) -> tensor<2xi64>
      return
    })mlir");
    x = find("add")->getOperand(0);
    y = find("add")->getOperand(1);
  }

  void know(Value value, int64_t first, int64_t second) {
    values.set(value, FoldedValue(
                          Elements::fromValues<int64_t>({2}, {first, second})));
  }
  ReasonCode evaluate(StringRef id) {
    Walk walk{.values = values,
              .loops = loops,
              .limits = options.limits,
              .isTrial = isTrial};
    return evaluator.evaluate(find(id), walk).code;
  }
  const ValueState &result(StringRef id) {
    return values.at(find(id)->getResult(0));
  }

  EvaluationOptions options;
  ValueTable values{Precision::Exact};
  LoopSolver loops;
  bool isTrial = false;
  BodyRunner bodies;
  Evaluator evaluator;
  Value x, y;
};

} // namespace

TEST_F(EvaluatorTest, foldsKnownOperands) {
  know(x, 1, 2);
  know(y, 10, 20);
  EXPECT_EQ(evaluate("add"), ReasonCode::None);
  EXPECT_EQ(result("add").value.ints()[1], 22);
  EXPECT_FALSE(values.findReason(find("add"))); // the walk's to note
}

TEST_F(EvaluatorTest, saysWhyNot) {
  know(x, 1, 2);
  EXPECT_EQ(evaluate("add"), ReasonCode::InputNotConstant);
  EXPECT_EQ(result("add").type, DataType::Int64); // inferred all the same
  EXPECT_EQ(evaluate("none"), ReasonCode::NoKernel);
  EXPECT_EQ(evaluate("wrong"), ReasonCode::Inconsistent);
  EXPECT_FALSE(result("wrong").value);
}

TEST_F(EvaluatorTest, limitsAndFilters) {
  know(x, 1, 2);
  know(y, 10, 20);
  options.limits.maxResultBytes = 15;
  EXPECT_EQ(evaluate("add"), ReasonCode::ResultLimit);
  options.limits.maxResultBytes = 16;
  EXPECT_EQ(evaluate("add"), ReasonCode::None);
  options.filter = [](Operation *) {
    return notFolded(ReasonCode::Filtered, "");
  };
  EXPECT_EQ(evaluate("add"), ReasonCode::Filtered);
}

/// What one walk of a loop's body assumes must not get into the IR.
TEST_F(EvaluatorTest, trialsDoNotRefineTypes) {
  know(x, 1, 2);
  know(y, 10, 20);
  int before = callsOfRefine;
  evaluate("add");
  EXPECT_EQ(callsOfRefine, before); // nobody asks for it
  options.refinesTypes = true;
  isTrial = true;
  EXPECT_EQ(evaluate("add"), ReasonCode::None);
  EXPECT_EQ(callsOfRefine, before);
  isTrial = false;
  evaluate("add");
  EXPECT_EQ(callsOfRefine, before + 1);
}

TEST_F(EvaluatorTest, resultsThatContradictTheirTypeAreNotNoted) {
  Operation *op = find("add");
  evaluate("add");
  EXPECT_EQ(evaluator.record(op, Elements::splat<int64_t>({3}, 1), values).code,
            ReasonCode::Inconsistent);
  EXPECT_FALSE(result("add").value);
  EXPECT_EQ(evaluator.record(op, Elements::splat<int64_t>({2}, 1), values).code,
            ReasonCode::None);
  EXPECT_TRUE(result("add").value);
}
