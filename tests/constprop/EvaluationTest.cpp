//===- EvaluationTest.cpp - What is known of every value ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;

namespace {
struct EvaluationTest : ConstpropTest {
  std::vector<int64_t> list(std::initializer_list<int64_t> values) {
    return values;
  }
};
} // namespace

TEST_F(EvaluationTest, chainOfConstants) {
  parse(R"mlir(func.func @f() -> tensor<2xi64> {
    %a = arith.constant {id = "a"} dense<[1, 2]> : tensor<2xi64>
    %b = "t.add"(%a, %a) {id = "b"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %c = "t.mul"(%b, %a) {id = "c"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    return %c : tensor<2xi64>
  })mlir");
  std::string before = text();
  evaluate();
  EXPECT_EQ(outcome("a"), "constant");
  EXPECT_EQ(outcome("b"), "folded");
  EXPECT_EQ(outcome("c"), "folded");
  EXPECT_EQ(ints("b"), list({2, 4}));
  EXPECT_EQ(ints("c"), list({2, 8}));
  EXPECT_EQ(text(), before) << "step one changed the IR";
}

TEST_F(EvaluationTest, oneThatStaysStopsNoOther) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<[1, 0]> : tensor<2xi64>
    %u = "t.add"(%a, %x) {id = "input"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %d = "t.div"(%a, %a) {id = "zero"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    %e = "t.neg"(%d) {id = "below"} : (tensor<2xi64>) -> tensor<2xi64>
    %o = "other.op"(%a) {id = "other"} : (tensor<2xi64>) -> tensor<2xi64>
    %k = "t.unheard"(%a) {id = "kernel"} : (tensor<2xi64>) -> tensor<2xi64>
    %v = "t.neg"(%a) {id = "version", v = 9} : (tensor<2xi64>) -> tensor<2xi64>
    %r = "t.random"(%a) {id = "random"} : (tensor<2xi64>) -> tensor<2xi64>
    %s = "t.random"(%x) {id = "random_x"} : (tensor<2xi64>) -> tensor<2xi64>
    %q = "t.stays"(%a) {id = "stays"} : (tensor<2xi64>) -> tensor<2xi64>
    %p = "t.stays"(%x) {id = "stays_x"} : (tensor<2xi64>) -> tensor<2xi64>
    %n = "t.neg"(%a) {id = "fine"} : (tensor<2xi64>) -> tensor<2xi64>
    %w = "t.add"(%n, %a) {id = "version5", v = 5} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("input"), "input-not-constant");
  EXPECT_EQ(reasonText("input"), "input #1 is not constant");
  EXPECT_EQ(outcome("zero"), "undefined");
  EXPECT_EQ(reasonText("zero"), "divisor element 1 is 0");
  EXPECT_EQ(outcome("below"), "input-not-constant");
  EXPECT_EQ(outcome("other"), "no-kernel");
  EXPECT_EQ(outcome("kernel"), "no-kernel");
  EXPECT_EQ(outcome("version"), "unknown-version");
  EXPECT_EQ(outcome("random"), "not-deterministic");
  EXPECT_EQ(outcome("random_x"), "not-deterministic");
  EXPECT_EQ(outcome("stays"), "quantization");
  // An unknown input is the reason that is reported first.
  EXPECT_EQ(outcome("stays_x"), "input-not-constant");
  EXPECT_EQ(outcome("fine"), "folded");
  EXPECT_EQ(outcome("version5"), "folded");
  EXPECT_EQ(ints("version5"), list({0, 0}));
}

TEST_F(EvaluationTest, bodiesSeeOuterConstants) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<[1, 2]> : tensor<2xi64>
    %r = "t.loop"(%x) ({
    ^bb0(%i: tensor<2xi64>):
      %b = "t.add"(%a, %a) {id = "captured"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      %c = "t.add"(%b, %i) {id = "argument"} : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
      "other.region"() ({
        %d = "t.neg"(%b) {id = "deep"} : (tensor<2xi64>) -> tensor<2xi64>
        "t.yield"(%d) : (tensor<2xi64>) -> ()
      }) : () -> ()
      "t.yield"(%c) {id = "end"} : (tensor<2xi64>) -> ()
    }) {id = "loop"} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("loop"), "control-flow");
  EXPECT_EQ(outcome("captured"), "folded");
  EXPECT_EQ(outcome("argument"), "input-not-constant");
  EXPECT_EQ(outcome("deep"), "folded");
  EXPECT_EQ(ints("deep"), list({-2, -4}));
  EXPECT_EQ(outcome("end"), "no-kernel");
}

TEST_F(EvaluationTest, blocksInAnyOrderAndDeclarations) {
  // A block may stand before the one that dominates it.
  parse(R"mlir(
  func.func private @declared(tensor<2xi64>) -> tensor<2xi64>
  func.func @f(%p: tensor<i1>) -> tensor<i64> {
    %a = arith.constant dense<20> : tensor<i64>
    "t.br"()[^bb2] : () -> ()
  ^bb1(%i: tensor<i64>):
    %b = "t.add"(%a, %i) {id = "argument"} : (tensor<i64>, tensor<i64>) -> tensor<i64>
    %d = "t.neg"(%c) {id = "early"} : (tensor<i64>) -> tensor<i64>
    return %b : tensor<i64>
  ^bb2:
    %c = "t.add"(%a, %a) {id = "sum"} : (tensor<i64>, tensor<i64>) -> tensor<i64>
    "t.br"(%c)[^bb1] : (tensor<i64>) -> ()
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("argument"), "input-not-constant");
  EXPECT_EQ(outcome("early"), "input-not-constant");
  EXPECT_EQ(outcome("sum"), "folded");
}

// The table had no entry for a value that is used before it is defined.
TEST_F(EvaluationTest, graphRegionsWithUsesBeforeDefinitions) {
  parse(R"mlir("t.graph"() ({
    %s = "t.shape"(%b) {id = "shape"} : (tensor<2x3xi64>) -> tensor<2xi64>
    %e = "t.neg"(%b) {id = "early"} : (tensor<2x3xi64>) -> tensor<2x3xi64>
    %own = "t.add"(%own, %a) {id = "own"} : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
    %a = arith.constant dense<1> : tensor<2x3xi64>
    %b = "t.add"(%a, %a) {id = "late"} : (tensor<2x3xi64>, tensor<2x3xi64>) -> tensor<2x3xi64>
    %l = "t.neg"(%b) {id = "after"} : (tensor<2x3xi64>) -> tensor<2x3xi64>
    "other.use"(%s, %e, %own, %l) : (tensor<2xi64>, tensor<2x3xi64>, tensor<2x3xi64>, tensor<2x3xi64>) -> ()
  }) {id = "graph"} : () -> ())mlir");
  evaluate();
  EXPECT_EQ(outcome("shape"), "folded");
  EXPECT_EQ(ints("shape"), list({2, 3}));
  EXPECT_EQ(outcome("early"), "input-not-constant");
  EXPECT_EQ(outcome("own"), "input-not-constant");
  EXPECT_EQ(outcome("late"), "folded");
  EXPECT_EQ(outcome("after"), "folded");
  // The plan and the rewriting cope, too.
  int64_t before = countConstantBytes(*module);
  FoldPlan plan(*evaluation, std::nullopt);
  EXPECT_EQ(plan.action(find("late")), FoldPlan::Action::Folded);
  plan.apply();
  EXPECT_EQ(countConstantBytes(*module) - before, plan.growth());
  EXPECT_TRUE(exists("early"));
  EXPECT_TRUE(exists("own"));
  EXPECT_FALSE(exists("late"));
}

TEST_F(EvaluationTest, valuesFromOutsideTheRoot) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<2xi64>
    "t.graph"() ({
      %b = "t.neg"(%a) {id = "outside"} : (tensor<2xi64>) -> tensor<2xi64>
      %s = "t.shape"(%a) {id = "shape"} : (tensor<2xi64>) -> tensor<1xi64>
      "other.use"(%b, %s) : (tensor<2xi64>, tensor<1xi64>) -> ()
    }) {id = "root"} : () -> ()
    return
  })mlir");
  evaluation.emplace(find("root"), EvaluationOptions());
  evaluation->run();
  EXPECT_EQ(outcome("outside"), "input-not-constant");
  EXPECT_EQ(outcome("shape"), "folded");
  FoldPlan plan(*evaluation, 8);
  plan.apply();
  EXPECT_EQ(plan.growth(), 8);
  EXPECT_FALSE(exists("shape"));
}

TEST_F(EvaluationTest, scalarsOfArith) {
  parse(R"mlir(func.func @f() -> (i32, index) {
    %a = arith.constant 20 : i32
    %b = arith.constant -3 : i32
    %c = arith.divsi %a, %b {id = "div"} : i32
    %z = arith.constant 0 : i32
    %d = arith.divsi %a, %z {id = "zero"} : i32
    %i = arith.constant 5 : index
    %j = arith.addi %i, %i {id = "index"} : index
    return %c, %j : i32, index
  })mlir");
  evaluate();
  EXPECT_EQ(ints("div"), list({-6}));
  EXPECT_EQ(outcome("zero"), "undefined");
}

//===----------------------------------------------------------------------===//
// Limits, filters, types
//===----------------------------------------------------------------------===//

TEST_F(EvaluationTest, limitOnResultsComesBeforeTheKernel) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<128xi64>
    %b = "t.big"(%a) {id = "fits"} : (tensor<128xi64>) -> tensor<128xi64>
    %c = "t.big"(%a) {id = "large"} : (tensor<128xi64>) -> tensor<129xi64>
    %d = "t.big"(%a) {id = "overflow"} : (tensor<128xi64>) -> tensor<4000000000x4000000000xi64>
    %e = "t.big"(%a) {id = "asks", n = 129} : (tensor<128xi64>) -> tensor<?xi64>
    %g = "t.work"(%a) {id = "work"} : (tensor<128xi64>) -> tensor<128xi64>
    return
  })mlir");
  EvaluationOptions options;
  options.limits.maxResultBytes = 1024;
  callsOfBig = 0;
  evaluate(options);
  EXPECT_EQ(outcome("fits"), "folded");
  EXPECT_EQ(outcome("large"), "result-limit");
  EXPECT_EQ(reasonText("large"),
            "the result has shape [129], more than 1024 bytes");
  EXPECT_EQ(outcome("overflow"), "result-limit");
  EXPECT_EQ(callsOfBig, 2);
  EXPECT_EQ(outcome("asks"), "result-limit");
  EXPECT_EQ(outcome("work"), "work-limit");
  options.limits.maxWork = 1'000'000'000'000;
  evaluate(options);
  EXPECT_EQ(outcome("work"), "folded");
}

TEST_F(EvaluationTest, filteredOperationsAreUnknown) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<1> : tensor<2xi64>
    %b = "t.neg"(%a) {id = "skipped"} : (tensor<2xi64>) -> tensor<2xi64>
    %c = "t.neg"(%b) {id = "below"} : (tensor<2xi64>) -> tensor<2xi64>
    %d = "t.neg"(%a) {id = "other"} : (tensor<2xi64>) -> tensor<2xi64>
    %e = "t.neg"(%x) {id = "skipped"} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  EvaluationOptions options;
  int steps = 0;
  options.step = [&] { ++steps; };
  options.filter = [](mlir::Operation *op) -> Reason {
    auto id = op->getAttrOfType<mlir::StringAttr>("id");
    if (id && id.getValue() == "skipped")
      return notFolded(ReasonCode::Filtered, "said so");
    return {};
  };
  evaluate(options);
  EXPECT_EQ(outcome("below"), "input-not-constant");
  EXPECT_EQ(outcome("other"), "folded");
  // find() gives the last one: what depends on inputs is no news.
  EXPECT_EQ(outcome("skipped"), "input-not-constant");
  find("skipped")->erase();
  EXPECT_EQ(outcome("skipped"), "filtered");
  EXPECT_EQ(reasonText("skipped"), "said so");
  EXPECT_EQ(steps, 7); // the function, the constant, four, the return
}

/// Whoever knows that two operations compute the same saves the second one.
TEST_F(EvaluationTest, repeatedOperationsAreNotEvaluated) {
  parse(R"mlir(func.func @f(%x: tensor<2xi64>) {
    %a = arith.constant dense<1> : tensor<2xi64>
    %b = "t.big"(%a) {id = "first"} : (tensor<2xi64>) -> tensor<2xi64>
    %c = "t.big"(%a) {id = "again"} : (tensor<2xi64>) -> tensor<2xi64>
    %d = "t.neg"(%c) {id = "below"} : (tensor<2xi64>) -> tensor<2xi64>
    %e = "t.neg"(%x) {id = "first_x"} : (tensor<2xi64>) -> tensor<2xi64>
    %g = "t.neg"(%x) {id = "again_x"} : (tensor<2xi64>) -> tensor<2xi64>
    return
  })mlir");
  callsOfBig = 0;
  evaluation.emplace(*module, EvaluationOptions());
  std::vector<mlir::Operation *> asked, inferred;
  auto isRepeated = [&](mlir::Operation *op) {
    asked.push_back(op);
    for (std::string of : {"", "_x"})
      if (op == find("again" + of)) {
        evaluation->setEqual(op, find("first" + of));
        return true;
      }
    return false;
  };
  auto note = [&](mlir::Operation *op) { inferred.push_back(op); };
  evaluation->run(nullptr, note, isRepeated);
  EXPECT_EQ(callsOfBig, 1);
  EXPECT_EQ(outcome("again"), outcome("first"));
  EXPECT_EQ(ints("again"), ints("first"));
  EXPECT_EQ(outcome("below"), "folded");
  EXPECT_EQ(outcome("again_x"), "input-not-constant");
  EXPECT_TRUE(evaluation->has(find("again_x")));
  // Constants, what has bodies and what has no results are not asked about.
  EXPECT_EQ(asked.size(), 5u);
  EXPECT_FALSE(llvm::is_contained(inferred, find("again")));
  EXPECT_TRUE(llvm::is_contained(inferred, find("first")));
}

TEST_F(EvaluationTest, contradictionsOfTypesAreKept) {
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<1> : tensor<2xi64>
    %b = "t.wrong_shape"(%a) {id = "shape"} : (tensor<2xi64>) -> tensor<2xi64>
    %c = "t.wrong_type"(%a) {id = "type"} : (tensor<2xi64>) -> tensor<2xi64>
    %d:2 = "t.wrong_second"(%a) {id = "second"} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    %e = "t.neg"(%d#0) {id = "below"} : (tensor<2xi64>) -> tensor<2xi64>
    %g = "t.neg"(%a) {id = "unranked"} : (tensor<2xi64>) -> tensor<*xi64>
    %h = "t.neg"(%a) {id = "dynamic"} : (tensor<2xi64>) -> tensor<?xi64>
    %i = "t.neg"(%a) {id = "dim"} : (tensor<2xi64>) -> tensor<3xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("shape"), "inconsistent");
  EXPECT_EQ(reasonText("shape"),
            "result #0 is i64[1, 2], expected i64[2], which the model or "
            "inference says");
  EXPECT_EQ(outcome("type"), "inconsistent");
  EXPECT_EQ(outcome("second"), "inconsistent");
  EXPECT_EQ(outcome("below"), "input-not-constant")
      << "a result of an operation whose other result is wrong was used";
  EXPECT_EQ(outcome("unranked"), "folded");
  EXPECT_EQ(outcome("dynamic"), "folded");
  EXPECT_EQ(outcome("dim"), "inconsistent");
}

TEST_F(EvaluationTest, severalResults) {
  parse(R"mlir(func.func @f() -> tensor<2xi64> {
    %a = arith.constant dense<[3, 4]> : tensor<2xi64>
    %b:2 = "t.both"(%a, %a) {id = "both"} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    %c:2 = "t.half"(%a) {id = "half"} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    %d:2 = "t.half"(%a) {id = "half_read"} : (tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>)
    %e:3 = "t.both"(%a, %a) {id = "three"} : (tensor<2xi64>, tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>)
    "other.use"(%d#1, %e#2) : (tensor<2xi64>, tensor<2xi64>) -> ()
    return %c#0 : tensor<2xi64>
  })mlir");
  evaluate();
  EXPECT_EQ(ints("both", 0), list({6, 8}));
  EXPECT_EQ(ints("both", 1), list({0, 0}));
  EXPECT_EQ(outcome("half"), "folded");
  EXPECT_EQ(outcome("half_read"), "unsupported-type");
  EXPECT_EQ(outcome("three"), "unsupported-type");
}

//===----------------------------------------------------------------------===//
// Partly known values
//===----------------------------------------------------------------------===//

TEST_F(EvaluationTest, shapesProveValues) {
  parse(R"mlir(func.func @f(%x: tensor<?x12xi64>, %u: tensor<*xi64>) {
    %s = "t.shape"(%x) {id = "partly"} : (tensor<?x12xi64>) -> tensor<2xi64>
    %b = "t.first"(%s) {id = "b"} : (tensor<2xi64>) -> tensor<1xi64>
    %n = arith.constant dense<12> : tensor<1xi64>
    %m = "t.mul"(%b, %n) {id = "m"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %q = "t.div"(%m, %n) {id = "q"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %z = "t.sub"(%q, %b) {id = "zero"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    %c = "t.concat"(%n, %b) {id = "concat"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
    %k = "t.first"(%c) {id = "known"} : (tensor<2xi64>) -> tensor<1xi64>
    %g = "t.neg"(%s) {id = "no_symbols"} : (tensor<2xi64>) -> tensor<2xi64>
    %h = "t.shape"(%u) {id = "no_rank"} : (tensor<*xi64>) -> tensor<?xi64>
    %i = "t.shape"(%c) {id = "shape_of_symbols"} : (tensor<2xi64>) -> tensor<1xi64>
    %zero = arith.constant dense<0> : tensor<1xi64>
    %j = "t.div"(%b, %zero) {id = "by_zero"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    return
  })mlir");
  Evaluation &e = evaluate();
  EXPECT_EQ(outcome("partly"), "input-not-constant");
  EXPECT_EQ(reasonText("partly"), "its value is known in part only");
  EXPECT_TRUE(e.state(find("partly")->getResult(0)).isSymbolic());
  EXPECT_EQ(outcome("zero"), "folded");
  EXPECT_EQ(ints("zero"), list({0}));
  EXPECT_EQ(outcome("known"), "folded");
  EXPECT_EQ(ints("known"), list({12}));
  EXPECT_EQ(outcome("no_symbols"), "input-not-constant");
  EXPECT_EQ(reasonText("no_symbols"), "input #0 is not constant");
  EXPECT_EQ(outcome("no_rank"), "input-not-constant");
  EXPECT_EQ(ints("shape_of_symbols"), list({2}));
  EXPECT_EQ(outcome("by_zero"), "undefined");
}

TEST_F(EvaluationTest, argumentsMayBeKnownBetter) {
  parse(R"mlir(func.func @f(%x: tensor<?xi64>, %y: tensor<?xi64>) {
    %s = "t.shape"(%x) : (tensor<?xi64>) -> tensor<1xi64>
    %t = "t.shape"(%y) : (tensor<?xi64>) -> tensor<1xi64>
    %z = "t.sub"(%s, %t) {id = "same"} : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
    return
  })mlir");
  evaluate();
  EXPECT_EQ(outcome("same"), "input-not-constant");
  EvaluationOptions options;
  options.stateOfArgument = [](mlir::BlockArgument argument, DimExprs &exprs) {
    ValueState state = stateOfType(argument.getType(), exprs);
    (*state.shape)[0] = exprs.named("n");
    return state;
  };
  evaluate(options);
  EXPECT_EQ(outcome("same"), "folded");
}

TEST_F(EvaluationTest, narrowIntegersResolveInTheirType) {
  parse(R"mlir(func.func @f(%x: tensor<300xi8>) {
    %s = "t.shape"(%x) {id = "i32"} : (tensor<300xi8>) -> tensor<1xi32>
    return
  })mlir");
  Evaluation &e = evaluate();
  EXPECT_EQ(ints("i32"), list({300}));
  EXPECT_EQ(e.state(find("i32")->getResult(0)).type, DataType::Int32);
}

// A large table next to a partly known value was turned into symbols one by
// one, some hundred bytes each.
TEST_F(EvaluationTest, largeTensorsAreNoSymbols) {
  parse(R"mlir(func.func @f(%x: tensor<?xi64>) {
    %s = "t.shape"(%x) : (tensor<?xi64>) -> tensor<1xi64>
    %a = arith.constant dense<7> : tensor<100000000xi64>
    %c = "t.add"(%a, %s) {id = "mixed"} : (tensor<100000000xi64>, tensor<1xi64>) -> tensor<100000000xi64>
    %r = "t.repeat"(%s) {id = "repeat", n = 100000000} : (tensor<1xi64>) -> tensor<100000000x1xi64>
    %d = "t.shape"(%r) {id = "shape"} : (tensor<100000000x1xi64>) -> tensor<2xi64>
    return
  })mlir");
  Evaluation &e = evaluate();
  EXPECT_EQ(outcome("mixed"), "input-not-constant");
  EXPECT_EQ(reasonText("mixed"), "input #0 is too large to be combined with "
                                 "one that is known in part");
  EXPECT_EQ(outcome("repeat"), "input-not-constant");
  EXPECT_FALSE(e.state(find("repeat")->getResult(0)).value);
  EXPECT_EQ(ints("shape"), list({100000000, 1}));
}

TEST_F(EvaluationTest, largeResultsCostNothing) {
  // 1 GB each, if anybody computed them.
  parse(R"mlir(func.func @f() {
    %a = arith.constant dense<3> : tensor<1xi64>
    %r = "t.repeat"(%a) {n = 100000000} : (tensor<1xi64>) -> tensor<100000000x1xi64>
    %b = "t.neg"(%r) : (tensor<100000000x1xi64>) -> tensor<100000000x1xi64>
    %c = "t.add"(%b, %b) : (tensor<100000000x1xi64>, tensor<100000000x1xi64>) -> tensor<100000000x1xi64>
    %d = "t.first"(%c) {id = "one"} : (tensor<100000000x1xi64>) -> tensor<1x1xi64>
    return
  })mlir");
  Evaluation &e = evaluate();
  EXPECT_EQ(ints("one"), list({-6}));
  EXPECT_LT(e.state(find("one")->getResult(0)).value.retainedBytes(), 1000u);
}
