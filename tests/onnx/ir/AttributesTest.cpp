//===- AttributesTest.cpp - AttributeProto and attributes -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Attributes.h"

#include "TestOperators.h"

using namespace onnxfold;
using namespace mlir;
using onnx::AttributeProto;
using onnx::TensorProto;

namespace {

class Attributes : public OperatorTest {
protected:
  /// The attribute, made of a tensor's raw data where it has a tensor.
  Attribute from(const AttributeProto &proto) {
    auto attribute = fromAttributeProto(
        proto, &context,
        [&](const TensorProto &tensor) -> llvm::Expected<ElementsAttr> {
          SmallVector<int64_t> shape(tensor.dims().begin(),
                                     tensor.dims().end());
          if (tensor.int64_data_size())
            return DenseElementsAttr::get(
                RankedTensorType::get(shape, builder.getI64Type()),
                ArrayRef<int64_t>(tensor.int64_data().data(),
                                  tensor.int64_data_size()));
          return DenseElementsAttr::get(
              RankedTensorType::get(shape, builder.getF32Type()),
              ArrayRef<float>(tensor.float_data().data(),
                              tensor.float_data_size()));
        });
    if (attribute)
      return *attribute;
    error = llvm::toString(attribute.takeError());
    return {};
  }

  static AttributeProto typed(AttributeProto::AttributeType type) {
    AttributeProto proto;
    proto.set_name("a");
    proto.set_type(type);
    return proto;
  }

  /// Converts there and back.
  void expectRoundTrip(const AttributeProto &proto, StringRef expected) {
    Attribute value = from(proto);
    EXPECT_EQ(value, attribute(expected)) << expected.str();
    AttributeProto back;
    ASSERT_TRUE(
        toAttributeProto(builder.getNamedAttr("a", value), proto.type(), back));
    EXPECT_EQ(back.SerializeAsString(), proto.SerializeAsString())
        << expected.str();
  }

  std::string tensorBytes(StringRef text) {
    TensorProto proto;
    EXPECT_TRUE(toTensorProto(cast<ElementsAttr>(attribute(text)), proto));
    return proto.raw_data();
  }

  std::string error;
};

} // namespace

TEST_F(Attributes, EveryKindComesBack) {
  AttributeProto proto = typed(AttributeProto::INT);
  proto.set_i(-5);
  expectRoundTrip(proto, "-5 : i64");
  proto = typed(AttributeProto::FLOAT);
  proto.set_f(0.1f);
  expectRoundTrip(proto, "0.1 : f32");
  proto = typed(AttributeProto::STRING);
  proto.set_s(std::string("a\0\xff", 3));
  expectRoundTrip(proto, "\"a\\00\\FF\"");
  proto = typed(AttributeProto::INTS);
  expectRoundTrip(proto, "array<i64>");
  proto.add_ints(1);
  proto.add_ints(INT64_MIN);
  expectRoundTrip(proto, "array<i64: 1, -9223372036854775808>");
  proto = typed(AttributeProto::FLOATS);
  proto.add_floats(-0.f);
  expectRoundTrip(proto, "array<f32: -0.0>");
  proto = typed(AttributeProto::STRINGS);
  proto.add_strings("");
  proto.add_strings("b");
  expectRoundTrip(proto, "[\"\", \"b\"]");
  proto = typed(AttributeProto::TYPE_PROTO);
  proto.mutable_tp()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
  expectRoundTrip(proto, "tensor<*xf32>");
  proto = typed(AttributeProto::FLOAT);
  proto.set_ref_attr_name("alpha");
  expectRoundTrip(proto, "#onnx.ref<\"alpha\", 1>");
}

TEST_F(Attributes, KindsThatAreNotInterpretedKeepTheirBytes) {
  AttributeProto proto = typed(AttributeProto::SPARSE_TENSOR);
  proto.mutable_sparse_tensor()->add_dims(3);
  Attribute value = from(proto);
  auto raw = dyn_cast<OnnxRawAttr>(value);
  ASSERT_TRUE(raw);
  EXPECT_EQ(raw.getKind(), AttributeProto::SPARSE_TENSOR);
  AttributeProto back;
  ASSERT_TRUE(toAttributeProto(builder.getNamedAttr("a", value), 0, back));
  EXPECT_EQ(back.SerializeAsString(), proto.SerializeAsString());
  // A node of a function may refer to it under another name.
  ASSERT_TRUE(toAttributeProto(builder.getNamedAttr("b", value), 0, back));
  EXPECT_EQ(back.name(), "b");
}

TEST_F(Attributes, WithoutTypeFieldTheSetFieldCounts) {
  AttributeProto proto;
  proto.set_name("a");
  proto.set_f(2);
  EXPECT_EQ(from(proto), attribute("2.0 : f32"));
  proto.Clear();
  proto.set_name("a");
  proto.add_strings("x");
  EXPECT_EQ(from(proto), attribute("[\"x\"]"));
}

TEST_F(Attributes, LongListsBecomeTensors) {
  AttributeProto proto = typed(AttributeProto::INTS);
  for (int i = 0; i < 128; ++i)
    proto.add_ints(i);
  EXPECT_TRUE(isa<DenseI64ArrayAttr>(from(proto))); // 1024 bytes
  proto.add_ints(128);
  Attribute value = from(proto);
  EXPECT_TRUE(isa<ElementsAttr>(value));
  AttributeProto back;
  ASSERT_TRUE(toAttributeProto(builder.getNamedAttr("a", value),
                               AttributeProto::INTS, back));
  EXPECT_EQ(back.SerializeAsString(), proto.SerializeAsString());

  proto = typed(AttributeProto::FLOATS);
  for (int i = 0; i < 257; ++i)
    proto.add_floats(i);
  value = from(proto);
  EXPECT_TRUE(isa<ElementsAttr>(value));
  ASSERT_TRUE(toAttributeProto(builder.getNamedAttr("a", value),
                               AttributeProto::FLOATS, back));
  EXPECT_EQ(back.SerializeAsString(), proto.SerializeAsString());
}

TEST_F(Attributes, StringsThatAreHeldAsATensor) {
  AttributeProto proto;
  ASSERT_TRUE(toAttributeProto(
      named("a", "dense<[\"x\", \"\"]> : tensor<2x!onnx.string>"),
      AttributeProto::STRINGS, proto));
  EXPECT_EQ(proto.type(), AttributeProto::STRINGS);
  ASSERT_EQ(proto.strings_size(), 2);
  EXPECT_EQ(proto.strings(0), "x");
  EXPECT_EQ(proto.strings(1), "");
}

TEST_F(Attributes, Errors) {
  EXPECT_FALSE(from(typed(AttributeProto::GRAPH)));
  EXPECT_EQ(error, "attribute 'a' is a graph, expected a value");
  EXPECT_FALSE(from(typed(AttributeProto::UNDEFINED)));
  EXPECT_EQ(error, "attribute 'a' has no type and no value");
  AttributeProto proto;
  for (const char *text : {"unit", "1 : i32", "1.0 : f64", "[1]", "{}"})
    EXPECT_FALSE(toAttributeProto(named("a", text), 0, proto)) << text;
}

TEST_F(Attributes, TensorBytesAreOnnxs) {
  using namespace std::string_literals;
  EXPECT_EQ(tensorBytes("dense<[1.0, -2.0]> : tensor<2xf32>"),
            "\x00\x00\x80\x3f\x00\x00\x00\xc0"s);
  EXPECT_EQ(tensorBytes("dense<[-1, 258]> : tensor<2xi16>"),
            "\xff\xff\x02\x01"s);
  EXPECT_EQ(tensorBytes("dense<[true, false, true]> : tensor<3xi1>"),
            "\x01\x00\x01"s);
  EXPECT_EQ(tensorBytes("dense<1.0> : tensor<2xbf16>"), "\x80\x3f\x80\x3f"s);
  // First element in the low bits; the rest of the last byte is zero.
  EXPECT_EQ(tensorBytes("dense<[1, -1, 2]> : tensor<3xi4>"), "\xf1\x02"s);
  EXPECT_EQ(tensorBytes("dense<[1, 2, 3, 0, 3]> : tensor<5xui2>"), "\x39\x03"s);
  // 1.0 is 0b001000: four values in three bytes.
  EXPECT_EQ(tensorBytes("dense<1.0> : tensor<4xf6E2M3FN>"), "\x08\x82\x20"s);
  EXPECT_EQ(tensorBytes("dense<1.0> : tensor<2xf6E2M3FN>"), "\x08\x02"s);
  EXPECT_EQ(tensorBytes("dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>"),
            "\x00\x00\x80\x3f\x00\x00\x00\x40"s);
  EXPECT_EQ(tensorBytes("dense<> : tensor<0x3xf32>"), "");
}

TEST_F(Attributes, LargeTensorsHaveNoData) {
  TensorProto proto;
  auto large = cast<ElementsAttr>(attribute("dense<1> : tensor<129xi64>"));
  ASSERT_TRUE(toTensorProto(large, proto));
  EXPECT_EQ(proto.data_type(), TensorProto::INT64);
  EXPECT_EQ(proto.dims(0), 129);
  EXPECT_FALSE(proto.has_raw_data());
  ASSERT_TRUE(toTensorProto(large, proto, 129 * 8));
  EXPECT_EQ(proto.raw_data().size(), 129u * 8);
}

TEST_F(Attributes, Strings) {
  TensorProto proto;
  ASSERT_TRUE(
      toTensorProto(cast<ElementsAttr>(attribute("dense<[\"a\", \"bc\"]> : "
                                                 "tensor<2x!onnx.string>")),
                    proto));
  EXPECT_EQ(proto.data_type(), TensorProto::STRING);
  EXPECT_EQ(proto.string_data(0), "a");
  EXPECT_EQ(proto.string_data(1), "bc");
}
