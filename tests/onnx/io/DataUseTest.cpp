//===- DataUseTest.cpp - What a model refers to in its data files ---------===//
// SPDX-License-Identifier: Apache-2.0
#include "onnxfold/onnx/io/write/internal/DataUse.h"
#include "TestFiles.h"
#include "gtest/gtest.h"

using namespace onnxfold;

TEST(DataUseTest, RangesThatOverlapCountOnce) {
  EXPECT_EQ(usedBytes({}), 0u);
  EXPECT_EQ(usedBytes({{10, 20}, {0, 5}, {15, 30}, {15, 16}, {10, 20}}), 25u);
}

TEST(DataUseTest, ZerosBeforeAPageArePadding) {
  std::string bytes(3 * 4096, '\0');
  bytes[100] = 'a';
  bytes[4096] = 'b';
  bytes[8191] = 'c';
  bytes[8192] = 'd';
  auto file = InputFile::ofBytes(bytes, "data");
  ASSERT_TRUE(bool(file));
  auto of = [&](llvm::ArrayRef<ByteRange> ranges) {
    return llvm::cantFail(bytesWithPadding(**file, ranges));
  };
  EXPECT_EQ(of({{0, 101}, {4096, 4100}}), 4100u);
  EXPECT_EQ(of({{0, 101}, {4097, 4100}}), 104u) << "begins at no page";
  EXPECT_EQ(of({{0, 101}, {8192, 8193}}), 102u) << "there is data between";
  EXPECT_EQ(of({{0, 100}, {4096, 4100}}), 104u) << "a byte is no zero";
}
