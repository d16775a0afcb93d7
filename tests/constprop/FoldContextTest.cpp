//===- FoldContextTest.cpp - What a kernel sees of its operation ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldContext.h"
#include "onnxfold/constprop/KernelRegistry.h"
#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;

namespace {

struct FoldContextTest : ConstpropTest {
  /// The context of an operation with these attributes.
  FoldContext with(llvm::StringRef attributes) {
    parse("\"t.any\"() {id = \"a\", " + attributes.str() + "} : () -> ()");
    return FoldContext(find("a"), kernel, 1, {}, {}, exprs, limits);
  }
  Kernel kernel;
  DimExprs exprs;
  FoldLimits limits;
};

FoldResult has(bool found) { return Elements::splat({}, int64_t(found)); }

} // namespace

TEST_F(FoldContextTest, integersOfEveryKind) {
  FoldContext cx = with("a = -3 : i64, b = -3 : si8, c = 255 : ui8, d = 7 : "
                        "index, e = -1 : i128, f = 1.0 : f32");
  EXPECT_EQ(cx.integer("a"), -3);
  EXPECT_EQ(cx.integer("b"), -3);
  EXPECT_EQ(cx.integer("c"), 255);
  EXPECT_EQ(cx.integer("d"), 7);
  EXPECT_EQ(cx.integer("e"), std::nullopt);
  EXPECT_EQ(cx.integer("f"), std::nullopt);
  EXPECT_EQ(cx.integer("none"), std::nullopt);
}

// A boolean attribute of another dialect was -1: an i1 read as signed.
TEST_F(FoldContextTest, trueIsOne) {
  FoldContext cx = with("a = true, b = false");
  EXPECT_EQ(cx.integer("a"), 1);
  EXPECT_EQ(cx.integer("b"), 0);
}

// tosa.transpose holds its permutation as array<i32: ...>, which read as if
// there were none.
TEST_F(FoldContextTest, listsOfIntegersInEveryForm) {
  FoldContext cx = with(
      "a = array<i64: 1, -2>, b = array<i32: 1, -2>, c = array<i16: 1, -2>, "
      "d = array<i8: 1, -2>, e = [1, -2 : si8], f = dense<[1, -2]> : "
      "tensor<2xi32>, g = array<i32>, h = [1, \"x\"], i = array<f32: 1.0>");
  for (llvm::StringRef name : {"a", "b", "c", "d", "e", "f"})
    EXPECT_EQ(cx.ints(name), Shape({1, -2})) << name.str();
  EXPECT_EQ(cx.ints("g"), Shape());
  EXPECT_EQ(cx.ints("h"), std::nullopt);
  EXPECT_EQ(cx.ints("i"), std::nullopt);
  EXPECT_EQ(cx.ints("none"), std::nullopt);
}

TEST_F(FoldContextTest, theOperationItself) {
  FoldContext cx = with("a = 1");
  EXPECT_EQ(cx.operation(), find("a"));
}

// The reason said "takes 0 operations": 1e40 fits no integer.
TEST_F(FoldContextTest, workBeyondIntegers) {
  FoldContext cx = with("a = true");
  Reason reason = cx.checkWork(1e39);
  ASSERT_TRUE(reason);
  EXPECT_EQ(reason.text, "takes 1e+40 units of work, more than 100000000000");
  EXPECT_EQ(cx.checkWork(2e11, 1).text,
            "takes 200000000000 units of work, more than 100000000000");
  EXPECT_FALSE(cx.checkWork(1e11, 1));
}

// A list of 2^25 equal stop words counted as an attribute that is not there,
// and StringNormalizer removed no words.
TEST_F(FoldContextTest, aListThatIsNotMadeIsAReason) {
  FoldContext cx = with("many = dense<7> : tensor<33554432xi64>, "
                        "reals = dense<1.0> : tensor<33554432xf32>, "
                        "most = dense<7> : tensor<16777216xi64>");
  auto call = [&](FoldFunction function) {
    Kernel kernel;
    kernel.function = function;
    return cx.call(kernel);
  };
  EXPECT_EQ(
      call([](FoldContext &cx) -> FoldResult {
        return has(cx.ints("many").has_value());
      })
          .reason()
          .text,
      "attribute 'many' has one value 33554432 times, more than 16777216");
  EXPECT_EQ(call([](FoldContext &cx) -> FoldResult {
              return has(cx.reals("reals").has_value());
            })
                .reason()
                .code,
            ReasonCode::WorkLimit);
  EXPECT_TRUE(call([](FoldContext &cx) -> FoldResult {
    return has(cx.reals("many").has_value());
  }));
  EXPECT_TRUE(call([](FoldContext &cx) -> FoldResult {
    return has(cx.ints("most").has_value());
  }));
}
