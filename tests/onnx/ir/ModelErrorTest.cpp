//===- ModelErrorTest.cpp - Errors with fields ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/ModelError.h"
#include "onnxfold/onnx/ir/NodeLabel.h"
#include "onnxfold/onnx/ir/PrintableText.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using Field = ModelFault::Field;

static std::string jsonOf(const ModelFault &fault) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::json::Value(fault.toJson());
  return text;
}

TEST(ModelErrorTest, TextAndJsonArePrintedFromThePieces) {
  ModelFault fault = ModelFault()
                         .file("a.onnx")
                         .node("conv1", "Conv")
                         .attribute("group")
                         .is("0")
                         .expected("a number above 0");
  EXPECT_EQ(fault.text(), "a.onnx: node 'conv1' (Conv) attribute 'group' is 0, "
                          "expected a number above 0");
  EXPECT_EQ(jsonOf(fault),
            R"({"attribute":"group","expected":"a number above 0",)"
            R"("file":"a.onnx","has":"0","node":"conv1","operator":"Conv",)"
            R"("text":"a.onnx: node 'conv1' (Conv) attribute 'group' is 0, )"
            R"(expected a number above 0"})");
}

TEST(ModelErrorTest, WordsThatLookLikeFieldsAreNone) {
  // The fields were cut out of the text: behind the last " is " stood what the
  // model has, and a name that holds words like these became several fields.
  ModelFault fault = ModelFault()
                         .file("it is: a node 'x'.onnx")
                         .initializer("w' is 3, expected 4")
                         .says("is what it is");
  EXPECT_EQ(fault.get(Field::Initializer), "w' is 3, expected 4");
  EXPECT_EQ(fault.get(Field::File), "it is: a node 'x'.onnx");
  for (Field none : {Field::Node, Field::Has, Field::Expected})
    EXPECT_EQ(fault.get(none), "");
}

TEST(ModelErrorTest, NamesAreEscapedInTheTextOnly) {
  ModelFault fault = ModelFault().node("a\nb", "Op\t");
  EXPECT_EQ(fault.text(), "node 'a\\x0Ab' (Op\\x09)");
  EXPECT_EQ(fault.get(Field::Node), "a\nb");
}

TEST(ModelErrorTest, OfNestedPartsTheInnermostIsMeant) {
  ModelFault fault = ModelFault()
                         .file("a.onnx")
                         .node("loop", "Loop")
                         .says("graph 'body':")
                         .file("weights.bin")
                         .node("add")
                         .has("no input");
  EXPECT_EQ(fault.get(Field::File), "a.onnx");
  EXPECT_EQ(fault.get(Field::Node), "add");
  EXPECT_EQ(fault.get(Field::Operator), ""); // not that of the loop
  EXPECT_EQ(fault.text(), "a.onnx: node 'loop' (Loop) graph 'body': "
                          "weights.bin: node 'add' has no input");
}

TEST(ModelErrorTest, ErrorsKeepTheirFieldsOnTheWay) {
  llvm::Error error = ModelFault().input("x").has("rank 2").expected("3");
  error = inFile("a.onnx", inContext("reading", std::move(error)));
  EXPECT_EQ(faultIn(error).get(Field::Input), "x");
  EXPECT_EQ(faultIn(error).get(Field::Has), "rank 2");
  EXPECT_EQ(llvm::toString(std::move(error)),
            "a.onnx: reading: input 'x' has rank 2, expected 3");
  EXPECT_FALSE(inFile("a.onnx", llvm::Error::success()));
}

TEST(ModelErrorTest, ErrorsOfOthersAreWords) {
  llvm::Error error = inFile("a.onnx", llvm::createStringError("no luck"));
  EXPECT_TRUE(error.isA<ModelError>());
  EXPECT_EQ(faultIn(error).get(Field::File), "a.onnx");
  EXPECT_EQ(llvm::toString(std::move(error)), "a.onnx: no luck");
}

TEST(ModelErrorTest, SeveralErrorsAreLines) {
  llvm::Error error = llvm::joinErrors(ModelFault().file("a").says("one"),
                                       ModelFault().file("b").says("two"));
  EXPECT_EQ(takeFault(std::move(error)).text(), "a: one\nb: two");
}

TEST(ModelErrorTest, Options) {
  ModelFault fault = badOption("--dim", "x", "NAME:SIZE");
  EXPECT_EQ(fault.text(), "--dim is 'x', expected NAME:SIZE");
  EXPECT_EQ(fault.get(Field::Option), "--dim");
  EXPECT_EQ(fault.get(Field::Has), "'x'");
  EXPECT_EQ(fault.get(Field::Expected), "NAME:SIZE");
}

TEST(ModelErrorTest, AnExpectedTakesIt) {
  auto read = [](bool isGood) -> llvm::Expected<int> {
    if (isGood)
      return 1;
    return ModelFault().file("a").has("nothing");
  };
  EXPECT_EQ(llvm::cantFail(read(true)), 1);
  EXPECT_EQ(llvm::toString(read(false).takeError()), "a: has nothing");
}
