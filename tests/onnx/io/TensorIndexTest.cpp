//===- TensorIndexTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/read/TensorIndex.h"

#include "TestFiles.h"

using namespace onnxfold;
using Data = TensorIndex::Data;

namespace {

std::string dims(std::initializer_list<int64_t> list) {
  std::string bytes;
  for (int64_t dim : list)
    bytes += intField(1, uint64_t(dim));
  return bytes;
}
std::string type(int dataType) { return intField(2, dataType); }
std::string raw(size_t size) { return bytesField(9, std::string(size, 'r')); }
std::string entry(const std::string &key, const std::string &value) {
  return bytesField(13, bytesField(1, key) + bytesField(2, value));
}

class TensorIndexTest : public FileTest {
protected:
  TensorIndex index(const std::string &tensor) {
    reader.emplace(openBytes(tensor));
    MessageSpan span;
    span.end = tensor.size();
    TensorIndex result = readTensor(*reader, span, arena, {"tensor"});
    EXPECT_EQ(errorText(reader->takeError()), "");
    return result;
  }
  std::string problem(const std::string &tensor) {
    const StoredFault *problem = index(tensor).problem;
    return problem ? problem->text() : "";
  }
  llvm::BumpPtrAllocator arena;
  std::optional<WireReader> reader;
};

TEST_F(TensorIndexTest, RawData) {
  std::string head = dims({3, 3}) + type(1) + bytesField(8, "w");
  TensorIndex tensor = index(head + raw(36));
  EXPECT_EQ(tensor.name, "w");
  EXPECT_EQ(tensor.dims, llvm::ArrayRef<int64_t>({3, 3}));
  EXPECT_EQ(tensor.dataType, 1);
  EXPECT_EQ(tensor.data, Data::Raw);
  EXPECT_EQ(tensor.problem, nullptr);
  ByteRange bytes{head.size() + 2, head.size() + 38};
  EXPECT_TRUE(tensor.ranges[0] == bytes);
  EXPECT_TRUE(tensor.directBytes(*reader) == bytes);
}

TEST_F(TensorIndexTest, FieldOrderAndRepetition) {
  // Payload first, the last of two names and raw_data wins, dims are packed.
  TensorIndex tensor =
      index(raw(99) + raw(6) + bytesField(8, "a") + bytesField(1, "\2\3") +
            type(7) + type(2) + bytesField(8, "b") + intField(99, 1));
  EXPECT_EQ(tensor.name, "b");
  EXPECT_EQ(tensor.dims, llvm::ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(tensor.problem, nullptr);
  EXPECT_EQ(tensor.ranges[0].size(), 6u);
}

TEST_F(TensorIndexTest, KnownNumbersOfOtherWireTypesAreUnknownFields) {
  TensorIndex tensor =
      index(dims({1}) + type(3) + raw(1) + intField(9, 5) + intField(8, 1) +
            intField(6, 1) + fixed32Field(2, "abcd") + intField(14, 7));
  EXPECT_EQ(tensor.problem, nullptr);
  EXPECT_EQ(tensor.name, "");
  EXPECT_EQ(tensor.data, Data::Raw);
}

TEST_F(TensorIndexTest, PackedFloatsAreDirectBytes) {
  TensorIndex tensor = index(dims({2}) + type(1) + bytesField(4, "abcdefgh"));
  EXPECT_EQ(tensor.data, Data::Typed);
  EXPECT_EQ(tensor.directBytes(*reader)->size(), 8u);
  tensor = index(dims({2}) + type(1) + fixed32Field(4, "abcd") +
                 bytesField(4, "efgh"));
  EXPECT_EQ(tensor.problem, nullptr);
  EXPECT_EQ(tensor.ranges.size(), 1u);
  EXPECT_FALSE(tensor.directBytes(*reader)) << "not one piece";
  tensor = index(dims({2}) + type(7) + bytesField(7, "ab"));
  EXPECT_FALSE(tensor.directBytes(*reader)) << "varints";
  tensor = index(dims({3}) + type(1) + bytesField(4, "abcdefgh"));
  EXPECT_FALSE(tensor.directBytes(*reader)) << "too few";
}

TEST_F(TensorIndexTest, ExternalData) {
  TensorIndex tensor = index(
      dims({4}) + type(1) + intField(14, 1) + entry("location", "w.bin") +
      entry("offset", "4096") + entry("length", "16") + entry("other", "x"));
  EXPECT_EQ(tensor.problem, nullptr);
  EXPECT_EQ(tensor.data, Data::External);
  EXPECT_EQ(tensor.external->location, "w.bin");
  EXPECT_EQ(tensor.external->offset, 4096u);
  EXPECT_EQ(tensor.external->length, 16u);
}

TEST_F(TensorIndexTest, NoElementsNeedNoData) {
  EXPECT_EQ(index(dims({0, 5}) + type(1)).data, Data::None);
  EXPECT_EQ(problem(dims({0, 5}) + type(1)), "");
  EXPECT_EQ(problem(dims({0}) + type(1) + raw(0)), "");
  EXPECT_EQ(problem(dims({0}) + type(7) + bytesField(7, "")), "");
  EXPECT_EQ(problem(dims({0}) + type(8)), "");
  // The product of the other dimensions does not matter.
  EXPECT_EQ(problem(dims({INT64_MAX, INT64_MAX, 0}) + type(1)), "");
}

TEST_F(TensorIndexTest, SubByteSizes) {
  EXPECT_EQ(problem(dims({3}) + type(22) + raw(2)), "");
  EXPECT_EQ(problem(dims({5}) + type(25) + raw(2)), "");
  EXPECT_EQ(problem(dims({5}) + type(26) + raw(3)),
            "has 3 bytes of raw_data, expected 2 for tensor<5xi2>");
}

TEST_F(TensorIndexTest, Problems) {
  EXPECT_EQ(problem(dims({3, 3}) + type(1) + raw(35)),
            "has 35 bytes of raw_data, expected 36 for tensor<3x3xf32>");
  EXPECT_EQ(problem(dims({2}) + type(1) + raw(9)),
            "has 9 bytes of raw_data, expected 8 for tensor<2xf32>");
  EXPECT_EQ(problem(dims({2}) + type(1)),
            "has no values, expected 2 for tensor<2xf32>");
  EXPECT_EQ(problem(type(1) + fixed32Field(4, "abcd") + raw(4)),
            "has values in float_data and in raw_data, expected one of them");
  EXPECT_EQ(problem(type(1) + fixed32Field(4, "abcd") + intField(7, 1)),
            "has values in float_data and in int64_data, expected one of them");
  EXPECT_EQ(problem(type(7) + fixed32Field(4, "abcd")),
            "has values in float_data, expected int64_data for tensor<i64>");
  EXPECT_EQ(problem(dims({3}) + type(11) + bytesField(10, std::string(16, 0))),
            "has 2 values in double_data, expected 3 for tensor<3xf64>");
  EXPECT_EQ(
      problem(dims({1}) + type(14) + fixed32Field(4, "abcd")),
      "has 1 values in float_data, expected 2 for tensor<1xcomplex<f32>>");
  EXPECT_EQ(problem(raw(4)), "has data type 0, which is none of ONNX's types");
  EXPECT_EQ(problem(type(99) + raw(4)),
            "has data type 99, which is none of ONNX's types");
  EXPECT_EQ(problem(dims({-1}) + type(1) + raw(4)),
            "has the impossible shape of tensor<-1xf32>");
  EXPECT_EQ(problem(dims({int64_t(1) << 62, 4}) + type(2) + raw(4)),
            "has the impossible shape of tensor<4611686018427387904x4xui8>");
  EXPECT_EQ(problem(dims({int64_t(1) << 61}) + type(1) + raw(4)),
            "has the impossible shape of tensor<2305843009213693952xf32>");
  EXPECT_EQ(problem(dims({1}) + type(8) + raw(4)),
            "has raw_data, expected string_data for tensor<1xstring>");
  EXPECT_EQ(problem(type(1) + bytesField(3, intField(1, 0)) + raw(4)),
            "is one segment of a tensor that is stored in pieces");
  EXPECT_EQ(problem(type(1) + intField(14, 1)),
            "has external data without a location");
  EXPECT_EQ(
      problem(type(1) + intField(14, 1) + entry("location", "a") + raw(4)),
      "has external data in 'a' and values of its own, expected one of them");
  EXPECT_EQ(problem(type(1) + intField(14, 1) + entry("location", "a") +
                    entry("offset", "-4")),
            "has external data in 'a' with offset '-4', expected a decimal "
            "number");
  EXPECT_EQ(problem(type(1) + intField(14, 1) + entry("location", "a") +
                    entry("length", "3")),
            "has 3 bytes of external data in 'a', expected 4 for tensor<f32>");
  EXPECT_EQ(problem(type(8) + intField(14, 1) + entry("location", "a")),
            "has external data in 'a', expected string_data for "
            "tensor<string>");
  EXPECT_EQ(problem(bytesField(1, std::string(2000, '\1')) + type(2) + raw(1)),
            "has more than 1024 dimensions");
}

} // namespace
