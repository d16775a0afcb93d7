//===- MlDtypesTest.cpp - The narrow floats as ml_dtypes has them ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// ONNX's reference evaluator computes with numpy and ml_dtypes; the table says
// what they make of some floats, without saturation.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/widenum/Convert.h"

#include <gtest/gtest.h>

#include <bit>

using namespace onnxfold;

namespace {

struct Row {
  uint32_t source;
  unsigned bits[9];
};
constexpr Row rows[] = {
#include "MlDtypesTable.inc"
};

template <class To> unsigned bitsOf(float x) {
  return convert<To>(x, {.saturate = false}).bits;
}

TEST(MlDtypes, NarrowFloats) {
  for (const Row &row : rows) {
    auto x = std::bit_cast<float>(row.source);
    SCOPED_TRACE(x);
    EXPECT_EQ(bitsOf<Float16>(x), row.bits[0]);
    EXPECT_EQ(bitsOf<BFloat16>(x), row.bits[1]);
    EXPECT_EQ(bitsOf<Float8E4M3FN>(x), row.bits[2]);
    EXPECT_EQ(bitsOf<Float8E4M3FNUZ>(x), row.bits[3]);
    EXPECT_EQ(bitsOf<Float8E5M2>(x), row.bits[4]);
    EXPECT_EQ(bitsOf<Float8E5M2FNUZ>(x), row.bits[5]);
    EXPECT_EQ(bitsOf<Float6E2M3>(x), row.bits[6]);
    EXPECT_EQ(bitsOf<Float6E3M2>(x), row.bits[7]);
    EXPECT_EQ(bitsOf<Float4E2M1>(x), row.bits[8]);
  }
}

} // namespace
