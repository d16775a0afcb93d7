//===- NamesTest.cpp - Names of a model as names of a script --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The names are those that broke the old converter, which copied them as they
// were.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Names.h"
#include <gtest/gtest.h>

using namespace onnxfold::dml;

namespace {

TEST(Names, AreLegalAndReadable) {
  NameTable names;
  EXPECT_EQ(names.make("input.1"), "input_1");
  EXPECT_EQ(names.make("/fc1/Relu_output_0"), "fc1_Relu_output_0");
  EXPECT_EQ(names.make("23"), "v23");
  EXPECT_EQ(names.make("_A"), "A");
  EXPECT_EQ(names.make("\xc3\xa4"), "v");
  EXPECT_EQ(names.make("", "constant"), "constant");
}

/// DML drops characters that it does not know: "_A" and "A" would be one
/// variable.
TEST(Names, AreUnique) {
  NameTable names;
  EXPECT_EQ(names.make("A"), "A");
  EXPECT_EQ(names.make("A_2"), "A_2");
  EXPECT_EQ(names.make("_A"), "A_3");
  EXPECT_EQ(names.make("a.b"), "a_b");
  EXPECT_EQ(names.make("a/b"), "a_b_2");
}

TEST(Names, AreNoWordsOfDmlOrPython) {
  NameTable names;
  EXPECT_EQ(names.make("in"), "in_");
  EXPECT_EQ(names.make("function"), "function_");
  EXPECT_EQ(names.make("pi"), "pi_");
  EXPECT_EQ(names.make("lambda"), "lambda_");
  EXPECT_EQ(names.make("max"), "max_");
  EXPECT_EQ(names.make("max"), "max_2");
}

} // namespace
