//===- CInterfaceTest.cpp - Runs CLife.c ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/runtime/CInterface.h"
#include "HandWritten.h"

using namespace onnxfold::tensorfolding;
using namespace onnxfold::tensorfolding::testing;

extern "C" int runLifeInC(const void *metadata, onnxfold_ct_resolver resolve,
                          void *context);

static void *resolveInC(void *context, const char *symbol) {
  return static_cast<Functions *>(context)->resolver()(symbol);
}

TEST(CInterface, the_whole_life_of_a_program) {
  SumProgram sum(2, 4);
  std::vector<char> metadata = writeMetadata(sum.metadata);
  EXPECT_EQ(runLifeInC(metadata.data(), resolveInC, &sum.functions), 0)
      << "the line of CLife.c that failed";
}

TEST(CInterface, codes_are_those_of_CPlusPlus) {
  EXPECT_EQ(int(ErrorCode::BadMetadata), ONNXFOLD_CT_BAD_METADATA);
  EXPECT_EQ(int(ErrorCode::FunctionNotFound), ONNXFOLD_CT_FUNCTION_NOT_FOUND);
  EXPECT_EQ(int(ErrorCode::BadArgument), ONNXFOLD_CT_BAD_ARGUMENT);
  EXPECT_EQ(int(ErrorCode::BadTensor), ONNXFOLD_CT_BAD_TENSOR);
  EXPECT_EQ(int(ErrorCode::WeightMissing), ONNXFOLD_CT_WEIGHT_MISSING);
  EXPECT_EQ(int(ErrorCode::OutOfMemory), ONNXFOLD_CT_OUT_OF_MEMORY);
  EXPECT_EQ(int(ErrorCode::FoldFailed), ONNXFOLD_CT_FOLD_FAILED);
  EXPECT_EQ(int(ErrorCode::BadState), ONNXFOLD_CT_BAD_STATE);
}
