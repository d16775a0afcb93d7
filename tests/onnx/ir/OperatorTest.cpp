//===- OperatorTest.cpp - Handles, definitions and hooks ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Operator.h"
#include "onnxfold/onnx/ir/NodeLabel.h"

#include "TestOperators.h"
#include "onnxfold/onnx/ir/Schemas.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "onnx/defs/schema.h"

using namespace onnxfold;
using namespace mlir;

TEST_F(OperatorTest, HandleOfOtherOperationsIsNull) {
  EXPECT_FALSE(Operator::from(nullptr));
  EXPECT_FALSE(Operator::from(*module));
  EXPECT_FALSE(Operator::from(value("none").getDefiningOp()));
  EXPECT_FALSE(Operator());
}

TEST_F(OperatorTest, Identity) {
  Operator op = make("Concat", 13, {"tensor<2xf32>", "tensor<3xf32>"},
                     {named("axis", "-1 : i64")});
  EXPECT_EQ(op.domain(), "");
  EXPECT_EQ(op.opType(), "Concat");
  EXPECT_EQ(op.since(), 13);
  EXPECT_FALSE(op.isCustom());
  EXPECT_TRUE(op.is("Concat"));
  EXPECT_EQ(op.schema()->SinceVersion(), 13);
  EXPECT_EQ(op->getName().getStringRef(), "onnx.Concat");
  EXPECT_EQ(Operator::from(op.getOperation()).opType(), "Concat");
}

TEST_F(OperatorTest, NamesOfOtherDomains) {
  EXPECT_EQ(operationName("ai.onnx.ml", "Scaler"), "onnx.ml.Scaler");
  EXPECT_EQ(operationName("ai.onnx.preview.training", "Adam"),
            "onnx.training.Adam");
  EXPECT_EQ(operationName("ai.onnx.preview", "FlexAttention"),
            "onnx.preview.FlexAttention");
  EXPECT_EQ(operationName("ai.onnx", "Abs"), "onnx.Abs");
  EXPECT_EQ(operationName("com.acme", "Abs"), "");
  Operator op = make("Scaler", 1, {"tensor<2xf32>"}, {}, 1, "ai.onnx.ml");
  EXPECT_EQ(op->getName().getStringRef(), "onnx.ml.Scaler");
  EXPECT_FALSE(op.is(OperatorName(op.opType())));
}

TEST_F(OperatorTest, UnknownVersionsAndDomainsAreCustom) {
  struct {
    const char *domain, *opType;
    int64_t since;
  } cases[] = {{"", "Abs", 99},
               {"", "NoSuchOperator", 1},
               {"com.acme", "Abs", 13},
               {"", "Constant", 13}};
  for (auto [domain, opType, since] : cases) {
    Operator op = make(opType, since, {}, {}, 1, domain);
    EXPECT_TRUE(op.isCustom()) << opType;
    EXPECT_EQ(op->getName().getStringRef(), "onnx.Custom");
    EXPECT_EQ(op.domain(), domain);
    EXPECT_EQ(op.opType(), opType);
    EXPECT_EQ(op.since(), since);
    EXPECT_EQ(op.schema(), nullptr);
  }
}

TEST_F(OperatorTest, RegistrationOnDemand) {
  MLIRContext fresh(MLIRContext::Threading::DISABLED);
  EXPECT_TRUE(registerOperator(fresh, "ai.onnx", "Abs"));
  EXPECT_TRUE(registerOperator(fresh, "", "Abs"));
  EXPECT_TRUE(registerOperator(fresh, "", "Constant"));
  EXPECT_FALSE(registerOperator(fresh, "com.acme", "Abs"));
  EXPECT_FALSE(registerOperator(fresh, "", "NoSuchOperator"));
  EXPECT_TRUE(RegisteredOperationName::lookup("onnx.Abs", &fresh));
  EXPECT_FALSE(RegisteredOperationName::lookup("onnx.Add", &fresh));
  EXPECT_TRUE(RegisteredOperationName::lookup("onnx.Custom", &fresh));
  // Not registered: opaque, never an unregistered operation.
  OpBuilder freshBuilder(&fresh);
  OwningOpRef<ModuleOp> freshModule =
      ModuleOp::create(freshBuilder.getUnknownLoc());
  freshBuilder.setInsertionPointToEnd(freshModule->getBody());
  Operator op = Operator::create(freshBuilder, freshBuilder.getUnknownLoc(),
                                 {"", "Add", 13}, {}, {});
  EXPECT_TRUE(op.isCustom());
}

TEST_F(OperatorTest, PlaceInTheFile) {
  Operator op = make("Split", 2, {"tensor<4xf32>"}, {}, 3);
  EXPECT_EQ(op.nodeName(), "");
  EXPECT_EQ(op.outputName(0), "");
  EXPECT_EQ(op.node(), std::nullopt);
  op.setNodeName("split");
  op.setOutputNames({"a", "", "c"});
  op.setNode(0);
  EXPECT_EQ(op.nodeName(), "split");
  EXPECT_EQ(op.outputName(0), "a");
  EXPECT_EQ(op.outputName(1), "");
  EXPECT_EQ(op.outputName(2), "c");
  EXPECT_EQ(op.outputName(3), "");
  EXPECT_EQ(op.node(), 0);
  Operator copy = Operator::from(builder.clone(*op.getOperation()));
  EXPECT_EQ(copy.outputName(2), "c");
  op.setNodeName("");
  op.setNode(std::nullopt);
  EXPECT_EQ(op.nodeName(), "");
  EXPECT_EQ(op.node(), std::nullopt);
  EXPECT_EQ(copy.node(), 0);
}

TEST_F(OperatorTest, Label) {
  // A node whose first output is not given was called '' in paths and messages.
  Operator op = make("Split", 2, {"tensor<4xf32>"}, {}, 2);
  op.setOutputNames({"", "b"});
  EXPECT_EQ(nodeLabel(op), "b");
  EXPECT_EQ(nodeText(op), "node 'b' (Split)");
  op.setNodeName("split");
  EXPECT_EQ(nodeLabel(op), "split");
  EXPECT_EQ(atNode(op).get(ModelFault::Field::Operator), "Split");
}

TEST_F(OperatorTest, AbsentInputs) {
  Operator op = make("Clip", 13, {"tensor<2xf32>", "none", "tensor<f32>"});
  EXPECT_TRUE(op.hasInput(0));
  EXPECT_FALSE(op.hasInput(1));
  EXPECT_TRUE(op.hasInput(2));
  EXPECT_FALSE(op.hasInput(3));
  EXPECT_EQ(op.input(1), Value());
  EXPECT_EQ(op.numInputs(), 3u);
}

TEST_F(OperatorTest, Attributes) {
  Operator op = Operator::createCustom(
      builder, builder.getUnknownLoc(), {"com.acme", "All", 1}, {}, {},
      {named("i", "-3 : i64"), named("f", "1.5 : f32"), named("s", "\"text\""),
       named("is", "array<i64: 1, -2>"), named("fs", "array<f32: 0.5>"),
       named("ss", "[\"a\", \"\"]"), named("t", "dense<[1, 2]> : tensor<2xi8>"),
       named("type", "tensor<2xf32>"), named("none", "array<i64>"),
       // Long lists are tensors.
       named("il", "dense<[1, 2, 3]> : tensor<3xi64>"),
       named("fl", "dense<[1.0, 2.0]> : tensor<2xf32>"),
       named("sl", "dense<[\"a\", \"b\"]> : tensor<2x!onnx.string>"),
       // Names of our own are no obstacle.
       named("since", "7 : i64"), named("name", "\"attribute\"")});
  EXPECT_EQ(op.getInt("i"), -3);
  EXPECT_EQ(op.getInt("missing"), std::nullopt);
  EXPECT_EQ(op.getInt("missing", 4), 4);
  EXPECT_EQ(op.getInt("s", 5), 5);
  EXPECT_EQ(op.getFloat("f"), 1.5f);
  EXPECT_EQ(op.getFloat("i", 2.f), 2.f);
  EXPECT_EQ(op.getString("s"), "text");
  EXPECT_EQ(op.getString("missing", "d"), "d");
  EXPECT_EQ(op.getInts("is"), (SmallVector<int64_t>{1, -2}));
  EXPECT_EQ(op.getInts("none"), SmallVector<int64_t>());
  EXPECT_EQ(op.getInts("missing"), std::nullopt);
  EXPECT_EQ(op.getInts("il"), (SmallVector<int64_t>{1, 2, 3}));
  EXPECT_EQ(op.getFloats("fs"), SmallVector<float>{0.5f});
  EXPECT_EQ(op.getFloats("fl"), (SmallVector<float>{1.f, 2.f}));
  EXPECT_EQ(op.getFloats("il"), std::nullopt);
  EXPECT_EQ(op.getStrings("ss"), (SmallVector<StringRef>{"a", ""}));
  EXPECT_EQ(op.getStrings("sl"), (SmallVector<StringRef>{"a", "b"}));
  EXPECT_EQ(op.getStrings("il"), std::nullopt);
  EXPECT_EQ(op.getTensor("t").getNumElements(), 2);
  EXPECT_EQ(op.getTensor("i"), ElementsAttr());
  EXPECT_EQ(op.getType("type"), type("tensor<2xf32>"));
  EXPECT_EQ(op.since(), 1);
  EXPECT_EQ(op.getInt("since"), 7);
  EXPECT_EQ(op.nodeName(), "");
  EXPECT_FALSE(op.hasReferences());
  op->setAttr("f", attribute("#onnx.ref<\"alpha\", 1>"));
  EXPECT_TRUE(op.hasReferences());
  EXPECT_EQ(op.getFloat("f"), std::nullopt);
}

TEST_F(OperatorTest, Graphs) {
  Operator op = Operator::create(
      builder, builder.getUnknownLoc(), {"", "If", 16}, value("tensor<i1>"),
      type("tensor<f32>"), {}, {"else_branch", "then_branch"});
  EXPECT_EQ(op.numGraphs(), 2u);
  EXPECT_EQ(op.graphName(0), "else_branch");
  EXPECT_EQ(op.getGraph("then_branch"), &op->getRegion(1));
  EXPECT_EQ(op.getGraph("body"), nullptr);
}

//===----------------------------------------------------------------------===//
// What MLIR asks definitions
//===----------------------------------------------------------------------===//

TEST_F(OperatorTest, EqualityDoesNotLookAtThePlaceInTheFile) {
  auto hash = [](Operator op) {
    return OperationEquivalence::computeHash(
        op.getOperation(), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  };
  auto equal = [&](Operator a, Operator b) {
    return OperationEquivalence::isEquivalentTo(
               a.getOperation(), b.getOperation(),
               OperationEquivalence::IgnoreLocations) &&
           hash(a) == hash(b);
  };
  Value input = value("tensor<2xf32>");
  auto abs = [&](int64_t since) {
    return Operator::create(builder, builder.getUnknownLoc(),
                            {"", "Abs", since}, input, type("tensor<2xf32>"));
  };
  Operator a = abs(13), b = abs(13), old = abs(6);
  b.setNodeName("b");
  b.setOutputNames({"y"});
  b.setNode(3);
  EXPECT_TRUE(equal(a, b));
  EXPECT_FALSE(equal(a, old));
  b->setAttr("__extra", builder.getUnitAttr());
  EXPECT_FALSE(equal(a, b));
}

TEST_F(OperatorTest, Effects) {
  EXPECT_TRUE(
      isMemoryEffectFree(make("Abs", 13, {"tensor<2xf32>"}).getOperation()));
  Operator random = make("RandomNormalLike", 1, {"tensor<2xf32>"});
  EXPECT_FALSE(isMemoryEffectFree(random.getOperation()));
  EXPECT_TRUE(isOpTriviallyDead(random.getOperation()));
  Operator custom = make("Print", 1, {}, {}, 1, "com.acme");
  EXPECT_FALSE(isMemoryEffectFree(custom.getOperation()));
  EXPECT_FALSE(isOpTriviallyDead(custom.getOperation()));
}

TEST_F(OperatorTest, AnIfIsAsPureAsItsGraphs) {
  auto makeIf = [&](StringRef opType, int64_t since) {
    Operator op = Operator::create(builder, builder.getUnknownLoc(),
                                   {"", "If", 16}, value("tensor<i1>"),
                                   type("tensor<f32>"), {}, {"then_branch"});
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&op->getRegion(0));
    make(opType, since, {});
    return op;
  };
  auto onlyIf = [&](Operator op) {
    // `value` made an opaque operation inside for the input of none.
    return isMemoryEffectFree(op.getOperation());
  };
  EXPECT_TRUE(onlyIf(makeIf("Abs", 13)));
  EXPECT_FALSE(onlyIf(makeIf("RandomNormal", 1)));
}

TEST_F(OperatorTest, FoldHook) {
  Operator op = make("Abs", 13, {"tensor<2xf32>"});
  SmallVector<OpFoldResult> results;
  EXPECT_TRUE(failed(op->fold(results)));
  unsigned calls = 0;
  setFoldHook(context, [&](Operation *folded, ArrayRef<Attribute> operands,
                           SmallVectorImpl<OpFoldResult> &values) {
    EXPECT_EQ(folded, op.getOperation());
    EXPECT_EQ(operands.size(), 1u);
    ++calls;
    values.push_back(folded->getOperand(0));
    return success();
  });
  EXPECT_TRUE(succeeded(op->fold(results)));
  EXPECT_EQ(calls, 1u);
  EXPECT_EQ(results.size(), 1u);
  setFoldHook(context, {});
  results.clear();
  EXPECT_TRUE(failed(op->fold(results)));
}

TEST_F(OperatorTest, ConstantAsm) {
  auto op = OnnxConstantOp::create(
      builder, builder.getUnknownLoc(),
      cast<ElementsAttr>(attribute("dense<1.0> : tensor<2xf32>")), "w", 3);
  EXPECT_EQ(text(op), "%w = onnx.Constant dense<1.000000e+00> : "
                      "tensor<2xf32> {node = 3 : i64, output = \"w\"}");
  setConstantAsm(context,
                 {.print = [](OpAsmPrinter &printer,
                              ElementsAttr) { printer << "elsewhere"; },
                  .parse = {}});
  EXPECT_EQ(text(op),
            "%w = onnx.Constant elsewhere {node = 3 : i64, output = \"w\"}");
}

TEST_F(OperatorTest, OnlySchemasThatAreAskedForAreBuilt) {
  unsigned before = numBuiltSchemas();
  Operator op = make("Asinh", 22, {"tensor<2xf32>"});
  EXPECT_EQ(numBuiltSchemas(), before);
  EXPECT_EQ(llvm::toString(op.checkAgainstSchema()), "");
  EXPECT_EQ(llvm::toString(op.checkAgainstSchema()), "");
  // Another test may have built all.
  EXPECT_EQ(numBuiltSchemas() - before,
            before == allSchemas().size() ? 0u : 1u);
}

TEST_F(OperatorTest, MillionNodesAreCheap) {
  // 72 bytes of our own beside what every operation has; no attribute of the
  // context is made for a node without attributes and names.
  Operator op = make("Abs", 13, {"tensor<2xf32>"});
  EXPECT_EQ(op->getName().getOpPropertyByteSize(), 72);
}
