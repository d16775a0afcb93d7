//===- TensorBytesTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/read/TensorBytes.h"
#include "TestFiles.h"
#include "onnxfold/onnx/io/wire/FieldEncoding.h"
#include "onnxfold/onnx/io/write/TensorMessages.h"

#include "onnx/onnx_pb.h"

using namespace onnxfold;
using onnx::TensorProto;

namespace {

class TensorBytesTest : public FileTest {
protected:
  TensorIndex index(const std::string &tensor) {
    reader.emplace(openBytes(tensor));
    MessageSpan span;
    span.end = tensor.size();
    return readTensor(*reader, span, arena, {"tensor"});
  }
  /// The element bytes of a tensor, or the error or problem.
  std::string elements(const std::string &bytes) {
    TensorIndex tensor = index(bytes);
    if (tensor.problem)
      return tensor.problem->text();
    std::string out(
        *rawDataSize(*lookupTensorType(tensor.dataType), tensor.dims), '?');
    std::string error = errorText(readElements(
        *reader, tensor, {out.data(), out.size()}, "initializer 'w'"));
    return error.empty() ? out : error;
  }
  std::string elements(const TensorProto &proto) {
    return elements(proto.SerializeAsString());
  }
  llvm::BumpPtrAllocator arena;
  std::optional<WireReader> reader;
};

TensorProto tensor(int type, std::initializer_list<int64_t> dims) {
  TensorProto proto;
  proto.set_data_type(type);
  for (int64_t dim : dims)
    proto.add_dims(dim);
  return proto;
}

template <typename T> std::string bytesOf(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char *>(values.begin()),
                     values.size() * sizeof(T));
}

TEST_F(TensorBytesTest, TypedFieldsOfEveryType) {
  // Types whose values are the low bytes of int32_data entries.
  for (int type : {TensorProto::INT8, TensorProto::UINT8, TensorProto::BOOL,
                   TensorProto::FLOAT8E4M3FN, TensorProto::FLOAT8E8M0}) {
    TensorProto proto = tensor(type, {3});
    for (int value : {-1, 1, 200})
      proto.add_int32_data(value);
    EXPECT_EQ(elements(proto), bytesOf<uint8_t>({255, 1, 200})) << type;
  }
  for (int type : {TensorProto::INT16, TensorProto::UINT16,
                   TensorProto::FLOAT16, TensorProto::BFLOAT16}) {
    TensorProto proto = tensor(type, {2, 1});
    proto.add_int32_data(-2);
    proto.add_int32_data(0x3c00);
    EXPECT_EQ(elements(proto), bytesOf<uint16_t>({0xfffe, 0x3c00})) << type;
  }
  TensorProto proto = tensor(TensorProto::INT32, {2});
  proto.add_int32_data(INT32_MIN);
  proto.add_int32_data(INT32_MAX);
  EXPECT_EQ(elements(proto), bytesOf<int32_t>({INT32_MIN, INT32_MAX}));
  proto = tensor(TensorProto::INT64, {2});
  proto.add_int64_data(INT64_MIN);
  proto.add_int64_data(-1);
  EXPECT_EQ(elements(proto), bytesOf<int64_t>({INT64_MIN, -1}));
  proto = tensor(TensorProto::UINT32, {});
  proto.add_uint64_data(UINT32_MAX);
  EXPECT_EQ(elements(proto), bytesOf<uint32_t>({UINT32_MAX}));
  proto = tensor(TensorProto::UINT64, {});
  proto.add_uint64_data(UINT64_MAX);
  EXPECT_EQ(elements(proto), bytesOf<uint64_t>({UINT64_MAX}));
  proto = tensor(TensorProto::FLOAT, {2});
  proto.add_float_data(-0.0f);
  proto.add_float_data(1e-45f);
  EXPECT_EQ(elements(proto), bytesOf<float>({-0.0f, 1e-45f}));
  proto = tensor(TensorProto::DOUBLE, {1});
  proto.add_double_data(0.1);
  EXPECT_EQ(elements(proto), bytesOf<double>({0.1}));
  proto = tensor(TensorProto::COMPLEX64, {1});
  proto.add_float_data(1);
  proto.add_float_data(2);
  EXPECT_EQ(elements(proto), bytesOf<float>({1, 2}));
  proto = tensor(TensorProto::COMPLEX128, {1});
  proto.add_double_data(1);
  proto.add_double_data(2);
  EXPECT_EQ(elements(proto), bytesOf<double>({1, 2}));
}

TEST_F(TensorBytesTest, SubByteElementsArePackedAndTailsAreZero) {
  for (int type :
       {TensorProto::UINT4, TensorProto::INT4, TensorProto::FLOAT4E2M1}) {
    TensorProto proto = tensor(type, {3});
    proto.add_int32_data(0x21);
    proto.add_int32_data(0xf3);
    EXPECT_EQ(elements(proto), "\x21\x03") << type;
    proto.clear_int32_data();
    proto.set_raw_data("\x21\xf3");
    EXPECT_EQ(elements(proto), "\x21\x03") << type;
  }
  TensorProto proto = tensor(25, {5}); // uint2
  proto.set_raw_data("\xe4\xff");
  EXPECT_EQ(elements(proto), "\xe4\x03");
  proto = tensor(26, {4}); // int2
  proto.add_int32_data(0xe4);
  EXPECT_EQ(elements(proto), "\xe4");
}

TEST_F(TensorBytesTest, LongPackedListsCrossBlocks) {
  TensorProto proto = tensor(TensorProto::INT64, {100000});
  std::string expected;
  for (int64_t i = 0; i < 100000; ++i) {
    int64_t value = i % 3 == 0 ? -i : i << (i % 50);
    proto.add_int64_data(value);
    expected += bytesOf<int64_t>({value});
  }
  EXPECT_TRUE(elements(proto) == expected);
}

TEST_F(TensorBytesTest, UnpackedAndMixedLists) {
  EXPECT_EQ(elements(intField(1, 4) + intField(2, 2) + intField(5, 1) +
                     bytesField(5, "\2\3") + bytesField(8, "w") +
                     intField(5, 4)),
            "\1\2\3\4");
  EXPECT_EQ(elements(intField(1, 3) + intField(2, 1) + fixed32Field(4, "abcd") +
                     bytesField(4, "efgh") + fixed32Field(4, "ijkl")),
            "abcdefghijkl");
}

TEST_F(TensorBytesTest, WrongCountsAreErrors) {
  EXPECT_EQ(elements(intField(1, 3) + intField(2, 7) + bytesField(7, "\1\2")),
            "initializer 'w' has 2 values, expected 3 for tensor<3xi64>");
  EXPECT_EQ(elements(intField(1, 1) + intField(2, 7) + bytesField(7, "\1\2")),
            "initializer 'w' has 2 values, expected 1 for tensor<1xi64>");
  EXPECT_NE(elements(intField(1, 2) + intField(2, 7) + bytesField(7, "\1\x80"))
                .find("end in the middle of a number"),
            std::string::npos);
}

TEST_F(TensorBytesTest, Strings) {
  TensorProto proto = tensor(TensorProto::STRING, {3});
  proto.add_string_data("one");
  proto.add_string_data("");
  proto.add_string_data(std::string("\0\xff", 2));
  TensorIndex found = index(proto.SerializeAsString());
  EXPECT_EQ(found.problem, nullptr);
  std::vector<std::string> strings;
  EXPECT_EQ(errorText(readStrings(*reader, found, strings, "w")), "");
  EXPECT_EQ(strings,
            (std::vector<std::string>{"one", "", std::string("\0\xff", 2)}));
  proto.add_string_data("four");
  found = index(proto.SerializeAsString());
  EXPECT_EQ(errorText(readStrings(*reader, found, strings, "w")),
            "w has 4 strings, expected 3 for tensor<3xstring>");
}

/// Encoded fields, put into a graph, must be what protobuf's library writes.
TEST(TensorEncoding, AgreesWithProtobuf) {
  std::string raw(300, 'r');
  int64_t dims[] = {75, 1};
  TensorHeader header{"folded", TensorProto::FLOAT, dims};
  onnx::GraphProto graph;
  TensorProto *initializer = graph.add_initializer();
  *initializer = tensor(TensorProto::FLOAT, {75, 1});
  initializer->set_name("folded");
  initializer->set_raw_data(raw);
  FramedBytes framed = encodeInitializer(header, raw.size());
  EXPECT_EQ(framed.before + raw + framed.after, graph.SerializeAsString());

  initializer->clear_raw_data();
  for (auto [key, value] : {std::pair("location", "out.data"),
                            {"offset", "65536"},
                            {"length", "300"}}) {
    auto *entry = initializer->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  }
  initializer->set_data_location(TensorProto::EXTERNAL);
  EXPECT_EQ(encodeExternalInitializer(header, "out.data", 65536, 300),
            graph.SerializeAsString());

  llvm::StringRef strings[] = {"a", "", "c"};
  int64_t three[] = {3};
  TensorHeader texts{"s", TensorProto::STRING, three};
  *initializer = tensor(TensorProto::STRING, {3});
  initializer->set_name("s");
  std::string fields;
  uint64_t size = 0;
  for (llvm::StringRef text : strings) {
    initializer->add_string_data(text.str());
    fields += encodeString(text);
    size += encodedStringSize(text.size());
  }
  EXPECT_EQ(fields.size(), size);
  framed = encodeInitializer(texts, size);
  EXPECT_EQ(framed.before + fields + framed.after, graph.SerializeAsString());
}

TEST(TensorEncoding, ConstantNodesAgreeWithProtobuf) {
  std::string raw(2, 'r');
  TensorHeader header{"", TensorProto::INT16, {}};
  onnx::GraphProto graph;
  onnx::NodeProto *node = graph.add_node();
  node->add_output("y");
  node->set_op_type("Constant");
  auto *attribute = node->add_attribute();
  attribute->set_name("value");
  attribute->set_type(onnx::AttributeProto::TENSOR);
  attribute->mutable_t()->set_data_type(TensorProto::INT16);
  attribute->mutable_t()->set_raw_data(raw);
  FramedBytes framed = encodeConstantNode({"y", "", 1}, header, raw.size());
  EXPECT_EQ(framed.before + raw + framed.after, graph.SerializeAsString());

  // In a function, with a name, and of strings.
  onnx::FunctionProto function;
  *function.add_node() = *node;
  function.mutable_node(0)->set_name("n");
  framed = encodeConstantNode({"y", "n", 7}, header, raw.size());
  EXPECT_EQ(framed.before + raw + framed.after, function.SerializeAsString());
  int64_t one[] = {1};
  llvm::StringRef text = "text";
  auto *value = function.mutable_node(0)->mutable_attribute(0)->mutable_t();
  *value = tensor(TensorProto::STRING, {1});
  value->add_string_data("text");
  std::string field = encodeString(text);
  framed = encodeConstantNode({"y", "n", 7}, {"", TensorProto::STRING, one},
                              field.size());
  EXPECT_EQ(framed.before + field + framed.after, function.SerializeAsString());
}

TEST(TensorEncoding, EmptyTensors) {
  int64_t dims[] = {0, 4};
  FramedBytes framed = encodeInitializer({"e", TensorProto::FLOAT, dims}, 0);
  onnx::GraphProto graph;
  ASSERT_TRUE(graph.ParseFromString(framed.before + framed.after));
  EXPECT_EQ(graph.initializer(0).dims_size(), 2);
  EXPECT_TRUE(graph.initializer(0).has_raw_data());
}

TEST(TensorEncoding, Entries) {
  onnx::ModelProto model;
  auto *entry = model.add_metadata_props();
  entry->set_key("onnx-fold.growth");
  entry->set_value("123");
  EXPECT_EQ(encodeEntryField(14, "onnx-fold.growth", "123"),
            model.SerializeAsString());
}

} // namespace
