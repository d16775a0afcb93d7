//===- BodiesTest.cpp - Operations that run their bodies ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"
#include "gmock/gmock.h"

using namespace onnxfold;

namespace {

struct BodiesTest : ConstpropTest {
  static std::vector<int64_t> list(std::initializer_list<int64_t> values) {
    return values;
  }
  FoldPlan &plan(std::optional<int64_t> maxGrowth = std::nullopt,
                 EvaluationOptions options = {}) {
    evaluate(std::move(options));
    current.emplace(*evaluation, maxGrowth);
    return *current;
  }
  std::string code(llvm::StringRef id) {
    return nameOf(current->reason(find(id)).code).str();
  }
  static EvaluationOptions skipping(std::string skipped) {
    EvaluationOptions options;
    options.filter = [=](mlir::Operation *op) -> Reason {
      auto id = op->getAttrOfType<mlir::StringAttr>("id");
      if (id && id.getValue() == skipped)
        return notFolded(ReasonCode::Filtered, "said so");
      return {};
    };
    return options;
  }

  std::optional<FoldPlan> current;
};

} // namespace

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

TEST_F(BodiesTest, runsReadWhatIsOutside) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<[1, 2]> : tensor<2xi64>
    %b = "t.add"(%a, %a) {id = "b"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<2xi64>):
      %c = "t.neg"(%b) {id = "invariant"} : (tensor<2xi64>) -> tensor<2xi64>
      %d = "t.add"(%i, %c) {id = "argument"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "t.yield"(%d) : (tensor<2xi64>) -> ()
    }) {id = "run", n = 3} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("run"), "folded");
  EXPECT_EQ(ints("run"), list({1 - 3 * 2, 2 - 3 * 4}));
  // The table of the module says what holds for all runs.
  EXPECT_EQ(outcome("invariant"), "folded");
  EXPECT_EQ(outcome("argument"), "input-not-constant");
}

TEST_F(BodiesTest, whatDoesNotDependOnArgumentsIsComputedOnce) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<[1, 2]> : tensor<2xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<2xi64>):
      %c = "t.big"(%a) : (tensor<2xi64>) -> tensor<2xi64>
      %d = "t.add"(%i, %c) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "t.yield"(%d) : (tensor<2xi64>) -> ()
    }) {id = "run", n = 50} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  callsOfBig = 0;
  evaluate();
  EXPECT_EQ(ints("run"), list({51, 102}));
  EXPECT_EQ(callsOfBig, 1);
}

TEST_F(BodiesTest, nestedBodiesReadEveryLevel) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<i64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
      %h = "t.add"(%i, %i) : (tensor<i64>, tensor<i64>) -> tensor<i64>
      %q = "t.run"(%a) ({
      ^bb0(%j: tensor<i64>):
        %c = "t.choose"(%i) ({
          %d = "t.add"(%j, %h) : (tensor<i64>, tensor<i64>) -> tensor<i64>
          "t.yield"(%d) : (tensor<i64>) -> ()
        }, {
          "t.yield"(%a) : (tensor<i64>) -> ()
        }) : (tensor<i64>) -> tensor<i64>
        "t.yield"(%c) : (tensor<i64>) -> ()
      }) {n = 2, id = "inner"} : (tensor<i64>) -> tensor<i64>
      "t.yield"(%q) : (tensor<i64>) -> ()
    }) {id = "outer", n = 2} : (tensor<i64>) -> tensor<i64>
    return
  })mlir");
  evaluate();
  // 1 -> 1 + 2 + 2 = 5 -> 1 + 10 + 10 = 21.
  EXPECT_EQ(ints("outer"), list({21}));
  EXPECT_EQ(outcome("inner"), "input-not-constant");
}

TEST_F(BodiesTest, runsChangeNeitherTypesNorTable) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<3xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<*xi64>):
      %d = "t.concat"(%i, %a) {id = "inner"} : (tensor<*xi64>, tensor<3xi64>) -> tensor<*xi64>
      "t.yield"(%d) : (tensor<*xi64>) -> ()
    }) {id = "run", n = 4} : (tensor<3xi64>) -> tensor<*xi64>
    return
  })mlir");
  std::string before = text();
  callsOfRefine = 0;
  EvaluationOptions options;
  options.refinesTypes = true;
  Evaluation &e = evaluate(options);
  EXPECT_EQ(ints("run").size(), 15u);
  EXPECT_EQ(callsOfRefine, 4)
      << "t.concat and t.yield once, t.run again by its value";
  EXPECT_EQ(text(), before);
  const ValueState &inner = e.state(find("inner")->getResult(0));
  EXPECT_FALSE(inner.shape) << "the shape of one iteration";
  EXPECT_FALSE(inner.known());
}

// Each run has symbols of its own; what is known in part outside is the same in
// it.
TEST_F(BodiesTest, symbolsOfOutsideInBodies) {
  parse(R"mlir(func.func @f(%x: tensor<?x7xi64>) {
    %a = arith.constant dense<1> : tensor<1xi64>
    %s = "t.shape"(%x) {id = "shape"} : (tensor<?x7xi64>) -> tensor<2xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<1xi64>):
      %b = "t.add"(%s, %i) : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi64>
      %c = "t.sub"(%b, %s) {id = "c"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %d = "t.sum"(%c) : (tensor<2xi64>) -> tensor<1xi64>
      "t.yield"(%i) : (tensor<1xi64>) -> ()
    }) {id = "run", n = 3} : (tensor<1xi64>) -> tensor<1xi64>
    %q = "t.run"(%a) ({
    ^bb0(%i: tensor<1xi64>):
      %b = "t.add"(%s, %i) : (tensor<2xi64>, tensor<1xi64>) -> tensor<2xi64>
      %c = "t.sub"(%b, %s) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %d = "t.first"(%c) : (tensor<2xi64>) -> tensor<1xi64>
      %e = "t.add"(%d, %i) : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
      "t.yield"(%e) : (tensor<1xi64>) -> ()
    }) {id = "difference", n = 3} : (tensor<1xi64>) -> tensor<1xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("shape"), "input-not-constant");
  // (n + i) - n = i, without n being known.
  EXPECT_EQ(ints("difference"), list({8}));
}

// Work was counted for each operation by itself, so that a loop could take ten
// thousand times the limit; and that of numbers is so little that ten thousand
// iterations of a million operations were within it.
TEST_F(BodiesTest, limitsAreThoseOfAllRuns) {
  const char *source = R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<10xi64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<10xi64>):
      %d = "t.work"(%i) {n = 40000} : (tensor<10xi64>) -> tensor<10xi64>
      "t.yield"(%d) : (tensor<10xi64>) -> ()
    }) {id = "work", n = 3} : (tensor<10xi64>) -> tensor<10xi64>
    %l = arith.constant dense<1> : tensor<10000xi64>
    %e = "t.run"(%l) ({
    ^bb0(%i: tensor<10000xi64>):
      %d = "t.neg"(%i) : (tensor<10000xi64>) -> tensor<10000xi64>
      "t.yield"(%d) : (tensor<10000xi64>) -> ()
    }) {id = "elements", n = 10} : (tensor<10000xi64>) -> tensor<10000xi64>
    %s = arith.constant dense<1> : tensor<i64>
    %o = "t.run"(%s) ({
    ^bb0(%i: tensor<i64>):
      %d = "t.neg"(%i) : (tensor<i64>) -> tensor<i64>
      "t.yield"(%d) : (tensor<i64>) -> ()
    }) {id = "operations", n = 100} : (tensor<i64>) -> tensor<i64>
    return
  })mlir";
  auto within = [&](uint64_t maxWork) {
    parse(source);
    EvaluationOptions options;
    options.limits.maxWork = maxWork;
    evaluate(options);
    return outcome("work") + " " + outcome("elements") + " " +
           outcome("operations");
  };
  // 3 * (20,000 + 40,000 + 20 * 10), 10 * (20,000 + 20 * 10,000), 100 * (20,000
  // + 20 * 1).
  EXPECT_EQ(within(2'200'000), "folded folded folded");
  EXPECT_EQ(within(2'199'999), "folded work-limit folded");
  EXPECT_EQ(within(2'002'000), "folded work-limit folded");
  EXPECT_EQ(within(2'001'999), "folded work-limit work-limit");
  EXPECT_EQ(reasonText("operations"),
            "in its body, t.neg: its runs take more work than 2001999");
  EXPECT_EQ(within(180'600), "folded work-limit work-limit");
  EXPECT_EQ(within(180'599), "work-limit work-limit work-limit");
  within(180'000);
  EXPECT_EQ(
      reasonText("work"),
      "in its body, t.work: takes 180400 units of work, more than 180000");
}

TEST_F(BodiesTest, tripCountsOfNestedLoopsAddUp) {
  const char *source = R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<i64>
    %p = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
      %c = "t.choose"(%i) ({
        "t.yield"(%i) : (tensor<i64>) -> ()
      }, {
        "t.yield"(%a) : (tensor<i64>) -> ()
      }) : (tensor<i64>) -> tensor<i64>
      "t.yield"(%c) : (tensor<i64>) -> ()
    }) {id = "plain", n = 12} : (tensor<i64>) -> tensor<i64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
      %q = "t.run"(%i) ({
      ^bb0(%j: tensor<i64>):
        %d = "t.add"(%j, %a) : (tensor<i64>, tensor<i64>) -> tensor<i64>
        "t.yield"(%d) : (tensor<i64>) -> ()
      }) {n = 3} : (tensor<i64>) -> tensor<i64>
      "t.yield"(%q) : (tensor<i64>) -> ()
    }) {id = "nested", n = 3} : (tensor<i64>) -> tensor<i64>
    return
  })mlir";
  parse(source);
  EvaluationOptions options;
  options.limits.maxTripCount = 12; // 3 + 3 * 3
  evaluate(options);
  EXPECT_EQ(outcome("plain"), "folded") << "a branch is no iteration";
  EXPECT_EQ(ints("nested"), list({10}));
  options.limits.maxTripCount = 11;
  parse(source);
  evaluate(options);
  EXPECT_EQ(outcome("plain"), "trip-limit");
  EXPECT_EQ(reasonText("plain"), "takes more iterations than 11");
  EXPECT_EQ(outcome("nested"), "trip-limit");
  EXPECT_EQ(reasonText("nested"),
            "in its body, t.run: takes more iterations than 11");
}

//===----------------------------------------------------------------------===//
// What keeps an operation
//===----------------------------------------------------------------------===//

/// A loop with this body of %a and the argument %i, which gives %r.
static std::string loopOf(llvm::StringRef body) {
  return (R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<[1, 0]> : tensor<2xi64>
    %l = "t.run"(%a) ({
    ^bb0(%i: tensor<2xi64>):
      )mlir" +
          body + R"mlir(
      "t.yield"(%r) : (tensor<2xi64>) -> ()
    }) {id = "run", n = 2} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir")
      .str();
}

// The reason was that of the operation which gives the result: an input is not
// constant.
TEST_F(BodiesTest, reasonsNameTheOperationToBlame) {
  struct {
    const char *body, *code, *text;
  } cases[] = {
      {R"(%r = "t.add"(%i, %x) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>)",
       "input-not-constant", "in its body, t.add: input #1 is not constant"},
      {R"(%q = "t.random"(%i) : (tensor<2xi64>) -> tensor<2xi64>
          %r = "t.add"(%i, %q) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>)",
       "not-deterministic", "in its body, t.random: is random"},
      {R"(%q = "t.nobody"(%i) : (tensor<2xi64>) -> tensor<2xi64>
          %s = "t.neg"(%q) : (tensor<2xi64>) -> tensor<2xi64>
          %r = "t.add"(%i, %s) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>)",
       "no-kernel", "in its body, t.nobody: "},
      {R"(%q = "t.add"(%i, %i) {v = 9} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
          %r = "t.add"(%i, %q) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>)",
       "unknown-version", "in its body, t.add: "},
      {R"(%r = "t.div"(%a, %i) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>)",
       "undefined", "in its body, t.div: divisor element 1 is 0"},
      {R"(%r = "t.wrong_type"(%i) : (tensor<2xi64>) -> tensor<2xi64>)",
       "inconsistent", "in its body, t.wrong_type: result #0 is f32[2]"},
      // What is outside has been said there.
      {R"(%r = "t.add"(%x, %x) : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>)",
       "input-not-constant", "in its body, t.add: input #0 is not constant"},
  };
  for (const auto &test : cases) {
    parse(loopOf(test.body));
    evaluate();
    EXPECT_EQ(outcome("run"), test.code) << test.body;
    EXPECT_EQ(reasonText("run").substr(0, strlen(test.text)), test.text);
  }
}

// An operation without results went with its loop, and what it did with it.
TEST_F(BodiesTest, operationsThatMayNotGoStayWithTheirLoop) {
  for (const char *body :
       {R"("other.print"(%i) : (tensor<2xi64>) -> ())",
        R"("t.print"(%i) : (tensor<2xi64>) -> ())",
        R"(%s = "other.unread"(%i) : (tensor<2xi64>) -> tensor<2xi64>)",
        R"(%s = "t.sticky"(%i) : (tensor<2xi64>) -> tensor<2xi64>)",
        R"(%s = "t.choose"(%i) ({
             "other.print"(%i) : (tensor<2xi64>) -> ()
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }, {
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }) : (tensor<2xi64>) -> tensor<2xi64>)",
        // Which branch is not known: it may print.
        R"(%q = "t.choose"(%x) ({
             "other.print"(%i) : (tensor<2xi64>) -> ()
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }, {
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }) : (tensor<2xi64>) -> tensor<2xi64>)"}) {
    std::string gives = "%r = \"t.neg\"(%i) : (tensor<2xi64>) -> "
                        "tensor<2xi64>\n";
    parse(loopOf(gives + body));
    evaluate();
    EXPECT_NE(outcome("run"), "folded") << body;
    EXPECT_THAT(reasonText("run"), testing::HasSubstr("in its body, ")) << body;
  }
  // A branch that is not taken does nothing; what is pure and unread may go.
  for (const char *body :
       {R"(%s = "t.choose"(%i) ({
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }, {
             "other.print"(%i) : (tensor<2xi64>) -> ()
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }) : (tensor<2xi64>) -> tensor<2xi64>)",
        R"(%s = "t.choose"(%i) ({
             %q = "t.random"(%i) : (tensor<2xi64>) -> tensor<2xi64>
             "t.yield"(%q) : (tensor<2xi64>) -> ()
           }, {
             "t.yield"(%i) : (tensor<2xi64>) -> ()
           }) : (tensor<2xi64>) -> tensor<2xi64>)",
        R"(%s = "t.random"(%i) : (tensor<2xi64>) -> tensor<2xi64>)"}) {
    std::string gives = "%r = \"t.add\"(%i, %a) : (tensor<2xi64>, "
                        "tensor<2xi64>) -> tensor<2xi64>\n";
    parse(loopOf(gives + body));
    evaluate();
    EXPECT_EQ(ints("run"), list({3, 0})) << body;
  }
}

// --skip of a node in a body did not keep the loop, which took the node along,
// where no result came from it.
TEST_F(BodiesTest, filteredOperationsKeepWhatIsAround) {
  const char *source = R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<i64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
      %c = "t.choose"(%i) ({
        "t.yield"(%i) : (tensor<i64>) -> ()
      }, {
        %n = "t.neg"(%a) {id = "deep"} : (tensor<i64>) -> tensor<i64>
        "t.yield"(%n) : (tensor<i64>) -> ()
      }) {id = "choose"} : (tensor<i64>) -> tensor<i64>
      "t.yield"(%c) : (tensor<i64>) -> ()
    }) {id = "run", n = 3} : (tensor<i64>) -> tensor<i64>
    "other.use"(%r) : (tensor<i64>) -> ()
    return
  })mlir";
  parse(source);
  evaluate();
  EXPECT_EQ(outcome("run"), "folded");
  for (const char *skipped : {"choose", "deep"}) {
    parse(source);
    plan(std::nullopt, skipping(skipped));
    EXPECT_EQ(code("run"), "filtered") << skipped;
    EXPECT_EQ(reasonText("run"), skipped == std::string("deep")
                                     ? "in its body, t.neg: said so"
                                     : "in its body, t.choose: said so");
    current->apply();
    EXPECT_TRUE(exists(skipped));
  }
}

// The kernels in a body have been promised what it declares; with other values
// they would read memory wrongly.
TEST_F(BodiesTest, argumentsAreWhatTheBodyDeclares) {
  auto with = [&](llvm::StringRef type, llvm::StringRef more = "") {
    parse((R"mlir(func.func @f() {
      %a = arith.constant dense<[1, 0]> : tensor<2xi64>
      %o = "t.list"(%a) : (tensor<2xi64>) -> !other.list
      %l = "t.run"(%a)mlir" +
           more + R"mlir() ({
      ^bb0(%i: )mlir" +
           type + R"mlir():
        %s = "t.shape"(%i) : ()mlir" +
           type + R"mlir() -> tensor<1xi64>
        "t.yield"(%s) : (tensor<1xi64>) -> ()
      }) {id = "run", n = 1} : (tensor<2xi64>)mlir" +
           llvm::StringRef(more.empty() ? "" : ", tensor<2xi64>") +
           R"mlir() -> tensor<1xi64>
      return
    })mlir")
              .str());
    evaluate();
    return outcome("run");
  };
  EXPECT_EQ(with("tensor<2xi64>"), "folded");
  EXPECT_EQ(with("tensor<?xi64>"), "folded");
  EXPECT_EQ(with("tensor<*xi64>"), "folded");
  EXPECT_EQ(with("tensor<3xi64>"), "inconsistent");
  EXPECT_EQ(reasonText("run"),
            "argument #0 of its body is i64[2], not what its type says");
  EXPECT_EQ(with("tensor<2xf32>"), "inconsistent");
  EXPECT_EQ(with("tensor<2x1xi64>"), "inconsistent");
  EXPECT_EQ(with("tensor<2xi64>", ", %a"), "invalid");
  EXPECT_EQ(reasonText("run"), "its body does not take 2 arguments");
}

TEST_F(BodiesTest, bodiesThatCannotBeRun) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<i64>
    %r = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
      "t.br"()[^bb1] : () -> ()
    ^bb1:
      "t.yield"(%i) : (tensor<i64>) -> ()
    }) {id = "blocks"} : (tensor<i64>) -> tensor<i64>
    %s = "t.run"(%a) ({
    }) {id = "none"} : (tensor<i64>) -> tensor<i64>
    %t = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
    }) {id = "empty"} : (tensor<i64>) -> tensor<i64>
    %u = "t.run"(%a) ({
    ^bb0(%i: tensor<i64>):
      "t.yield"() : () -> ()
    }) {id = "gives_none"} : (tensor<i64>) -> tensor<i64>
    "other.use"(%u) : (tensor<i64>) -> ()
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("blocks"), "invalid");
  EXPECT_EQ(outcome("none"), "invalid");
  EXPECT_EQ(outcome("empty"), "invalid");
  EXPECT_EQ(outcome("gives_none"), "unsupported-type");
}

// Wide values are rounded when they enter the IR, not between iterations.
TEST_F(BodiesTest, wideValuesStayWideInBodies) {
  const char *source = R"mlir(func.func @f() {
    %big = arith.constant dense<1.0e30> : tensor<1xf32>
    %small = arith.constant dense<1.0e-30> : tensor<1xf32>
    %r = "t.run"(%big) ({
    ^bb0(%i: tensor<1xf32>):
      %s = "t.mul"(%i, %big) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
      %l = "t.list"(%s) : (tensor<1xf32>) -> !other.list
      %e = "t.at"(%l) : (!other.list) -> tensor<1xf32>
      "t.yield"(%e) : (tensor<1xf32>) -> ()
    }) {id = "run", n = 2} : (tensor<1xf32>) -> tensor<1xf32>
    %q = "t.mul"(%r, %small) : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    %p = "t.mul"(%q, %small) {id = "p"} : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
    return
  })mlir";
  auto value = [&] {
    return evaluation->state(find("p")->getResult(0)).value.value<float>();
  };
  parse(source);
  EvaluationOptions options;
  evaluate(options);
  EXPECT_EQ(value(), std::numeric_limits<float>::infinity());
  options.precision = Precision::Wide;
  evaluate(options);
  EXPECT_FLOAT_EQ(value(), 1e30f);
}
