//===- WeightFileTest.cpp - Matrices as SystemDS reads them ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The bytes are held against the layout of a Hadoop sequence file with blocks
// of SystemDS, offset by offset; tests/dml/test_models.py lets SystemDS read
// them.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/WeightFile.h"
#include "llvm/Support/Endian.h"
#include <gtest/gtest.h>

using namespace onnxfold;
using namespace onnxfold::dml;

namespace {

std::string written(const Elements &values, int64_t rows, int64_t columns,
                    WeightFormat format = WeightFormat::Binary) {
  auto file = llvm::cantFail(OutputFile::createInMemory("weights"));
  llvm::cantFail(writeMatrix(*file, values, rows, columns, format));
  InputFileRef bytes = llvm::cantFail(file->read());
  std::string text(bytes->size(), '\0');
  llvm::cantFail(bytes->read(0, {text.data(), text.size()}));
  return text;
}

template <class T> T at(const std::string &bytes, size_t offset) {
  return llvm::support::endian::read<T, llvm::endianness::big>(&bytes[offset]);
}

TEST(WeightFile, BinaryLayout) {
  std::string bytes =
      written(Elements::fromValues<double>({2, 2}, {1, -2, 0.5, 4}), 2, 2);
  EXPECT_EQ(bytes.substr(0, 4), std::string("SEQ\6"));
  EXPECT_EQ(at<uint8_t>(bytes, 4), 50);
  EXPECT_EQ(at<uint8_t>(bytes, 55), 48);
  EXPECT_EQ(bytes.substr(55 + 1, 48),
            "org.apache.sysds.runtime.matrix.data.MatrixBlock");
  EXPECT_EQ(at<uint16_t>(bytes, 104), 0);
  EXPECT_EQ(at<uint32_t>(bytes, 106), 0u);
  size_t record = 126;
  EXPECT_EQ(at<int32_t>(bytes, record), -1);
  EXPECT_EQ(bytes.substr(record + 4, 16), bytes.substr(110, 16));
  EXPECT_EQ(at<int32_t>(bytes, record + 20), 16 + 9 + 4 * 8);
  EXPECT_EQ(at<int32_t>(bytes, record + 24), 16);
  EXPECT_EQ(at<int64_t>(bytes, record + 28), 1);
  EXPECT_EQ(at<int64_t>(bytes, record + 36), 1);
  EXPECT_EQ(at<int32_t>(bytes, record + 44), 2);
  EXPECT_EQ(at<int32_t>(bytes, record + 48), 2);
  EXPECT_EQ(at<uint8_t>(bytes, record + 52), 3);
  EXPECT_EQ(at<uint64_t>(bytes, record + 53 + 8),
            std::bit_cast<uint64_t>(-2.0));
  EXPECT_EQ(bytes.size(), record + 53 + 4 * 8);
}

/// 1001 x 1001 are four blocks; the last one has one value, the last of all.
TEST(WeightFile, Blocks) {
  int64_t size = 1001;
  std::vector<double> values(size * size);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = double(i);
  std::string bytes =
      written(Elements::fromValues<double>({size, size}, values), size, size);
  constexpr size_t head = 53; // of a record
  EXPECT_EQ(bytes.size(), 126 + 4 * head + 8 * values.size());
  size_t last = bytes.size() - head - 8;
  EXPECT_EQ(at<int64_t>(bytes, last + 28), 2);
  EXPECT_EQ(at<int64_t>(bytes, last + 36), 2);
  EXPECT_EQ(at<int32_t>(bytes, last + 44), 1);
  EXPECT_EQ(at<uint64_t>(bytes, last + head),
            std::bit_cast<uint64_t>(double(size * size - 1)));
}

TEST(WeightFile, Csv) {
  double infinity = std::numeric_limits<double>::infinity();
  Elements values = Elements::fromValues<double>(
      {2, 2}, {0.1, -infinity, std::numeric_limits<double>::quiet_NaN(), 3});
  EXPECT_EQ(written(values, 2, 2, WeightFormat::Csv), "0.1,-Infinity\nNaN,3\n");
}

TEST(WeightFile, IntegersThatDoublesDoNotHold) {
  int64_t limit = int64_t(1) << 53;
  EXPECT_EQ(firstInexact(Elements::fromValues<int64_t>({2}, {limit, -limit})),
            -1);
  EXPECT_EQ(firstInexact(Elements::fromValues<int64_t>({2}, {1, limit + 1})),
            1);
}

} // namespace
