//===- MlirTextTest.cpp - Text that MLIR's parser cannot be given ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/MlirText.h"
#include "gtest/gtest.h"

using namespace onnxfold;

static std::string messageOf(llvm::StringRef text) {
  return llvm::toString(checkMlirText(text));
}

static std::string placeOf(llvm::StringRef text) {
  return llvm::StringRef(messageOf(text)).split(": ").first.str();
}

// The verifier asks a map that is none, however the permutation is written.
TEST(MlirText, AnEmptyPermutationIsSeenInEachForm) {
  auto in = [](llvm::StringRef text) {
    return placeOf(("#p = array<i64>\n" + text).str());
  };
  std::string second = "line 2, column 1";
  EXPECT_EQ(in(R"("linalg.transpose"(%x, %o) <{permutation = array <i64>}>)"),
            second);
  EXPECT_EQ(in(R"("linalg.transpose" (%x, %o) <{permutation = #p}>)"), second);
  EXPECT_EQ(in(R"("linalg.transpose"(%x) <{"permutation" = array<i64>}>)"),
            second);
  EXPECT_EQ(in("linalg.transpose ins(%x : tensor<f32, {a = 1}>) "
               "outs(%o : tensor<f32>) permutation = []"),
            second);
  EXPECT_EQ(in("linalg.transpose // =\n ins(%x : tensor<f32>) "
               "outs(%o : tensor<f32>) permutation = [ // none\n ]"),
            second);
  // Its region is before its attributes.
  EXPECT_EQ(in(R"("linalg.transpose"(%x, %o) ({
    "foo.bar"() {permutation = array<i64: 0>} : () -> ()
  }) {permutation = array<i64>})"),
            second);
  EXPECT_EQ(messageOf("linalg.transpose ins() outs() permutation = []"),
            "line 1, column 1: 'linalg.transpose' with an empty permutation "
            "cannot be parsed by MLIR 22, expected at least one dimension");
}

TEST(MlirText, AnArrayOfIndexIsSeenThroughAliases) {
  EXPECT_EQ(placeOf("!i =\n  index\n!j-k = !i\n{a = array< // of\n !j-k: 1>}"),
            "line 4, column 6");
  EXPECT_EQ(placeOf("{a = array<index>}"), "line 1, column 6");
}

// What looks like either, but is valid.
TEST(MlirText, OtherTextIsNotRefused) {
  const llvm::StringRef valid[] = {
      R"(func.func @"linalg.transpose"(%x: f32 {permutation = []})
           attributes {permutation = []})",
      R"({a = "array<index: 1>", b = "linalg.transpose ins", permutation = []})",
      "// linalg.transpose ins() outs() permutation = []\n// array<index>",
      R"("linalg.transpose"(%x) <{permutation = array<i64: 0>}>
         "foo.transpose"(%x) <{permutation = array<i64>}>)",
      R"("linalg.transpose"(%x, %o) ({
           "foo.bar"() {permutation = array<i64>} : () -> ()
         }) {a = {permutation = []}, permutation = array<i64: 0>})",
      "linalg.transpose ins(%x : f32) outs(%o : f32) permutation = [0] "
      "foo.permuted permutation = []",
      "%array = arith.constant 1 : index\n!foo.array<index>",
      "!i = index // -----\n!i = i64\n{a = array<!i: 1>}",
  };
  for (llvm::StringRef text : valid)
    EXPECT_EQ(messageOf(text), "") << text.str();
}

TEST(MlirText, TextMayEndAnywhere) {
  for (llvm::StringRef text :
       {"\"linalg.transpose", "linalg.transpose // index array",
        "array<\"index\\", "linalg.transpose ins( ) ) } permutation ="})
    EXPECT_EQ(messageOf(text), "") << text.str();
}
