//===- DecompositionTest.cpp - What is searched for, and when again -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/Decomposition.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct DecompositionTest : testing::Test {
  DecompositionTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<func::FuncDialect, OnnxDialect>();
    registerAllOperators(context);
    addOnnxFolding(context);
  }

  /// A graph of one input, which is also its output.
  OwningOpRef<ModuleOp> parse(StringRef type, StringRef operators) {
    std::string text = ("func.func @f(%x: " + type + ") -> " + type + " {\n" +
                        operators + "return %x : " + type + "\n}")
                           .str();
    return parseSourceString<ModuleOp>(text, &context);
  }

  /// What each operator of this type is, by a new evaluation.
  SmallVector<Value> run(ModuleOp module, StringRef opType,
                         std::optional<int64_t> most = std::nullopt) {
    RewriteSession session;
    Evaluation evaluation(module, onnxEvaluationOptions());
    evaluation.run();
    session.begin(evaluation);
    NodeBuilder &nodes = session.nodes();
    SmallVector<Operation *> operators;
    module.walk([&](Operation *op) {
      if (Operator node = Operator::from(op);
          node && node.is(OperatorName(opType)))
        operators.push_back(op);
    });
    SmallVector<Value> values;
    for (Operation *op : operators) {
      nodes.begin(op);
      values.push_back(decomposition.run({Operator::from(op), session}, most));
      if (!nodes.isIdle())
        nodes.finish(values.back());
    }
    return values;
  }

  MLIRContext context;
  Decomposition decomposition{{}};
};

/// By types and ranks it fails, whatever sizes and weights are.
TEST_F(DecompositionTest, ThousandsOfNormsCostOneSearch) {
  std::string text;
  for (int i = 1; i <= 2000; ++i) {
    std::string n = std::to_string(i), type = "tensor<" + n + "xf32>";
    text += "%w" + n + " = onnx.Constant dense<" + n + ".0> : " + type + "\n";
    text += "%n" + n + " = onnx.LayerNormalization(%w" + n + ", %w" + n +
            ") <{outputs = [\"n" + n + "\"], since = 17}> : (" + type + ", " +
            type + ") -> " + type + "\n";
  }
  OwningOpRef<ModuleOp> module = parse("tensor<?xf32>", text);
  ASSERT_TRUE(module);
  SmallVector<Value> values = run(*module, "LayerNormalization");
  ASSERT_EQ(values.size(), 2000u);
  EXPECT_FALSE(llvm::any_of(values, [](Value value) { return bool(value); }));
  EXPECT_EQ(decomposition.numSearches(), 1u);
}

constexpr StringLiteral crop =
    "%s = onnx.Constant dense<5> : tensor<1xi64>\n"
    "%y = onnx.CenterCropPad(%x, %s) <{outputs = [\"y\"], since = 18}>"
    " : (!onnx.unknown, tensor<1xi64>) -> tensor<5xf32>\n";

/// The operator that failed is tried when its input has a size, and not before.
TEST_F(DecompositionTest, ThatWhichFailedIsTriedAgainWhenMoreIsKnown) {
  std::string text = crop.str();
  auto typed = [&](StringRef type) {
    std::string here = text;
    here.replace(here.find("!onnx.unknown"), 13, type.str());
    return parse(type, here);
  };
  OwningOpRef<ModuleOp> open = typed("tensor<?xf32>");
  ASSERT_TRUE(open);
  EXPECT_FALSE(run(*open, "CenterCropPad")[0]);
  EXPECT_EQ(decomposition.numSearches(), 2u); // by ranks, by what is known
  EXPECT_FALSE(run(*open, "CenterCropPad")[0]);
  EXPECT_EQ(decomposition.numSearches(), 2u);
  OwningOpRef<ModuleOp> known = typed("tensor<9xf32>");
  Value value = run(*known, "CenterCropPad")[0];
  ASSERT_TRUE(value);
  EXPECT_TRUE(Operator::from(value.getDefiningOp()).is("Slice"));
  EXPECT_EQ(decomposition.numSearches(), 3u);
  OwningOpRef<ModuleOp> same = typed("tensor<5xf32>");
  EXPECT_TRUE(isa<BlockArgument>(run(*same, "CenterCropPad")[0]));
}

/// A start and an end for a size are 8 bytes more.
TEST_F(DecompositionTest, GrowthIsWithinTheBudget) {
  std::string text = crop.str();
  text.replace(text.find("!onnx.unknown"), 13, "tensor<9xf32>");
  OwningOpRef<ModuleOp> module = parse("tensor<9xf32>", text);
  EXPECT_FALSE(run(*module, "CenterCropPad", 7)[0]);
  EXPECT_TRUE(decomposition.isLimited());
  EXPECT_EQ(decomposition.growth(), 0);
  EXPECT_TRUE(run(*module, "CenterCropPad", 8)[0]);
  EXPECT_EQ(decomposition.growth(), 8);
}

/// Not of other versions, nor of operators with bodies or without any function.
TEST_F(DecompositionTest, OthersAreNotLookedAt) {
  OwningOpRef<ModuleOp> module =
      parse("tensor<3xf32>",
            "%y = onnx.Exp(%x) : (tensor<3xf32>) -> tensor<3xf32>\n"
            "%z = onnx.Relu(%x) <{since = 13}>"
            " : (tensor<3xf32>) -> tensor<3xf32>\n"
            "%r = onnx.Bernoulli(%x) : (tensor<3xf32>) -> tensor<3xf32>\n");
  for (StringRef type : {"Exp", "Relu", "Bernoulli"})
    EXPECT_FALSE(run(*module, type)[0]);
  EXPECT_EQ(decomposition.numSearches(), 0u);
}

} // namespace
