//===- EvaluatedTypesTest.cpp - What an evaluation does to types ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using namespace mlir;

namespace {

struct EvaluatedTypesTest : testing::Test {
  EvaluatedTypesTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<func::FuncDialect, OnnxDialect>();
    registerAllOperators(context);
    addOnnxFolding(context, {FoldQuantization::None});
  }

  /// Evaluates, and returns the text of the module before and after it.
  std::pair<std::string, std::string> evaluate(StringRef text,
                                               EvaluationOptions options) {
    module = parseSourceString<ModuleOp>(text, &context);
    std::string before = print();
    evaluation.emplace(*module, std::move(options));
    evaluation->run();
    return {before, print()};
  }

  std::string print() {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module->print(stream);
    return text;
  }

  Operation *find(StringRef name) {
    Operation *found = nullptr;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == name)
        found = op;
    });
    return found;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::optional<Evaluation> evaluation;
};

/// No type is stated of what is made; of the loop's argument %c it follows from
/// the operand that it is a sequence, and of what is taken out of it, its type.
constexpr StringLiteral untyped = R"mlir(
func.func @f(%x: tensor<2xf32>, %m: tensor<i64>, %k: tensor<i64>) -> !onnx.unknown {
  %yes = onnx.Constant dense<true> : tensor<i1>
  %s = onnx.SequenceConstruct(%x, %x) <{since = 11}> : (tensor<2xf32>, tensor<2xf32>) -> !onnx.unknown
  %r = onnx.Loop(%m, %yes, %s) <{since = 16}> : (tensor<i64>, tensor<i1>, !onnx.unknown) -> !onnx.unknown with body(%i: tensor<i64>, %go: tensor<i1>, %c: !onnx.unknown) {
    %n = onnx.SequenceInsert(%c, %x) <{since = 11}> : (!onnx.unknown, tensor<2xf32>) -> !onnx.unknown
    onnx.Yield %go, %n : tensor<i1>, !onnx.unknown
  }
  %t = onnx.SequenceAt(%r, %k) <{since = 11}> : (!onnx.unknown, tensor<i64>) -> !onnx.unknown
  return %t : !onnx.unknown
})mlir";

} // namespace

// An evaluation wrote kinds into results and arguments of loops, although it
// was const and said that it did not touch the IR.
TEST_F(EvaluatedTypesTest, theIrIsNotTouched) {
  auto [before, after] = evaluate(untyped, onnxEvaluationOptions());
  EXPECT_EQ(after, before);
  // What was inferred went along all the same, through the loop too.
  Operation *at = find("onnx.SequenceAt");
  ASSERT_TRUE(at);
  EXPECT_EQ(evaluation->state(at->getResult(0)).type, DataType::Float32);
}

TEST_F(EvaluatedTypesTest, typesAreWrittenIfThatIsAsked) {
  EvaluationOptions options = onnxEvaluationOptions();
  options.refinesTypes = true;
  auto [before, after] = evaluate(untyped, options);
  EXPECT_NE(after, before);
  Operation *insert = find("onnx.SequenceInsert");
  ASSERT_TRUE(insert);
  for (Type type :
       {insert->getOperand(0).getType(), insert->getResult(0).getType()})
    EXPECT_FALSE(isa<OnnxUnknownType>(type));
}

TEST_F(EvaluatedTypesTest, conflictsAreHandedOut) {
  constexpr StringLiteral wrong = R"mlir(
func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a = onnx.Neg(%x) <{since = 13, outputs = ["a"], node = 0}> : (tensor<2xf32>) -> tensor<3xf32>
  %b = onnx.Abs(%a) <{since = 13, outputs = ["b"], node = 1}> : (tensor<3xf32>) -> tensor<2xf32>
  return %b : tensor<2xf32>
})mlir";
  TypeConflicts conflicts;
  EvaluationOptions options = onnxEvaluationOptions();
  options.noteTypeConflict = [&](Value value, Type inferred) {
    conflicts.note(value, inferred);
    conflicts.note(value, inferred); // once is enough
  };
  evaluate(wrong, options);
  EXPECT_TRUE(conflicts.all().empty()); // types are not written
  options.refinesTypes = true;
  evaluate(wrong, options);
  ASSERT_EQ(conflicts.all().size(), 1u);
  EXPECT_EQ(conflicts.all()[0],
            (TypeConflict{"a", "tensor<3xf32>", "tensor<2xf32>"}));
}

TEST_F(EvaluatedTypesTest, quantisationIsAPolicy) {
  constexpr StringLiteral quantized = R"mlir(
func.func @f() -> tensor<2xui8> {
  %x = onnx.Constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = onnx.Constant dense<0.5> : tensor<f32>
  %q = onnx.QuantizeLinear(%x, %s) <{since = 13}> : (tensor<2xf32>, tensor<f32>) -> tensor<2xui8>
  return %q : tensor<2xui8>
})mlir";
  EvaluationOptions options = onnxEvaluationOptions();
  evaluate(quantized, options);
  EXPECT_EQ(evaluation->reason(find("onnx.QuantizeLinear")).code,
            ReasonCode::Quantization);
  options.policy = [](Operation *) -> Reason { return {}; };
  evaluate(quantized, options);
  EXPECT_TRUE(evaluation->isFoldable(find("onnx.QuantizeLinear")));
  // And the other way round: what the dialect says nothing of is kept.
  options.policy = [](Operation *) -> Reason {
    return notFolded(ReasonCode::Filtered, "by policy");
  };
  evaluate(quantized, options);
  EXPECT_EQ(evaluation->reason(find("onnx.QuantizeLinear")).text, "by policy");
}
