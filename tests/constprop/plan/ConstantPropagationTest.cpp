//===- ConstantPropagationTest.cpp - The pass -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/plan/ConstantPropagation.h"
#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace onnxfold;

namespace {

struct ConstantPropagationTest : ConstpropTest {
  /// Runs a pipeline; the module is sound afterwards.
  void run(llvm::StringRef pipeline) {
    mlir::PassManager passes(&context, "builtin.module");
    ASSERT_TRUE(succeeded(mlir::parsePassPipeline(pipeline, passes)));
    ASSERT_TRUE(succeeded(passes.run(*module)));
  }
  static void SetUpTestSuite() { registerConstantPropagationPass(); }
};

} // namespace

static const char *arithmetic =
    R"mlir(func.func @f(%x: i32) -> (i32, tensor<2xi32>) {
  %a = arith.constant 20 : i32
  %b = arith.constant -3 : i32
  %c = arith.divsi %a, %b {id = "c"} : i32
  %d = arith.muli %c, %c {id = "d"} : i32
  %e = arith.addi %d, %x {id = "e"} : i32
  %t = arith.constant dense<[1, 2]> : tensor<2xi32>
  %u = arith.addi %t, %t {id = "u"} : tensor<2xi32>
  return %e, %u : i32, tensor<2xi32>
})mlir";

TEST_F(ConstantPropagationTest, foldsADialectOfMlir) {
  parse(arithmetic);
  run("constprop");
  EXPECT_EQ(text(), R"mlir(module {
  func.func @f(%arg0: i32) -> (i32, tensor<2xi32>) {
    %c36_i32 = arith.constant 36 : i32
    %0 = arith.addi %c36_i32, %arg0 {id = "e"} : i32
    %cst = arith.constant dense<[2, 4]> : tensor<2xi32>
    return %0, %cst : i32, tensor<2xi32>
  }
}
)mlir");
}

TEST_F(ConstantPropagationTest, runsOnFunctionsToo) {
  parse(arithmetic);
  context.enableMultithreading();
  run("func.func(constprop)");
  EXPECT_FALSE(exists("d"));
}

TEST_F(ConstantPropagationTest, optionsAreLimits) {
  const char *source = R"mlir(func.func @f() {
    %w = arith.constant dense<2> : tensor<1xi64>
    %a = "t.repeat"(%w) {id = "a", n = 100} : (tensor<1xi64>) -> tensor<100x1xi64>
    %b = "t.work"(%w) {id = "b"} : (tensor<1xi64>) -> tensor<1xi64>
    "other.use"(%a, %b, %w) : (tensor<100x1xi64>, tensor<1xi64>, tensor<1xi64>) -> ()
    return
  })mlir";
  struct {
    const char *pipeline;
    bool a, b; // folded
  } cases[] = {
      {"constprop", true, false},
      {"constprop{max-growth=800}", true, false},
      {"constprop{max-growth=799}", false, false},
      {"constprop{max-growth=0}", false, false},
      {"constprop{max-result=800}", true, false},
      {"constprop{max-result=799}", false, false},
      {"constprop{max-work=1000000000000}", true, true},
      {"constprop{max-work=999999999999}", true, false},
  };
  for (const auto &test : cases) {
    parse(source);
    run(test.pipeline);
    EXPECT_EQ(!exists("a"), test.a) << test.pipeline;
    EXPECT_EQ(!exists("b"), test.b) << test.pipeline;
  }
}

// A compiler that builds its pipeline in C++ could set none of the options.
TEST_F(ConstantPropagationTest, optionsFromCode) {
  ConstantPropagationOptions options;
  options.evaluation.filter = [](mlir::Operation *op) -> Reason {
    if (op->getName().getStringRef() == "arith.muli")
      return notFolded(ReasonCode::Filtered, "is a product");
    return {};
  };
  parse(arithmetic);
  context.enableMultithreading();
  mlir::PassManager passes(&context, "builtin.module");
  passes.addNestedPass<mlir::func::FuncOp>(
      createConstantPropagationPass(options)); // runs as copies
  ASSERT_TRUE(succeeded(passes.run(*module)));
  EXPECT_FALSE(exists("c"));
  EXPECT_TRUE(exists("d"));
  EXPECT_FALSE(exists("u"));

  options = {};
  options.evaluation.limits.maxResultBytes = 7;
  options.maxGrowth = 100;
  parse(arithmetic);
  mlir::PassManager limited(&context, "builtin.module");
  limited.addPass(createConstantPropagationPass(options));
  ASSERT_TRUE(succeeded(limited.run(*module)));
  EXPECT_FALSE(exists("d"));
  EXPECT_TRUE(exists("u")); // 8 bytes
}

TEST_F(ConstantPropagationTest, saysWhetherItChangedAnything) {
  parse(arithmetic);
  EXPECT_TRUE(propagateConstants(*module, {}));
  std::string once = text();
  EXPECT_FALSE(propagateConstants(*module, {}));
  EXPECT_EQ(text(), once);
}

TEST_F(ConstantPropagationTest, remarksSayWhy) {
  mlir::remark::RemarkCategories categories;
  categories.missed = "constprop";
  ASSERT_TRUE(succeeded(mlir::remark::enableOptimizationRemarks(
      context, nullptr,
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories,
      /*printAsEmitRemarks=*/true)));
  std::vector<std::string> remarks;
  mlir::ScopedDiagnosticHandler handler(&context,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          remarks.push_back(diagnostic.str());
                                          return mlir::success();
                                        });
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<[1, 0]> : tensor<2xi64>
    %b = "t.neg"(%a) : (tensor<2xi64>) -> tensor<2xi64>
    %c = "t.neg"(%x) : (tensor<2xi64>) -> tensor<2xi64>
    %d = "t.div"(%b, %a) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %e = "t.random"(%a) : (tensor<2xi64>) -> tensor<2xi64>
    %g = "t.repeat"(%b) {n = 9} : (tensor<2xi64>) -> tensor<9x2xi64>
    "other.use"(%b, %c, %d, %g) : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>, tensor<9x2xi64>) -> ()
    "t.end"(%b) : (tensor<2xi64>) -> ()
    return
  })mlir");
  run("constprop{max-growth=100}");
  ASSERT_EQ(remarks.size(), 3u);
  EXPECT_NE(remarks[0].find("t.div not folded: divisor element 1 is 0"),
            std::string::npos)
      << remarks[0];
  EXPECT_NE(remarks[1].find("t.random not folded: is random"),
            std::string::npos)
      << remarks[1];
  EXPECT_NE(remarks[2].find("t.repeat not folded: the model would grow beyond "
                            "the limit of growth"),
            std::string::npos)
      << remarks[2];
}
