//===- ShapeInferenceTest.cpp - ONNX's inference for one operator ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Expected types are what the Python package onnx 1.23.2 infers for the same
// nodes (onnx.shape_inference.infer_node_outputs), unless a test says
// otherwise.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/ShapeInference.h"

#include "TestOperators.h"
#include "onnxfold/onnx/ir/Attributes.h"
#include "onnxfold/onnx/ir/Types.h"
#include "llvm/ADT/StringExtras.h"

using namespace onnxfold;
using namespace mlir;
using onnx::TensorProto;
using onnx::TensorShapeProto;
using onnx::TypeProto;

namespace {

/// An input by its type and, where it is known, its value.
struct Known {
  StringRef type;
  StringRef value = {};
};

class ShapeInference : public OperatorTest {
protected:
  Operator makeKnown(StringRef opType, int64_t since, ArrayRef<Known> inputs,
                     ArrayRef<NamedAttribute> attributes = {},
                     unsigned numOutputs = 1, StringRef domain = "") {
    known.assign(inputs.begin(), inputs.end());
    SmallVector<StringRef> types;
    for (const Known &input : inputs)
      types.push_back(input.type);
    return make(opType, since, types, attributes, numOutputs, domain);
  }

  /// Inputs as their types and values say; names are those of N, M ...
  SmallVector<InferenceInput> inputsOf(Operator op) {
    types.assign(op.numInputs(), {});
    data.assign(op.numInputs(), {});
    SmallVector<InferenceInput> inputs(op.numInputs());
    for (unsigned i = 0; i < op.numInputs(); ++i) {
      if (toTypeProto(op->getOperand(i).getType(), types[i]))
        inputs[i].type = &types[i];
      if (known[i].value.empty())
        continue;
      toTensorProto(cast<ElementsAttr>(attribute(known[i].value)), data[i]);
      inputs[i].data = &data[i];
    }
    return inputs;
  }

  std::string typesText(llvm::Expected<InferredTypes> inferred) {
    if (!inferred)
      return llvm::toString(inferred.takeError());
    std::string text;
    llvm::raw_string_ostream stream(text);
    llvm::interleaveComma(*inferred, stream, [&](const TypeProto &proto) {
      stream << fromTypeProto(proto, &context);
    });
    return text;
  }

  std::string infer(Operator op, InferGraph inferGraph = nullptr) {
    return typesText(inferTypes(op, inputsOf(op), inferGraph));
  }

  SmallVector<Known> known;
  std::vector<TypeProto> types;
  std::vector<TensorProto> data;
};

} // namespace

TEST_F(ShapeInference, Concat) {
  NamedAttribute axis = named("axis", "0 : i64");
  EXPECT_EQ(infer(makeKnown("Concat", 13,
                            {{"tensor<2x3xf32>"}, {"tensor<5x3xf32>"}}, axis)),
            "tensor<7x3xf32>");
  EXPECT_EQ(infer(makeKnown("Concat", 13,
                            {{"tensor<2x3xf32>"}, {"tensor<5x4xf32>"}}, axis)),
            "[ShapeInferenceError] Can't merge shape info. Both inferred and "
            "declared dimension have values but they differ. Inferred=4 "
            "Declared=3 Dimension=1");
  EXPECT_EQ(infer(makeKnown("Concat", 13, {{"tensor<2x3xf32>"}})),
            "[ShapeInferenceError] Required attribute axis is missing");
}

// ONNX's inference (1.23.2) takes an axis for an int: of 2^32 - 1 it made -1, and
// wrote before the sizes of the second result.
TEST_F(ShapeInference, AxesAreOfThirtyTwoBits) {
  auto infers = [&](StringRef axis) {
    return infer(makeKnown("LayerNormalization", 17,
                           {{"tensor<2x3xf32>"}, {"tensor<3xf32>"}},
                           named("axis", axis), /*numOutputs=*/3));
  };
  EXPECT_EQ(infers("1 : i64"),
            "tensor<2x3xf32>, tensor<2x1xf32>, tensor<2x1xf32>");
  for (StringRef axis : {"4294967295", "2147483648", "9223372036854775807"})
    EXPECT_EQ(
        infers((axis + " : i64").str()),
        ("attribute 'axis' is " + axis + ", which is not a dimension").str());
}

// ONNX's inference (1.23.2) takes two-sided spectra where nothing is said, its
// schema one-sided ones: STFT nodes without the attribute could not fold.
TEST_F(ShapeInference, StftIsOneSidedByDefault) {
  auto infers = [&](ArrayRef<NamedAttribute> attributes) {
    return infer(makeKnown("STFT", 17,
                           {{"tensor<1x128x1xf32>"},
                            {"tensor<i64>", "dense<8> : tensor<i64>"},
                            {"tensor<16xf32>"}},
                           attributes));
  };
  EXPECT_EQ(infers({}), "tensor<1x15x9x2xf32>");
  EXPECT_EQ(infers(named("onesided", "0 : i64")), "tensor<1x15x16x2xf32>");
}

// ONNX's inference of Split (1.23.2) makes as many sizes as `num_outputs` says:
// 2^31 took 16 GB and half a minute, and of two outputs with one size the second
// was what lay behind it in memory.
TEST_F(ShapeInference, SplitHasAsManyOutputsAsItSays) {
  auto infers = [&](StringRef numOutputs) {
    return infer(makeKnown("Split", 18, {{"tensor<8xf32>"}},
                           named("num_outputs", numOutputs), 2));
  };
  EXPECT_EQ(infers("2 : i64"), "tensor<4xf32>, tensor<4xf32>");
  for (StringRef count : {"1", "3", "0", "2147483647", "1099511627776"})
    EXPECT_EQ(infers((count + " : i64").str()),
              ("attribute 'num_outputs' is " + count + ", there are 2 outputs")
                  .str());
}

// It computes with sizes of 32 bits: half of 2^32 + 4 was 2.
TEST_F(ShapeInference, SplitDoesNotKnowLargeSizes) {
  NamedAttribute two = named("num_outputs", "2 : i64");
  auto infers = [&](StringRef type) {
    return infer(makeKnown("Split", 18, {{type}}, two, 2));
  };
  EXPECT_EQ(infers("tensor<2147483646xf32>"),
            "tensor<1073741823xf32>, tensor<1073741823xf32>");
  EXPECT_EQ(infers("tensor<4294967300x3xf32>"),
            "tensor<?x3xf32>, tensor<?x3xf32>");
}

// A Cast in GroupNormalization's body took time and memory for each element of
// the scale and the bias: a model of 200 bytes, of which they are inputs, never
// ended.
TEST_F(ShapeInference, ElementsOfLongVectorsAreNotPropagated) {
  NamedAttribute groups = named("num_groups", "2 : i64");
  for (int64_t since : {18, 21})
    EXPECT_EQ(infer(makeKnown("GroupNormalization", since,
                              {{"tensor<3x512x?x8xf16>"},
                               {"tensor<9223372036854775807xf16>"},
                               {"tensor<9223372036854775807xf16>"}},
                              groups)),
              "tensor<3x512x?x8xf16>");
}

TEST_F(ShapeInference, AttributesOfEveryListKind) {
  EXPECT_EQ(
      infer(makeKnown("Conv", 11,
                      {{"tensor<?x3x224x224xf32>"}, {"tensor<64x3x7x7xf32>"}},
                      {named("strides", "array<i64: 2, 2>"),
                       named("pads", "array<i64: 3, 3, 3, 3>")})),
      "tensor<?x64x112x112xf32>");
  EXPECT_EQ(
      infer(makeKnown("Einsum", 12, {{"tensor<2x3xf32>"}, {"tensor<3x5xf32>"}},
                      named("equation", "\"ij,jk->ik\""))),
      "tensor<2x5xf32>");
  EXPECT_EQ(infer(makeKnown("LabelEncoder", 2, {{"tensor<2x4xi64>"}},
                            {named("keys_int64s", "array<i64: 1>"),
                             named("values_strings", "[\"a\"]")},
                            1, "ai.onnx.ml")),
            "tensor<2x4x!onnx.string>");
}

TEST_F(ShapeInference, ALongListHeldAsATensor) {
  std::string ones = "dense<1> : tensor<200xi64>";
  Operator op = makeKnown("Constant", 13, {}); // opaque: no schema
  EXPECT_EQ(infer(op), "!onnx.unknown");
  // Split-2 into 200 parts, sizes in an attribute that is held as a tensor.
  op = makeKnown("Split", 2, {{"tensor<200x2xf32>"}},
                 {named("split", ones), named("axis", "0 : i64")}, 200);
  std::string text = infer(op);
  EXPECT_EQ(StringRef(text).count("tensor<1x2xf32>"), 200u);
}

TEST_F(ShapeInference, ValuesOfInputsAreSeen) {
  EXPECT_EQ(
      infer(makeKnown("Reshape", 14,
                      {{"tensor<2x3x4xf32>"},
                       {"tensor<2xi64>", "dense<[0, -1]> : tensor<2xi64>"}})),
      "tensor<2x12xf32>");
  EXPECT_EQ(infer(makeKnown("Reshape", 14,
                            {{"tensor<2x3x4xf32>"}, {"tensor<2xi64>"}})),
            "tensor<?x?xf32>");
  EXPECT_EQ(infer(makeKnown("Slice", 13,
                            {{"tensor<10x20xf32>"},
                             {"tensor<1xi64>", "dense<-5> : tensor<1xi64>"},
                             {"tensor<1xi64>",
                              "dense<9223372036854775807> : tensor<1xi64>"},
                             {"tensor<1xi64>", "dense<1> : tensor<1xi64>"},
                             {"tensor<1xi64>", "dense<2> : tensor<1xi64>"}})),
            "tensor<10x3xf32>");
  EXPECT_EQ(infer(makeKnown("ReduceSum", 13,
                            {{"tensor<2x3x4xf32>"},
                             {"tensor<1xi64>", "dense<-1> : tensor<1xi64>"}},
                            named("keepdims", "0 : i64"))),
            "tensor<2x3xf32>");
  EXPECT_EQ(infer(makeKnown("Resize", 13,
                            {{"tensor<1x3x10x10xf32>"},
                             {"none"},
                             {"tensor<4xf32>",
                              "dense<[1.0, 1.0, 2.5, 0.5]> : tensor<4xf32>"}})),
            "tensor<1x3x25x5xf32>");
  EXPECT_EQ(
      infer(makeKnown("ConstantOfShape", 9,
                      {{"tensor<2xi64>", "dense<[3, 4]> : tensor<2xi64>"}},
                      named("value", "dense<7> : tensor<1xi8>"))),
      "tensor<3x4xi8>");
}

TEST_F(ShapeInference, PartlyKnownValuesAreSeen) {
  Operator op =
      makeKnown("Reshape", 14, {{"tensor<?x6xf32>"}, {"tensor<3xi64>"}});
  SmallVector<InferenceInput> inputs = inputsOf(op);
  TensorShapeProto symbolic;
  symbolic.add_dim()->set_dim_param("batch");
  symbolic.add_dim()->set_dim_value(2);
  symbolic.add_dim()->set_dim_value(3);
  inputs[1].symbolic = &symbolic;
  auto inferred = inferTypes(op, inputs);
  ASSERT_TRUE(bool(inferred));
  EXPECT_EQ(dimensionNames((*inferred)[0]),
            (SmallVector<StringRef>{"batch", "", ""}));
  EXPECT_EQ(typesText(std::move(inferred)), "tensor<?x2x3xf32>");
}

TEST_F(ShapeInference, NamesOfDimensionsPass) {
  Operator op =
      makeKnown("Cast", 13, {{"tensor<2x?xf32>"}}, named("to", "16 : i64"));
  SmallVector<InferenceInput> inputs = inputsOf(op);
  setDimensionNames({"", "n"}, types[0]);
  auto inferred = inferTypes(op, inputs);
  ASSERT_TRUE(bool(inferred));
  EXPECT_EQ(dimensionNames((*inferred)[0]), (SmallVector<StringRef>{"", "n"}));
  EXPECT_EQ(typesText(std::move(inferred)), "tensor<2x?xbf16>");
}

TEST_F(ShapeInference, SeveralAndOptionalOutputs) {
  EXPECT_EQ(
      infer(makeKnown(
          "Split", 18, {{"tensor<7x2xf32>"}},
          {named("num_outputs", "3 : i64"), named("axis", "0 : i64")}, 3)),
      "tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x2xf32>");
  EXPECT_EQ(infer(makeKnown("TopK", 11,
                            {{"tensor<3x10xf32>"},
                             {"tensor<1xi64>", "dense<4> : tensor<1xi64>"}},
                            {}, 2)),
            "tensor<3x4xf32>, tensor<3x4xi64>");
  EXPECT_EQ(infer(makeKnown("LayerNormalization", 17,
                            {{"tensor<2x4x8xf16>"}, {"tensor<8xf16>"}}, {}, 2)),
            "tensor<2x4x8xf16>, tensor<2x4x1xf32>");
  EXPECT_EQ(infer(makeKnown("Dropout", 13, {{"tensor<2x3xf32>"}}, {}, 2)),
            "tensor<2x3xf32>, tensor<2x3xi1>");
}

TEST_F(ShapeInference, OtherTypesThanTensors) {
  EXPECT_EQ(infer(makeKnown("SequenceConstruct", 11,
                            {{"tensor<2x3xf32>"}, {"tensor<2x4xf32>"}})),
            "!onnx.seq<tensor<2x?xf32>>");
  EXPECT_EQ(infer(makeKnown("Optional", 15, {{"tensor<2xf32>"}})),
            "!onnx.optional<tensor<2xf32>>");
  EXPECT_EQ(infer(makeKnown("Optional", 15, {},
                            named("type", "!onnx.seq<tensor<*xf32>>"))),
            "!onnx.optional<!onnx.seq<tensor<*xf32>>>");
}

TEST_F(ShapeInference, UnknownInputsAreNoError) {
  EXPECT_EQ(infer(makeKnown("Add", 14, {{"!onnx.unknown"}, {"tensor<2xf32>"}})),
            "!onnx.unknown");
  EXPECT_EQ(infer(makeKnown("NonZero", 13, {{"tensor<*xf32>"}})),
            "tensor<?x?xi64>");
}

// What the package's infer_shapes leaves without a shape: we use the body of
// these operators, whose operators have inference functions.
TEST_F(ShapeInference, FromFunctionBodies) {
  EXPECT_EQ(infer(makeKnown("MeanVarianceNormalization", 13,
                            {{"tensor<2x4x8x8xf32>"}})),
            "tensor<2x4x8x8xf32>");
  EXPECT_EQ(infer(makeKnown("GreaterOrEqual", 12,
                            {{"tensor<2x1xf32>"}, {"tensor<3xf32>"}})),
            "tensor<2x3xi1>");
  EXPECT_EQ(infer(makeKnown(
                "GroupNormalization", 21,
                {{"tensor<2x4x8xf32>"}, {"tensor<4xf32>"}, {"tensor<4xf32>"}},
                named("num_groups", "2 : i64"))),
            "tensor<2x4x8xf32>");
}

TEST_F(ShapeInference, FromTypeConstraints) {
  EXPECT_EQ(
      infer(makeKnown("Tile", 1,
                      {{"tensor<2xf16>"}, {"tensor<f16>"}, {"tensor<f16>"}})),
      "tensor<*xf16>");
  EXPECT_EQ(infer(makeKnown("Abs", 1, {{"!onnx.unknown"}})), "!onnx.unknown");
}

TEST_F(ShapeInference, ShapesThatTheLibraryDoesNotHave) {
  auto ml = [&](StringRef name, StringRef type,
                ArrayRef<NamedAttribute> attributes = {}) {
    return infer(makeKnown(name, 1, {{type}}, attributes, 1, "ai.onnx.ml"));
  };
  EXPECT_EQ(ml("Scaler", "tensor<2x4xi64>"), "tensor<2x4xf32>");
  EXPECT_EQ(ml("Scaler", "tensor<*xi64>"), "tensor<*xf32>");
  EXPECT_EQ(
      ml("LinearRegressor", "tensor<?x4xf32>", named("targets", "3 : i64")),
      "tensor<?x3xf32>");
  EXPECT_EQ(ml("SVMRegressor", "tensor<4xf32>"), "tensor<1x1xf32>");
  EXPECT_EQ(ml("FeatureVectorizer", "tensor<2x4xf32>"), "tensor<2x4xf32>");
  EXPECT_EQ(ml("FeatureVectorizer", "tensor<2x?xf32>"), "tensor<*xf32>");
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

TEST_F(ShapeInference, GraphsWithoutCallbackHaveTheTypesTheyHave) {
  known = {{"tensor<i1>"}};
  Operator op = Operator::create(
      builder, builder.getUnknownLoc(), {"", "If", 16}, value("tensor<i1>"),
      type("!onnx.unknown"), {}, {"then_branch", "else_branch"});
  for (StringRef text : {"tensor<2x3xf32>", "tensor<2x5xf32>"}) {
    Region &region = op->getRegion(text.contains("5") ? 1 : 0);
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(&region);
    Value result = value(text);
    OnnxYieldOp::create(builder, builder.getUnknownLoc(), result);
  }
  EXPECT_EQ(infer(op), "tensor<2x?xf32>");
}

TEST_F(ShapeInference, GraphsWithCallback) {
  known = {{"tensor<i64>"}, {"tensor<i1>"}, {"tensor<2xf32>"}};
  Operator op = Operator::create(
      builder, builder.getUnknownLoc(), {"", "Loop", 16},
      {value("tensor<i64>"), value("tensor<i1>"), value("tensor<2xf32>")},
      {type("!onnx.unknown"), type("!onnx.unknown")}, {}, {"body"});
  unsigned calls = 0;
  auto callback =
      [&](Region &graph, ArrayRef<const TypeProto *> inputTypes,
          ArrayRef<const TensorProto *>) -> llvm::Expected<InferredTypes> {
    ++calls;
    EXPECT_EQ(&graph, op.getGraph("body"));
    EXPECT_EQ(inputTypes.size(), 3u); // iteration, condition, one carried
    InferredTypes outputs(3);
    makeTensorTypeProto(TensorProto::BOOL, {}, outputs[0]);
    outputs[1] = *inputTypes[2];
    makeTensorTypeProto(TensorProto::INT64, {7}, outputs[2]);
    return outputs;
  };
  EXPECT_EQ(infer(op, callback), "tensor<*xf32>, tensor<?x7xi64>");
  EXPECT_EQ(calls, 1u);
  auto failing =
      [](Region &, ArrayRef<const TypeProto *>,
         ArrayRef<const TensorProto *>) -> llvm::Expected<InferredTypes> {
    return llvm::createStringError("the body is wrong");
  };
  EXPECT_EQ(infer(op, failing), "the body is wrong");
}

//===----------------------------------------------------------------------===//
// Type constraints, propagation, bodies
//===----------------------------------------------------------------------===//

TEST_F(ShapeInference, TypesThatAVersionDoesNotTake) {
  auto check = [&](Operator op) { return llvm::toString(checkInputTypes(op)); };
  EXPECT_EQ(check(make("Add", 14, {"tensor<2xi8>", "tensor<i8>"})), "");
  EXPECT_EQ(check(make("Add", 13, {"tensor<2xi8>", "tensor<i8>"})),
            "input #0 ('A') is tensor<2xi8>, expected one of tensor(bfloat16), "
            "tensor(double), tensor(float), tensor(float16), tensor(int32), "
            "tensor(int64), tensor(uint32), tensor(uint64)");
  EXPECT_EQ(
      check(make("Add", 14, {"tensor<2xf32>", "tensor<f64>"})),
      "input #1 ('B') is tensor<f64>, expected tensor(float) as input #0");
  EXPECT_EQ(check(make("Add", 14, {"!onnx.unknown", "tensor<f64>"})), "");
  EXPECT_EQ(
      check(make("Clip", 13, {"tensor<2xf32>", "none", "tensor<f16>"})),
      "input #2 ('max') is tensor<f16>, expected tensor(float) as input #0");
  // Variadic, and not homogeneous.
  EXPECT_EQ(check(make("Concat", 13, {"tensor<2xf32>", "tensor<2xf16>"})),
            "input #1 ('inputs') is tensor<2xf16>, expected tensor(float) as "
            "input #0");
  EXPECT_EQ(check(make("Loop", 16,
                       {"tensor<i64>", "tensor<i1>", "tensor<2xf32>",
                        "tensor<2xi8>"})),
            "");
  EXPECT_EQ(check(make("SequenceAt", 11,
                       {"!onnx.seq<tensor<*xf32>>", "tensor<i64>"})),
            "");
  EXPECT_EQ(check(make("Mystery", 1, {"tensor<2xi8>"}, {}, 1, "com.acme")), "");
}

TEST_F(ShapeInference, DataPropagation) {
  Operator shape = makeKnown("Shape", 15, {{"tensor<2x?x5xf32>"}});
  SmallVector<InferenceInput> inputs = inputsOf(shape);
  setDimensionNames({"", "n", ""}, types[0]);
  auto values = propagateData(shape, inputs);
  ASSERT_TRUE(bool(values));
  ASSERT_TRUE((*values)[0]);
  EXPECT_EQ((*values)[0]->dim(0).dim_value(), 2);
  EXPECT_EQ((*values)[0]->dim(1).dim_param(), "n");
  EXPECT_EQ((*values)[0]->dim(2).dim_value(), 5);

  Operator nothing = makeKnown("Relu", 14, {{"tensor<2xf32>"}});
  values = propagateData(nothing, inputsOf(nothing));
  ASSERT_TRUE(bool(values));
  EXPECT_FALSE((*values)[0]);
}

TEST_F(ShapeInference, FunctionBodies) {
  Operator mean =
      makeKnown("MeanVarianceNormalization", 13, {{"tensor<2x4x8x8xf32>"}});
  auto body = functionBody(mean, inputsOf(mean), 13);
  ASSERT_TRUE(bool(body));
  ASSERT_TRUE(*body);
  EXPECT_EQ((*body)->name(), "MeanVarianceNormalization");
  EXPECT_EQ((*body)->input_size(), 1);
  ASSERT_EQ((*body)->attribute_proto_size(), 1); // axes, with its default
  EXPECT_EQ((*body)->attribute_proto(0).ints_size(), 3);
  EXPECT_EQ((*body)->attribute_size(), 0);

  // Made for these types: a float type decides on the casts.
  Operator layer = makeKnown("LayerNormalization", 17,
                             {{"tensor<2x4xf16>"}, {"tensor<4xf16>"}});
  body = functionBody(layer, inputsOf(layer), 17);
  ASSERT_TRUE(bool(body));
  EXPECT_TRUE(*body);

  Operator none =
      makeKnown("MatMul", 13, {{"tensor<2x2xf32>"}, {"tensor<2x2xf32>"}});
  body = functionBody(none, inputsOf(none), 13);
  ASSERT_TRUE(bool(body));
  EXPECT_FALSE(*body);
}

// Relu-14 has a body for opset 18; in opset 17 the body's operators (Max with
// 13 inputs kinds ...) may be others, and ONNX gives none.
TEST_F(ShapeInference, BodiesOfALaterOpsetDoNotHoldEarlier) {
  Operator relu = makeKnown("Relu", 14, {{"tensor<2xf32>"}});
  auto early = functionBody(relu, inputsOf(relu), 17);
  ASSERT_TRUE(bool(early));
  EXPECT_FALSE(*early);
  auto late = functionBody(relu, inputsOf(relu), 18);
  ASSERT_TRUE(bool(late));
  EXPECT_TRUE(*late);
}
