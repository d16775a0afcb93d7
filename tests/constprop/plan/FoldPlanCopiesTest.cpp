//===- FoldPlanCopiesTest.cpp - One constant is stored once ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// "t.neg" of zeros stands for what only gives its operand.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/IR/Verifier.h"

using namespace onnxfold;
using Action = FoldPlan::Action;
using mlir::Operation;

namespace {

constexpr int64_t size = 800; // of a tensor of the tests

struct FoldPlanCopiesTest : ConstpropTest {
  /// Plans with all operations t.neg as copies.
  void plan(llvm::StringRef body,
            std::optional<int64_t> maxGrowth = std::nullopt) {
    parse(
        ("func.func @f(%x: tensor<100xi64>) {\n" + body + "\nreturn\n}").str());
    evaluate();
    std::vector<FoldPlan::Copy> copies;
    module->walk([&](Operation *op) {
      if (op->getName().getStringRef() == "t.neg")
        copies.push_back({op, op->getOperand(0)});
    });
    current.emplace(*evaluation, maxGrowth, llvm::ArrayRef<Operation *>(),
                    copies);
  }

  /// The actions of operations, and what the model gains; then it is rewritten.
  void expectPlan(std::vector<std::pair<const char *, Action>> actions,
                  int64_t growth) {
    for (auto [id, action] : actions)
      EXPECT_EQ(current->action(find(id)), action) << id;
    EXPECT_EQ(current->growth(), growth);
    int64_t before = countConstantBytes(*module);
    current->apply();
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    EXPECT_EQ(countConstantBytes(*module) - before, growth) << text();
  }

  std::optional<FoldPlan> current;
};

} // namespace

TEST_F(FoldPlanCopiesTest, besideWhatItCopiesItStays) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %z = "t.neg"(%w) {id = "z"} : (tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%z) : (tensor<100xi64>) -> ()
    "other.use"(%w) : (tensor<100xi64>) -> ()
  )mlir");
  EXPECT_EQ(current->reason(find("z")).code, ReasonCode::Constant);
  EXPECT_EQ(current->reason(find("z")).text,
            "gives a constant as it is, which would be stored twice");
  expectPlan({{"w", Action::Kept}, {"z", Action::Kept}}, 0);
}

TEST_F(FoldPlanCopiesTest, theOnlyReaderTakesItsPlace) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %s = "t.shape"(%w) {id = "s"} : (tensor<100xi64>) -> tensor<1xi64>
    %z = "t.neg"(%w) {id = "z"} : (tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%z, %s) : (tensor<100xi64>, tensor<1xi64>) -> ()
  )mlir");
  expectPlan({{"w", Action::Removed}, {"z", Action::Folded}}, 8);
}

TEST_F(FoldPlanCopiesTest, severalOfOneStay) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %a = "t.neg"(%w) {id = "a"} : (tensor<100xi64>) -> tensor<100xi64>
    %b = "t.neg"(%w) {id = "b"} : (tensor<100xi64>) -> tensor<100xi64>
    %c = "t.neg"(%w) {id = "c"} : (tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%a, %b) : (tensor<100xi64>, tensor<100xi64>) -> ()
  )mlir");
  expectPlan({{"w", Action::Kept}, {"a", Action::Kept}, {"b", Action::Kept}},
             0);
  EXPECT_FALSE(exists("c"));
}

// What a copy is made of must not be stored in place of the copy.
TEST_F(FoldPlanCopiesTest, chainsStay) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %a = "t.neg"(%w) {id = "a"} : (tensor<100xi64>) -> tensor<100xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%b, %w) : (tensor<100xi64>, tensor<100xi64>) -> ()
  )mlir");
  expectPlan({{"w", Action::Kept}, {"a", Action::Kept}, {"b", Action::Kept}},
             0);
}

// The next run finds the first one as a constant, and the others to be copies
// of that.
TEST_F(FoldPlanCopiesTest, theFirstOfAChainTakesItsPlace) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %a = "t.neg"(%w) {id = "a"} : (tensor<100xi64>) -> tensor<100xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<100xi64>) -> tensor<100xi64>
    %c = "t.neg"(%b) {id = "c"} : (tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%a, %c) : (tensor<100xi64>, tensor<100xi64>) -> ()
  )mlir");
  expectPlan({{"w", Action::Removed},
              {"a", Action::Folded},
              {"b", Action::Kept},
              {"c", Action::Kept}},
             0);
}

TEST_F(FoldPlanCopiesTest, ofWhatFoldsToo) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %t = "t.add"(%w, %w) {id = "t"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    %z = "t.neg"(%t) {id = "z"} : (tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%z) : (tensor<100xi64>) -> ()
    "other.use"(%t) : (tensor<100xi64>) -> ()
  )mlir");
  expectPlan({{"t", Action::Folded}, {"z", Action::Kept}}, 0);
}

TEST_F(FoldPlanCopiesTest, aSmallOneIsStored) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<8xi64>
    %z = "t.neg"(%w) {id = "z"} : (tensor<8xi64>) -> tensor<8xi64>
    "other.use"(%z) : (tensor<8xi64>) -> ()
    "other.use"(%w) : (tensor<8xi64>) -> ()
  )mlir");
  expectPlan({{"z", Action::Folded}}, 64);
}

// It takes no part of the budget, which is left for others.
TEST_F(FoldPlanCopiesTest, withABudget) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %z = "t.neg"(%w) {id = "z"} : (tensor<100xi64>) -> tensor<100xi64>
    %a = "t.add"(%w, %w) {id = "a"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    %b = "t.repeat"(%w) {id = "b", n = 2} : (tensor<100xi64>) -> tensor<2x100xi64>
    "other.use"(%z, %a) : (tensor<100xi64>, tensor<100xi64>) -> ()
    "other.use"(%w, %b) : (tensor<100xi64>, tensor<2x100xi64>) -> ()
  )mlir",
       size);
  EXPECT_EQ(current->reason(find("z")).code, ReasonCode::Constant);
  EXPECT_EQ(current->reason(find("b")).code, ReasonCode::Growth);
  expectPlan({{"z", Action::Kept}, {"a", Action::Folded}, {"b", Action::Kept}},
             size);
}

// A weight that dies paid for a copy of one that the budget keeps.
TEST_F(FoldPlanCopiesTest, besideWhatTheBudgetKeepsItStays) {
  plan(R"mlir(
    %w = arith.constant {id = "w"} dense<0> : tensor<100xi64>
    %d = arith.constant {id = "d"} dense<1> : tensor<100xi64>
    %z = "t.neg"(%w) {id = "z"} : (tensor<100xi64>) -> tensor<100xi64>
    %a = "t.repeat"(%w) {id = "a", n = 2} : (tensor<100xi64>) -> tensor<2x100xi64>
    %s = "t.shape"(%d) {id = "s"} : (tensor<100xi64>) -> tensor<1xi64>
    "other.use"(%z, %a) : (tensor<100xi64>, tensor<2x100xi64>) -> ()
    "other.use"(%s) : (tensor<1xi64>) -> ()
  )mlir",
       8);
  EXPECT_EQ(current->reason(find("z")).code, ReasonCode::Constant);
  expectPlan({{"d", Action::Removed},
              {"w", Action::Kept},
              {"z", Action::Kept},
              {"a", Action::Kept}},
             8 - size);
}
