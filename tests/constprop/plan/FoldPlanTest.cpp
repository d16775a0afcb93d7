//===- FoldPlanTest.cpp - Which constants the model will hold -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/IR/Verifier.h"

using namespace onnxfold;
using Action = FoldPlan::Action;

namespace {

constexpr std::optional<int64_t> unlimited;

struct FoldPlanTest : ConstpropTest {
  /// Evaluates and plans.
  FoldPlan &plan(std::optional<int64_t> maxGrowth = unlimited,
                 EvaluationOptions options = {}) {
    evaluate(std::move(options));
    current.emplace(*evaluation, maxGrowth);
    return *current;
  }

  /// Rewrites, and checks that the growth is what the plan says, the IR is
  /// sound, and a run on it with a budget of nothing does nothing.
  void applyAndCheck() {
    int64_t before = countConstantBytes(*module);
    int64_t promised = current->growth();
    current->apply();
    EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
    EXPECT_EQ(countConstantBytes(*module) - before, promised) << text();
    if (std::string after = text(); current->isLimited()) {
      Evaluation again(*module, {});
      again.run();
      FoldPlan second(again, 0);
      EXPECT_FALSE(second.changesAnything()) << after;
    }
  }

  Action action(llvm::StringRef id) { return current->action(find(id)); }
  ReasonCode code(llvm::StringRef id) { return current->reason(find(id)).code; }
  std::vector<std::string> frontier() {
    std::vector<std::string> ids;
    for (mlir::Value value : current->frontier()) {
      auto result = mlir::cast<mlir::OpResult>(value);
      auto id = result.getOwner()->getAttrOfType<mlir::StringAttr>("id");
      ids.push_back(id.str() + "#" + std::to_string(result.getResultNumber()));
    }
    return ids;
  }

  std::optional<FoldPlan> current;
};

} // namespace

TEST_F(FoldPlanTest, onlyTheFrontierIsStored) {
  parse(R"mlir(func.func @f(%x: tensor<4xi64>) -> tensor<4xi64> {
    %a = arith.constant {id = "a"} dense<[1, 2, 3, 4]> : tensor<4xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<4xi64>) -> tensor<4xi64>
    %c = "t.add"(%b, %a) {id = "c"} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %d = "t.add"(%c, %x) {id = "d"} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    return %d : tensor<4xi64>
  })mlir");
  plan();
  EXPECT_EQ(frontier(), std::vector<std::string>{"c#0"});
  EXPECT_EQ(current->growth(), 0); // 32 bytes for 32 bytes
  EXPECT_EQ(action("a"), Action::Removed);
  EXPECT_EQ(action("b"), Action::Folded);
  EXPECT_EQ(action("c"), Action::Folded);
  EXPECT_EQ(action("d"), Action::Kept);
  EXPECT_EQ(code("b"), ReasonCode::None);
  EXPECT_EQ(code("a"), ReasonCode::None);
  EXPECT_EQ(code("d"), ReasonCode::InputNotConstant);
  EXPECT_TRUE(current->changesAnything());
  EXPECT_FALSE(current->isLimited());
  applyAndCheck();
  EXPECT_EQ(text(), R"mlir(module {
  func.func @f(%arg0: tensor<4xi64>) -> tensor<4xi64> {
    %cst = arith.constant dense<0> : tensor<4xi64>
    %0 = "t.add"(%cst, %arg0) {id = "d"} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    return %0 : tensor<4xi64>
  }
}
)mlir");
}

TEST_F(FoldPlanTest, nothingToDo) {
  parse(R"mlir(func.func @f(%x: tensor<4xi64>) -> tensor<4xi64> {
    %unread = arith.constant dense<1> : tensor<4xi64>
    %a = arith.constant {id = "a"} dense<1> : tensor<4xi64>
    %d = "t.add"(%a, %x) {id = "d"} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    %dead = "t.add"(%a, %x) {id = "dead"} : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
    return %d : tensor<4xi64>
  })mlir");
  std::string before = text();
  plan(0);
  EXPECT_FALSE(current->changesAnything());
  EXPECT_FALSE(current->isLimited());
  EXPECT_EQ(code("a"), ReasonCode::Constant);
  EXPECT_EQ(action("dead"), Action::Kept) << "what was dead before is kept";
  EXPECT_EQ(current->growth(), 0);
  applyAndCheck();
  EXPECT_EQ(text(), before);
}

TEST_F(FoldPlanTest, emptyModule) {
  parse("");
  plan(0);
  EXPECT_FALSE(current->changesAnything());
  applyAndCheck();
}

// The transposed embedding of a model whose embedding is kept costs its
// full size.
TEST_F(FoldPlanTest, tiedWeightsCountInFull) {
  parse(R"mlir(func.func @f(%x: tensor<100xi64>) {
    %w = arith.constant {id = "w"} dense<2> : tensor<100xi64>
    %t = "t.neg"(%w) {id = "t"} : (tensor<100xi64>) -> tensor<100xi64>
    %p = "t.add"(%w, %x) {id = "tied"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    %q = "t.add"(%t, %x) {id = "reads"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%p, %q) : (tensor<100xi64>, tensor<100xi64>) -> ()
  return
  })mlir");
  EXPECT_EQ(plan().growth(), 800);
  EXPECT_EQ(action("w"), Action::Kept);
  plan(800);
  EXPECT_EQ(action("t"), Action::Folded);
  EXPECT_FALSE(current->isLimited());
  plan(799);
  EXPECT_EQ(current->growth(), 0);
  EXPECT_EQ(action("t"), Action::Kept);
  EXPECT_EQ(code("t"), ReasonCode::Growth);
  EXPECT_TRUE(current->isLimited());
  std::string before = text();
  applyAndCheck();
  EXPECT_EQ(text(), before);
}

TEST_F(FoldPlanTest, untiedWeightsCostNothing) {
  parse(R"mlir(func.func @f(%x: tensor<100xi64>) {
    %w = arith.constant {id = "w"} dense<2> : tensor<100xi64>
    %t = "t.neg"(%w) {id = "t"} : (tensor<100xi64>) -> tensor<100xi64>
    %q = "t.add"(%t, %x) : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    %r = "t.add"(%t, %q) : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%r) : (tensor<100xi64>) -> ()
    return
  })mlir");
  EXPECT_EQ(plan(0).growth(), 0);
  EXPECT_EQ(action("t"), Action::Folded);
  applyAndCheck();
  EXPECT_FALSE(exists("w"));
}

static const char *broadcasts = R"mlir(func.func @f() {
    %w = arith.constant {id = "w"} dense<2> : tensor<1xi64>
    %a = "t.repeat"(%w) {id = "large", n = 1000} : (tensor<1xi64>) -> tensor<1000x1xi64>
    %b = "t.repeat"(%w) {id = "small", n = 10} : (tensor<1xi64>) -> tensor<10x1xi64>
    %c = "t.repeat"(%w) {id = "middle", n = 100} : (tensor<1xi64>) -> tensor<100x1xi64>
    "other.use"(%a, %b, %c) : (tensor<1000x1xi64>, tensor<10x1xi64>, tensor<100x1xi64>) -> ()
    return
  })mlir";

TEST_F(FoldPlanTest, budgetsTakeTheSmallestLosses) {
  struct {
    std::optional<int64_t> budget;
    int64_t growth;
    std::vector<std::string> frontier;
  } cases[] = {
      {unlimited, 8872, {"large#0", "small#0", "middle#0"}},
      {8872, 8872, {"large#0", "small#0", "middle#0"}},
      // w must be kept as soon as one is left: 8 bytes that do not die.
      {8871, 880, {"small#0", "middle#0"}},
      {880, 880, {"small#0", "middle#0"}},
      {879, 80, {"small#0"}},
      {80, 80, {"small#0"}},
      {79, 0, {}},
      {0, 0, {}},
  };
  for (const auto &test : cases) {
    parse(broadcasts);
    plan(test.budget);
    EXPECT_EQ(current->growth(), test.growth);
    EXPECT_EQ(frontier(), test.frontier);
    EXPECT_EQ(current->isLimited(), test.growth != 8872);
    applyAndCheck();
  }
}

// Small constants above a large intermediate: what a chain is computed from
// counts, not what it passes through.
TEST_F(FoldPlanTest, chainsWithLargerIntermediates) {
  const char *chain = R"mlir(func.func @f() {
    %w = arith.constant {id = "w"} dense<2> : tensor<1xi64>
    %a = "t.repeat"(%w) {id = "a", n = 1000} : (tensor<1xi64>) -> tensor<1000x1xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<1000x1xi64>) -> tensor<1000x1xi64>
    %c = "t.repeat"(%b) {id = "c", n = 2} : (tensor<1000x1xi64>) -> tensor<2x1000x1xi64>
    %d = "t.first"(%c) {id = "d"} : (tensor<2x1000x1xi64>) -> tensor<1x1000x1xi64>
    %e = "t.sum"(%d) {id = "e"} : (tensor<1x1000x1xi64>) -> tensor<i64>
    "other.use"(%USED) : (TYPE) -> ()
    return
  })mlir";
  auto reading = [&](llvm::StringRef value, llvm::StringRef type) {
    std::string text = chain;
    text.replace(text.find("USED"), 4, value);
    text.replace(text.find("TYPE"), 4, type);
    return text;
  };
  // Down to one number: folds within a budget of 0, whatever is in between.
  parse(reading("e", "tensor<i64>"));
  plan(0);
  EXPECT_EQ(current->growth(), 0);
  EXPECT_EQ(frontier(), std::vector<std::string>{"e#0"});
  applyAndCheck();
  EXPECT_FALSE(exists("w"));
  // The large end does not fit, but half of the way does: 8000 bytes for 8.
  parse(reading("c", "tensor<2x1000x1xi64>"));
  plan(7992);
  EXPECT_EQ(current->growth(), 7992);
  EXPECT_EQ(frontier(), std::vector<std::string>{"b#0"});
  applyAndCheck();
  // Nothing of the chain fits.
  parse(reading("c", "tensor<2x1000x1xi64>"));
  plan(7991);
  EXPECT_EQ(current->growth(), 0);
  EXPECT_EQ(frontier(), std::vector<std::string>{});
  EXPECT_EQ(code("a"), ReasonCode::Growth);
  applyAndCheck();
  EXPECT_TRUE(exists("w"));
}

// Several that are computed from one constant saved nothing each, so that none
// was left out and the budget was exceeded.
TEST_F(FoldPlanTest, budgetHoldsForSharedSources) {
  parse(R"mlir(func.func @f() {
    %w = arith.constant dense<2> : tensor<100xi64>
    %a = "t.repeat"(%w) {id = "a", n = 1} : (tensor<100xi64>) -> tensor<1x100xi64>
    %b = "t.neg"(%w) {id = "b"} : (tensor<100xi64>) -> tensor<100xi64>
    %c = "t.add"(%w, %w) {id = "c"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%a, %b, %c) : (tensor<1x100xi64>, tensor<100xi64>, tensor<100xi64>) -> ()
    return
  })mlir");
  EXPECT_EQ(plan().growth(), 1600);
  plan(1599);
  EXPECT_EQ(current->growth(), 800);
  plan(0);
  EXPECT_EQ(current->growth(), 0);
  EXPECT_FALSE(current->changesAnything());
  applyAndCheck();
}

TEST_F(FoldPlanTest, shapesFoldBesideWhatDoesNotFit) {
  parse(R"mlir(func.func @f() {
    %w = arith.constant dense<2> : tensor<2xi64>
    %a = "t.repeat"(%w) {id = "large", n = 1000} : (tensor<2xi64>) -> tensor<1000x2xi64>
    %s = "t.shape"(%a) {id = "shape"} : (tensor<1000x2xi64>) -> tensor<2xi64>
    %k = arith.constant dense<4> : tensor<2xi64>
    %m = "t.mul"(%s, %k) {id = "m"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    "other.use"(%a, %m) : (tensor<1000x2xi64>, tensor<2xi64>) -> ()
    return
  })mlir");
  plan(0);
  EXPECT_EQ(action("large"), Action::Kept);
  EXPECT_EQ(action("shape"), Action::Folded);
  EXPECT_EQ(action("m"), Action::Folded);
  EXPECT_EQ(current->growth(), 0);
  applyAndCheck();
}

// All was left out because the budget could not be kept, although two that are
// computed from one constant cost nothing together. A second run folded them
// (model 368 of seed 9190000 in test_random_calls.py).
TEST_F(FoldPlanTest, whatCostsNothingTogetherFoldsUnderANegativeBudget) {
  parse(R"mlir(func.func @f() {
    %v = arith.constant dense<2> : tensor<100xi64>
    %w = arith.constant dense<3> : tensor<100xi64>
    %a = "t.add"(%v, %w) {id = "a"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    %b = "t.mul"(%v, %w) {id = "b"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    "other.use"(%a, %b) : (tensor<100xi64>, tensor<100xi64>) -> ()
    return
  })mlir");
  EXPECT_EQ(plan(0).growth(), 0);
  EXPECT_EQ(plan(-100).growth(), 0);
  EXPECT_EQ(action("a"), Action::Folded);
  EXPECT_EQ(action("b"), Action::Folded);
  applyAndCheck();
}

// Operations with unknown results that only shapes were taken of go, and what
// only they read is erased too. It was not counted.
// A function that nothing called any more lost a constant, and the main graph
// grew by as much. A second run, which did not find the function, took that
// back (model 338 of seed 13 in test_random_calls.py).
TEST_F(FoldPlanTest, droppedFunctionsCountForNothing) {
  parse(R"mlir(
  func.func @main(%x: tensor<3x1xi64>) -> tensor<3x1xi64> {
    %w = arith.constant {id = "w"} dense<2> : tensor<1xi64>
    %a = "t.repeat"(%w) {id = "a", n = 3} : (tensor<1xi64>) -> tensor<3x1xi64>
    %b = "t.add"(%a, %x) : (tensor<3x1xi64>, tensor<3x1xi64>) -> tensor<3x1xi64>
    return %b : tensor<3x1xi64>
  }
  func.func @dropped(%y: tensor<i64>) -> tensor<i64> {
    %v = arith.constant {id = "v"} dense<3> : tensor<100xi64>
    %c = "t.sum"(%v) {id = "c"} : (tensor<100xi64>) -> tensor<i64>
    %u = "t.repeat"(%c) {id = "u", n = 1000} : (tensor<i64>) -> tensor<1000xi64>
    %d = "t.add"(%c, %y) : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "other.use"(%u) : (tensor<1000xi64>) -> ()
    return %d : tensor<i64>
  })mlir");
  EXPECT_EQ(plan().growth(), 16 + 8008 - 800); // no function is dropped
  mlir::Operation *dropped = find("v")->getParentOp();
  auto planWithout = [&](std::optional<int64_t> maxGrowth) {
    evaluate();
    current.emplace(*evaluation, maxGrowth, mlir::ArrayRef<mlir::Operation *>(),
                    mlir::ArrayRef<FoldPlan::Copy>(), dropped);
  };
  planWithout(unlimited);
  EXPECT_EQ(current->growth(), 16);
  planWithout(15);
  EXPECT_EQ(current->growth(), 0);
  EXPECT_EQ(action("a"), Action::Kept);
  EXPECT_EQ(code("a"), ReasonCode::Growth);
  EXPECT_EQ(action("u"), Action::Folded); // whatever the budget is
  EXPECT_EQ(action("v"), Action::Removed);
  current->apply();
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  EXPECT_TRUE(exists("a"));
  EXPECT_FALSE(exists("v") || exists("u"));
}

// What is there already may be more than the budget: then nothing is added, but
// what costs nothing folds all the same. A second run, whose budget is nothing,
// would fold it (model 333 of seed 12 in test_random_calls.py).
TEST_F(FoldPlanTest, whatCostsNothingFoldsUnderANegativeBudget) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>, %y: tensor<10x1xi64>) {
    %s = arith.constant {id = "s"} dense<3> : tensor<2xi64>
    %n = "t.neg"(%s) {id = "free"} : (tensor<2xi64>) -> tensor<2xi64>
    %p = "t.add"(%n, %x) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %w = arith.constant {id = "w"} dense<2> : tensor<1xi64>
    %r = "t.repeat"(%w) {id = "large", n = 10} : (tensor<1xi64>) -> tensor<10x1xi64>
    %q = "t.add"(%r, %y) : (tensor<10x1xi64>, tensor<10x1xi64>) -> tensor<10x1xi64>
    "other.use"(%p, %q) : (tensor<2xi64>, tensor<10x1xi64>) -> ()
    return
  })mlir");
  EXPECT_EQ(plan(-100).growth(), 0);
  EXPECT_EQ(action("free"), Action::Folded);
  EXPECT_EQ(action("large"), Action::Kept);
  EXPECT_TRUE(current->isLimited());
  applyAndCheck();
}

TEST_F(FoldPlanTest, deadProducersAndTheirConstantsGo) {
  parse(R"mlir(func.func @f(%x: tensor<100xi64>) {
    %w = arith.constant {id = "w"} dense<2> : tensor<100xi64>
    %n = "t.neg"(%w) {id = "n"} : (tensor<100xi64>) -> tensor<100xi64>
    %a = "t.add"(%n, %x) {id = "a"} : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
    %b:2 = "t.both"(%a, %w) {id = "b"} : (tensor<100xi64>, tensor<100xi64>) -> (tensor<100xi64>, tensor<100xi64>)
    %s = "t.shape"(%b#0) {id = "s"} : (tensor<100xi64>) -> tensor<1xi64>
    %t = "t.shape"(%b#1) {id = "t"} : (tensor<100xi64>) -> tensor<1xi64>
    "other.use"(%s, %t) : (tensor<1xi64>, tensor<1xi64>) -> ()
    return
  })mlir");
  plan(0);
  EXPECT_EQ(current->growth(), 16 - 800);
  EXPECT_EQ(action("b"), Action::Removed);
  EXPECT_EQ(action("a"), Action::Removed);
  EXPECT_EQ(action("n"), Action::Folded);
  EXPECT_EQ(action("w"), Action::Removed);
  EXPECT_EQ(frontier(), (std::vector<std::string>{"s#0", "t#0"}));
  applyAndCheck();
  EXPECT_FALSE(exists("a"));
  EXPECT_FALSE(exists("w"));
}

TEST_F(FoldPlanTest, whatMustNotGoStays) {
  parse(R"mlir(func.func @f(%x: tensor<100xi64>) {
    %a = "t.sticky"(%x) {id = "sticky"} : (tensor<100xi64>) -> tensor<100xi64>
    %b = "t.neg"(%x) {id = "filtered"} : (tensor<100xi64>) -> tensor<100xi64>
    %c = "other.op"(%x) {id = "other"} : (tensor<100xi64>) -> tensor<100xi64>
    %d = "t.if"(%x) ({
      "other.use"(%x) : (tensor<100xi64>) -> ()
      "t.yield"() : () -> ()
    }) {id = "body"} : (tensor<100xi64>) -> tensor<100xi64>
    %p = "t.shape"(%a) {id = "p"} : (tensor<100xi64>) -> tensor<1xi64>
    %q = "t.shape"(%b) {id = "q"} : (tensor<100xi64>) -> tensor<1xi64>
    %r = "t.shape"(%c) {id = "r"} : (tensor<100xi64>) -> tensor<1xi64>
    %s = "t.shape"(%d) {id = "s"} : (tensor<100xi64>) -> tensor<1xi64>
    "other.use"(%p, %q, %r, %s) : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> ()
    return
  })mlir");
  EvaluationOptions options;
  options.filter = [](mlir::Operation *op) -> Reason {
    auto id = op->getAttrOfType<mlir::StringAttr>("id");
    if (id && id.getValue() == "filtered")
      return notFolded(ReasonCode::Filtered, "said so");
    return {};
  };
  plan(unlimited, options);
  for (llvm::StringRef id : {"p", "q", "r", "s"})
    EXPECT_EQ(action(id), Action::Folded) << id.str();
  applyAndCheck();
  for (llvm::StringRef id : {"sticky", "filtered", "other", "body"})
    EXPECT_TRUE(exists(id)) << id.str();
  EXPECT_FALSE(exists("p"));
}

/// Nobody reads the branch any more: what is in it is erased, and what only that
/// read.
TEST_F(FoldPlanTest, bodiesThatNobodyReadsGo) {
  parse(R"mlir(func.func @f(%x: tensor<100xi64>) {
    %k = arith.constant {id = "constant"} dense<2> : tensor<100xi64>
    %n = "t.neg"(%x) {id = "captured"} : (tensor<100xi64>) -> tensor<100xi64>
    %d = "t.if"(%x) ({
      %y = "t.add"(%n, %k) : (tensor<100xi64>, tensor<100xi64>) -> tensor<100xi64>
      "t.yield"(%y) : (tensor<100xi64>) -> ()
    }) {id = "body"} : (tensor<100xi64>) -> tensor<100xi64>
    %s = "t.shape"(%d) {id = "s"} : (tensor<100xi64>) -> tensor<1xi64>
    "other.use"(%s) : (tensor<1xi64>) -> ()
    return
  })mlir");
  plan(unlimited);
  for (llvm::StringRef id : {"constant", "captured", "body"})
    EXPECT_EQ(action(id), Action::Removed) << id.str();
  applyAndCheck();
  for (llvm::StringRef id : {"constant", "captured", "body"})
    EXPECT_FALSE(exists(id)) << id.str();
}

TEST_F(FoldPlanTest, valuesThatBodiesRead) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant {id = "a"} dense<[1, 2]> : tensor<2xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<2xi64>) -> tensor<2xi64>
    "t.loop"() ({
      %c = "t.neg"(%b) {id = "c"} : (tensor<2xi64>) -> tensor<2xi64>
      %d = "t.add"(%b, %x) {id = "d"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "t.yield"(%c, %d) : (tensor<2xi64>, tensor<2xi64>) -> ()
    }) {id = "loop"} : () -> ()
    return
  })mlir");
  plan();
  EXPECT_EQ(frontier(), (std::vector<std::string>{"b#0", "c#0"}));
  EXPECT_EQ(current->growth(), 16);
  applyAndCheck();
  // The constants stand where the operations stood.
  EXPECT_EQ(text(), R"mlir(module {
  func.func @f(%arg0: tensor<2xi64>) {
    %cst = arith.constant dense<[-1, -2]> : tensor<2xi64>
    "t.loop"() ({
      %cst_0 = arith.constant dense<[1, 2]> : tensor<2xi64>
      %0 = "t.add"(%cst, %arg0) {id = "d"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "t.yield"(%cst_0, %0) : (tensor<2xi64>, tensor<2xi64>) -> ()
    }) {id = "loop"} : () -> ()
    return
  }
}
)mlir");
}

TEST_F(FoldPlanTest, resultsThatNobodyReadsAreNotStored) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<[3, 4]> : tensor<2xi64>
    %b:2 = "t.both"(%a, %a) {id = "b"} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    %c:2 = "t.half"(%a) {id = "c"} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    "other.use"(%b#1, %c#0, %c#0) : (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> ()
    return
  })mlir");
  plan();
  EXPECT_EQ(frontier(), (std::vector<std::string>{"b#1", "c#0"}));
  EXPECT_EQ(current->growth(), 16);
  applyAndCheck();
}

TEST_F(FoldPlanTest, subByteTypesCountAsInFiles) {
  parse(R"mlir(func.func @f() {
    %w = arith.constant dense<1> : tensor<1xi4>
    %a = "t.repeat"(%w) {id = "a", n = 1001} : (tensor<1xi4>) -> tensor<1001x1xi4>
    "other.use"(%a, %w) : (tensor<1001x1xi4>, tensor<1xi4>) -> ()
    return
  })mlir");
  EXPECT_EQ(plan().growth(), 501);
  EXPECT_EQ(plan(501).growth(), 501);
  EXPECT_EQ(plan(500).growth(), 0);
}

TEST_F(FoldPlanTest, functionsReturnThePreciseType) {
  parse(R"mlir(
  func.func private @declared() -> tensor<?xi64>
  func.func @f() -> tensor<?xi64> {
    %a = arith.constant dense<[3, 4]> : tensor<2xi64>
    %b = "t.neg"(%a) {id = "b"} : (tensor<2xi64>) -> tensor<?xi64>
    return %b : tensor<?xi64>
  })mlir");
  plan();
  applyAndCheck();
  EXPECT_NE(text().find("func.func @f() -> tensor<2xi64>"), std::string::npos)
      << text();
}
