//===- PrecisionTest.cpp - Exact and wide evaluation ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "gmock/gmock.h"

using namespace onnxfold;
using namespace onnxfold::ops;
using testing::ElementsAre;

static constexpr float inf = std::numeric_limits<float>::infinity();

namespace {
struct PrecisionTest : ConstpropTest {
  Evaluation &evaluate(Precision precision) {
    EvaluationOptions options;
    options.precision = precision;
    return ConstpropTest::evaluate(std::move(options));
  }
  /// Result 0 as whoever reads it finds it.
  std::vector<float> floats(llvm::StringRef id) {
    return evaluation->state(find(id)->getResult(0)).value.values<float>();
  }
  void rewrite() {
    FoldPlan(*evaluation, std::nullopt).apply();
    ASSERT_TRUE(succeeded(mlir::verify(*module)));
  }
  /// The constants that operations with that id read now.
  std::vector<std::vector<float>> operandsOf(llvm::StringRef id) {
    std::vector<std::vector<float>> result;
    for (mlir::Value operand : find(id)->getOperands()) {
      mlir::Attribute value;
      if (matchPattern(operand, mlir::m_Constant(&value))) {
        Elements elements = elementsOf(value);
        EXPECT_FALSE(elements.isWide()) << "the IR holds wide tensors";
        result.push_back(elements.values<float>());
      }
    }
    return result;
  }
  static void SetUpTestSuite() { registerConstantPropagationPass(); }
};
} // namespace

// The square of 1e30 is no float; that of 0.1, times 0.9, is another float if
// the square is rounded first.
static const char *chain = R"mlir(func.func @f(%x: tensor<2xf32>) {
  %big = arith.constant dense<[1.0e30, 0.1]> : tensor<2xf32>
  %small = arith.constant dense<[1.0e-30, 0.9]> : tensor<2xf32>
  %a = "t.mul"(%big, %big) {id = "a"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %b = "t.mul"(%a, %small) {id = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  "other.use"(%a, %b, %x) {id = "use"} : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> ()
  return
})mlir";

static const float tenth = 0.1f, nineTenths = 0.9f;
static const double product = double(tenth) * tenth * nineTenths;

TEST_F(PrecisionTest, exactRoundsAfterEveryOperation) {
  parse(chain);
  ConstpropTest::evaluate();
  EXPECT_THAT(floats("a"), ElementsAre(inf, tenth * tenth));
  EXPECT_THAT(floats("b"), ElementsAre(inf, tenth * tenth * nineTenths));
  ASSERT_NE(tenth * tenth * nineTenths, float(product));
}

TEST_F(PrecisionTest, wideRoundsWhatEntersTheIr) {
  parse(chain);
  evaluate(Precision::Wide);
  EXPECT_THAT(floats("b"), ElementsAre(float(double(1e30f) * 1e30f * 1e-30f),
                                       float(product)));
  rewrite();
  // %a is rounded where it is read, and was not where %b was computed.
  EXPECT_THAT(operandsOf("use"),
              ElementsAre(ElementsAre(inf, tenth * tenth),
                          ElementsAre(float(double(1e30f) * 1e30f * 1e-30f),
                                      float(product))));
  // What is in the IR is all that a second run knows.
  std::string before = text();
  evaluate(Precision::Wide);
  rewrite();
  EXPECT_EQ(text(), before);
}

TEST_F(PrecisionTest, integersAreTheSameInBothModes) {
  const char *source = R"mlir(func.func @f() {
    %a = arith.constant dense<[2147483647, -7]> : tensor<2xi32>
    %b = "t.add"(%a, %a) {id = "b"} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    %c = "t.div"(%b, %a) {id = "c"} : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
    return
  })mlir";
  for (Precision precision : {Precision::Exact, Precision::Wide}) {
    parse(source);
    evaluate(precision);
    EXPECT_THAT(ints("b"), ElementsAre(-2, -14));
    EXPECT_THAT(ints("c"), ElementsAre(0, 2));
  }
}

// A constant that nobody computed with keeps the bits that double would change.
TEST_F(PrecisionTest, wideMovesConstantsAsTheyAre) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<"0x0100A07F00000080"> : tensor<2xf32>
    %b = "t.concat"(%a, %a) {id = "b"} : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
    return
  })mlir");
  evaluate(Precision::Wide);
  const Elements &b = evaluation->state(find("b")->getResult(0)).value;
  ElementsArray<float> values(b);
  uint32_t bits[4];
  std::memcpy(bits, values.data(), sizeof(bits));
  EXPECT_THAT(bits,
              ElementsAre(0x7fa00001, 0x80000000, 0x7fa00001, 0x80000000));
}

// What a user hands to the IR by hand is rounded like what the engine does.
TEST_F(PrecisionTest, attributesAreNeverWide) {
  Elements x = Elements::splat<float>({1000}, 1e30f).materialize().widened();
  Elements square =
      zip(x, x, [](auto a, auto b) { return ops::multiply(a, b); });
  auto attribute = toAttribute(square, toTensorType(square, &context));
  EXPECT_TRUE(mlir::isa<DisposableElementsAttr>(attribute));
  Elements back = fromAttribute(attribute);
  EXPECT_FALSE(back.isWide());
  EXPECT_EQ(back.value<float>(999), inf);
  EXPECT_EQ(map(back, [](auto v) { return std::sqrt(v); }).value<float>(), inf);
}

TEST_F(PrecisionTest, optionOfThePass) {
  for (bool wide : {false, true}) {
    parse(chain);
    mlir::PassManager passes(&context, "builtin.module");
    llvm::StringRef pipeline =
        wide ? "constprop{precision=wide}" : "constprop{precision=exact}";
    ASSERT_TRUE(succeeded(mlir::parsePassPipeline(pipeline, passes)));
    ASSERT_TRUE(succeeded(passes.run(*module)));
    float expected = wide ? float(product) : tenth * tenth * nineTenths;
    EXPECT_EQ(operandsOf("use")[1][1], expected);
  }
  mlir::PassManager passes(&context, "builtin.module");
  std::string errors;
  llvm::raw_string_ostream out(errors);
  EXPECT_TRUE(failed(
      mlir::parsePassPipeline("constprop{precision=double}", passes, out)));
  EXPECT_THAT(errors, testing::HasSubstr("double"));
}
