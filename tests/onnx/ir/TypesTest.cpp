//===- TypesTest.cpp - ONNX types and MLIR types --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Types.h"

#include "TestOperators.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using namespace mlir;
using onnx::TensorProto;
using onnx::TypeProto;

namespace {
class Types : public OperatorTest {};
} // namespace

TEST_F(Types, EveryElementTypeHasItsOwnTextAndComesBack) {
  const char *texts[] = {
      nullptr,        "f32",  "ui8",      "i8",           "ui16",
      "i16",          "i32",  "i64",      "!onnx.string", "i1",
      "f16",          "f64",  "ui32",     "ui64",         "complex<f32>",
      "complex<f64>", "bf16", "f8E4M3FN", "f8E4M3FNUZ",   "f8E5M2",
      "f8E5M2FNUZ",   "ui4",  "i4",       "f4E2M1FN",     "f8E8M0FNU",
      "ui2",          "i2",   "f6E2M3FN", "f6E3M2FN"};
  ASSERT_EQ(std::size(texts), size_t(TensorProto::DataType_MAX + 1));
  for (int number = 1; number <= TensorProto::DataType_MAX; ++number) {
    Type elementType = elementTypeOf(number, &context);
    EXPECT_EQ(elementType, type(texts[number])) << number;
    EXPECT_EQ(onnxElementType(elementType), number);
    EXPECT_TRUE(TensorType::isValidElementType(elementType)) << number;
  }
}

TEST_F(Types, WhatOnnxDoesNotHaveIsUndefined) {
  EXPECT_EQ(elementTypeOf(0, &context), Type());
  EXPECT_EQ(elementTypeOf(TensorProto::DataType_MAX + 1, &context), Type());
  EXPECT_EQ(elementTypeOf(-1, &context), Type());
  for (const char *text : {"si8", "ui1", "i7", "i128", "index", "f80", "tf32",
                           "complex<f16>", "f8E3M4", "none"})
    EXPECT_EQ(onnxElementType(type(text)), 0) << text;
}

TEST_F(Types, EveryKindOfTypeComesBack) {
  for (const char *text :
       {"tensor<2x?xf32>", "tensor<*xf32>", "tensor<f64>", "tensor<0x3xi1>",
        "tensor<2x!onnx.string>", "!onnx.seq<tensor<*xf32>>",
        "!onnx.seq<!onnx.unknown>", "!onnx.optional<!onnx.seq<tensor<2xi8>>>",
        "!onnx.map<i64, tensor<f32>>",
        "!onnx.seq<!onnx.map<!onnx.string, tensor<f32>>>",
        "!onnx.sparse<tensor<3x4xf32>>", "!onnx.opaque<\"com.acme\", \"T\">"}) {
    TypeProto proto;
    ASSERT_TRUE(toTypeProto(type(text), proto)) << text;
    EXPECT_EQ(fromTypeProto(proto, &context), type(text)) << text;
  }
}

TEST_F(Types, NothingKnown) {
  TypeProto proto;
  EXPECT_EQ(fromTypeProto(proto, &context), type("!onnx.unknown"));
  proto.mutable_tensor_type(); // elem_type is UNDEFINED
  EXPECT_EQ(fromTypeProto(proto, &context), type("!onnx.unknown"));
  for (const char *text :
       {"!onnx.unknown", "none", "index", "memref<2xf32>", "tensor<2xindex>"})
    EXPECT_FALSE(toTypeProto(type(text), proto)) << text;
  EXPECT_EQ(proto.value_case(), TypeProto::VALUE_NOT_SET);
}

TEST_F(Types, NegativeAndNamedDimensionsAreUnknown) {
  TypeProto proto;
  makeTensorTypeProto(TensorProto::FLOAT, {2, ShapedType::kDynamic}, proto);
  proto.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(-1);
  proto.mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("n");
  EXPECT_EQ(fromTypeProto(proto, &context), type("tensor<2x?x?x?xf32>"));
}

TEST_F(Types, DimensionNames) {
  TypeProto proto;
  makeTensorTypeProto(TensorProto::FLOAT, {2, ShapedType::kDynamic}, proto);
  EXPECT_TRUE(dimensionNames(proto).empty());
  setDimensionNames({"fixed", "n"}, proto);
  EXPECT_EQ(dimensionNames(proto), (SmallVector<StringRef>{"", "n"}));
  EXPECT_EQ(proto.tensor_type().shape().dim(0).dim_value(), 2);
  TypeProto sequence;
  sequence.mutable_sequence_type();
  EXPECT_TRUE(dimensionNames(sequence).empty());
}

TEST_F(Types, HostileNestingEnds) {
  TypeProto proto;
  TypeProto *inner = &proto;
  for (int i = 0; i < 5000; ++i)
    inner = inner->mutable_sequence_type()->mutable_elem_type();
  inner->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
  EXPECT_TRUE(isa<OnnxSequenceType>(fromTypeProto(proto, &context)));
}

TEST_F(Types, Merge) {
  struct {
    const char *left, *right, *merged;
  } cases[] = {
      {"tensor<2x?xf32>", "tensor<?x3xf32>", "tensor<2x3xf32>"},
      {"tensor<*xf32>", "tensor<?xf32>", "tensor<?xf32>"},
      {"tensor<2xf32>", "!onnx.unknown", "tensor<2xf32>"},
      {"tensor<2xf32>", "tensor<3xf32>", nullptr},
      {"tensor<2xf32>", "tensor<2x1xf32>", nullptr},
      {"tensor<2xf32>", "tensor<2xf16>", nullptr},
      {"tensor<2xf32>", "!onnx.seq<tensor<2xf32>>", nullptr},
      {"!onnx.seq<!onnx.unknown>", "!onnx.seq<tensor<2xf32>>",
       "!onnx.seq<tensor<2xf32>>"},
      {"!onnx.optional<tensor<?xf32>>", "!onnx.optional<tensor<2xf32>>",
       "!onnx.optional<tensor<2xf32>>"},
      {"!onnx.map<i64, tensor<?xf32>>", "!onnx.map<i64, tensor<2xf32>>",
       "!onnx.map<i64, tensor<2xf32>>"},
      {"!onnx.map<i64, tensor<2xf32>>", "!onnx.map<i32, tensor<2xf32>>",
       nullptr},
      {"!onnx.sparse<tensor<?xf32>>", "!onnx.sparse<tensor<2xf32>>",
       "!onnx.sparse<tensor<2xf32>>"},
  };
  for (auto [left, right, merged] : cases) {
    Type expected = merged ? type(merged) : Type();
    EXPECT_EQ(mergeTypes(type(left), type(right)), expected) << left << right;
    EXPECT_EQ(mergeTypes(type(right), type(left)), expected) << left << right;
  }
}

TEST_F(Types, FunctionSymbolsDiffer) {
  EXPECT_EQ(functionSymbol("com.acme", "Swish"), "com.acme::Swish");
  EXPECT_EQ(functionSymbol("com.acme", "Swish", "f16"), "com.acme::Swish::f16");
  EXPECT_NE(functionSymbol("a::b", "c"), functionSymbol("a", "b::c"));
  EXPECT_NE(functionSymbol("a", "b::c"), functionSymbol("a", "b", "c"));
  EXPECT_NE(functionSymbol("a:", "b"), functionSymbol("a%3A", "b"));
  EXPECT_NE(functionSymbol("", "main_graph"), mainGraphSymbol);
}

TEST_F(Types, OpsetsOfTheNearestScope) {
  setOpsetImports(*module, {{"ai.onnx", 17}, {"ai.onnx.ml", 3}});
  Operator inside = make("Abs", 13, {"tensor<2xf32>"});
  EXPECT_EQ(importedOpset(inside.getOperation(), ""), 17);
  EXPECT_EQ(importedOpset(inside.getOperation(), "ai.onnx"), 17);
  EXPECT_EQ(importedOpset(inside.getOperation(), "ai.onnx.ml"), 3);
  EXPECT_EQ(importedOpset(inside.getOperation(), "com.acme"), std::nullopt);
  EXPECT_EQ(irVersion(inside.getOperation()), std::nullopt);
  (*module)->setAttr(irVersionAttrName, builder.getI64IntegerAttr(8));
  EXPECT_EQ(irVersion(inside.getOperation()), 8);
}
