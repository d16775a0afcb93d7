//===- FoldHookTest.cpp - Kernels behind Operation::fold ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldHook.h"
#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace onnxfold;

namespace {

struct FoldHookTest : ConstpropTest {
  /// What Operation::fold makes of the operation: "" or its results.
  std::string fold(llvm::StringRef id,
                   llvm::ArrayRef<mlir::Attribute> operands) {
    llvm::SmallVector<mlir::OpFoldResult> results;
    if (failed(find(id)->fold(operands, results))) {
      EXPECT_TRUE(results.empty());
      return "";
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    for (mlir::OpFoldResult result : results)
      out << mlir::cast<mlir::Attribute>(result) << " ";
    return text;
  }
  mlir::Attribute value(int64_t n, int64_t v) {
    auto type =
        mlir::RankedTensorType::get({n}, mlir::IntegerType::get(&context, 64));
    return mlir::DenseElementsAttr::get(type, v);
  }
  /// t.hooked on two tensors of n elements.
  void parseHooked(llvm::StringRef n, llvm::StringRef result) {
    std::string x = ("tensor<" + n + "xi64>").str();
    std::string y = ("tensor<" + result + "xi64>").str();
    parse("func.func @f(%x: " + x + ", %y: " + x + ") {\n" +
          "%r:2 = \"t.hooked\"(%x, %y) {id = \"h\"} : (" + x + ", " + x +
          ") -> (" + y + ", " + y + ")\nreturn }");
  }
};

} // namespace

TEST_F(FoldHookTest, allResultsOfAnOperation) {
  parseHooked("3", "3");
  EXPECT_EQ(fold("h", {value(3, 7), value(3, 5)}),
            "dense<12> : tensor<3xi64> dense<2> : tensor<3xi64> ");
}

TEST_F(FoldHookTest, needsAllOperands) {
  parseHooked("3", "3");
  EXPECT_EQ(fold("h", {value(3, 7), {}}), "");
  EXPECT_EQ(fold("h", {{}, {}}), "");
  // An attribute that is no tensor.
  EXPECT_EQ(fold("h", {value(3, 7), mlir::UnitAttr::get(&context)}), "");
}

TEST_F(FoldHookTest, upToTheLimit) {
  static_assert(foldHookLimit == 8192 * 8);
  parseHooked("8192", "8192");
  EXPECT_NE(fold("h", {value(8192, 1), value(8192, 1)}), "");
  parseHooked("8193", "8193");
  EXPECT_EQ(fold("h", {value(8193, 1), value(8193, 1)}), "");
}

TEST_F(FoldHookTest, onlyResultsOfTheStatedType) {
  for (llvm::StringRef type : {"?", "4", "1x3"}) {
    parseHooked("3", type);
    EXPECT_EQ(fold("h", {value(3, 1), value(3, 1)}), "") << type.str();
  }
  parseHooked("3", "3");
  std::string text = ConstpropTest::text();
  size_t at = text.rfind("tensor<3xi64>)");
  parse(text.replace(at, 13, "tensor<3xi32>"));
  EXPECT_EQ(fold("h", {value(3, 1), value(3, 1)}), "");
}

TEST_F(FoldHookTest, unregisteredDialectsDoNotFold) {
  parse(R"mlir(func.func @f() {
    %r = "other.op"() {id = "o"} : () -> tensor<2xi64>
    return
  })mlir");
  llvm::SmallVector<mlir::OpFoldResult> results;
  EXPECT_TRUE(failed(foldWithKernel(find("o"), {}, results)));
}

TEST_F(FoldHookTest, canonicalizationFolds) {
  parse(R"mlir(func.func @f() -> (tensor<2xi64>, tensor<2xi64>) {
    %a = arith.constant dense<[5, 6]> : tensor<2xi64>
    %b = arith.constant dense<[1, 2]> : tensor<2xi64>
    %r:2 = "t.hooked"(%a, %b) : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    %s:2 = "t.hooked"(%r#0, %r#1) : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    return %s#0, %s#1 : tensor<2xi64>, tensor<2xi64>
  })mlir");
  mlir::PassManager passes(&context);
  passes.addPass(mlir::createCanonicalizerPass());
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_EQ(text(), R"mlir(module {
  func.func @f() -> (tensor<2xi64>, tensor<2xi64>) {
    %cst = arith.constant dense<[10, 12]> : tensor<2xi64>
    %cst_0 = arith.constant dense<[2, 4]> : tensor<2xi64>
    return %cst, %cst_0 : tensor<2xi64>, tensor<2xi64>
  }
}
)mlir");
}
