//===- CleanUpTest.cpp - Patterns of one's own, and that they end ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct CleanUpTest : testing::Test {
  CleanUpTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<func::FuncDialect, OnnxDialect>();
    registerAllOperators(context);
    addOnnxFolding(context);
  }

  /// Runs until it ends; the number of walks.
  unsigned run(CleanUp &cleanUp, ModuleOp module) {
    unsigned walks = 0;
    std::optional<Evaluation> evaluation;
    do {
      evaluation.emplace(module, onnxEvaluationOptions());
      ++walks;
    } while (cleanUp.run(*evaluation));
    return walks;
  }

  OwningOpRef<ModuleOp> parse(StringRef operators) {
    std::string text = ("func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n" +
                        operators + "return %y : tensor<2xf32>\n}")
                           .str();
    return parseSourceString<ModuleOp>(text, &context);
  }

  MLIRContext context;
};

constexpr StringLiteral negation =
    "%y = onnx.Neg(%x) <{outputs = [\"y\"], node = 0}> : (tensor<2xf32>) -> "
    "tensor<2xf32>\n";

Value negAsAbs(const CleanUpContext &cx) {
  return cx.op.is("Neg") ? cx.nodes.create("Abs", cx.op.input(0)) : Value();
}
Value absAsNeg(const CleanUpContext &cx) {
  return cx.op.is("Abs") ? cx.nodes.create("Neg", cx.op.input(0)) : Value();
}

TEST_F(CleanUpTest, APatternOfOnesOwn) {
  OwningOpRef<ModuleOp> module = parse(negation);
  CleanUp cleanUp(1, {});
  CleanUpPattern pattern{
      "neg-as-abs",       "wrong, for this test", "Neg", negAsAbs, 1,
      /*makesNodes=*/true};
  cleanUp.add(pattern);
  EXPECT_EQ(run(cleanUp, *module), 1u);
  EXPECT_EQ(cleanUp.problem(), "");
  ASSERT_EQ(cleanUp.session().replaced().size(), 1u);
  EXPECT_EQ(cleanUp.session().patternOf(cleanUp.session().replaced()[0]),
            "neg-as-abs");
}

/// A node that repeats one which a pattern replaced is replaced by the same
/// value; no pattern looks at it.
TEST_F(CleanUpTest, ARepeatedNodeIsWhatReplacedTheFirst) {
  OwningOpRef<ModuleOp> module = parse(
      R"mlir(%a = onnx.Neg(%x) <{outputs = ["a"], node = 0}> : (tensor<2xf32>) -> tensor<2xf32>
      %b = onnx.Neg(%x) <{outputs = ["b"], node = 1}> : (tensor<2xf32>) -> tensor<2xf32>
      %y = onnx.Add(%a, %b) <{outputs = ["y"], node = 2}> : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      )mlir");
  CleanUp cleanUp(1, {});
  CleanUpPattern pattern{
      "neg-as-abs",       "wrong, for this test", "Neg", negAsAbs, 1,
      /*makesNodes=*/true};
  cleanUp.add(pattern);
  run(cleanUp, *module);
  std::vector<StringRef> by;
  for (Operation *op : cleanUp.session().replaced())
    by.push_back(cleanUp.session().patternOf(op));
  EXPECT_EQ(by, (std::vector<StringRef>{"neg-as-abs", "common-subexpression"}));
  Operation *sum = nullptr;
  module->walk([&](Operation *op) {
    if (Operator node = Operator::from(op); node && node.is("Add"))
      sum = op;
  });
  ASSERT_TRUE(sum);
  EXPECT_EQ(sum->getOperand(0), sum->getOperand(1));
  EXPECT_TRUE(Operator::from(sum->getOperand(0).getDefiningOp()).is("Abs"));
}

/// Each undoes what the other does: an error that names them, and an end.
TEST_F(CleanUpTest, PatternsThatUndoEachOther) {
  OwningOpRef<ModuleOp> module = parse(negation);
  CleanUp cleanUp(1, {});
  CleanUpPattern there{"neg-as-abs", "", "Neg",
                       negAsAbs,     1,  /*makesNodes=*/true};
  CleanUpPattern back{"abs-as-neg", "", "", absAsNeg, 1, /*makesNodes=*/true};
  cleanUp.add(there);
  cleanUp.add(back);
  EXPECT_LT(run(cleanUp, *module), 10u);
  EXPECT_NE(cleanUp.problem().find("do not come to an end: "),
            std::string::npos);
  EXPECT_NE(cleanUp.problem().find("neg-as-abs 1"), std::string::npos)
      << cleanUp.problem();
  EXPECT_NE(cleanUp.problem().find("abs-as-neg 1"), std::string::npos)
      << cleanUp.problem();
}

} // namespace
