//===- VerifyTest.cpp - Two modules on the same inputs --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/verify/Verify.h"
#include "onnxfold/onnx/folding/OnnxFolding.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/verify/internal/Schedule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace onnxfold;
using namespace mlir;

namespace {

struct VerifyTest : testing::Test {
  VerifyTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<func::FuncDialect, OnnxDialect>();
    registerAllOperators(context);
    addOnnxFolding(context);
  }

  OwningOpRef<ModuleOp> parse(const std::string &text) {
    auto module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module;
  }

  /// A graph of x and n with these lines; y is its output.
  static std::string graph(const std::string &lines) {
    return R"mlir(func.func @main_graph(
      %x: tensor<?x3xf32> {onnx.name = "x", onnx.dims = ["batch", ""]},
      %n: tensor<?xi64> {onnx.name = "n", onnx.dims = ["batch"]})
      -> (tensor<?x3xf32> {onnx.name = "y"}) {
    )mlir" +
           lines + "  return %y : tensor<?x3xf32>\n}\n";
  }

  VerifyResult run(const std::string &before, const std::string &after,
                   VerifyOptions options = {}) {
    OwningOpRef<ModuleOp> a = parse(before), b = parse(after);
    if (!a || !b)
      return {};
    std::string text = textOf(*a) + textOf(*b);
    VerifyResult result = verify(*a, *b, options);
    EXPECT_EQ(textOf(*a) + textOf(*b), text) << "verify changed a module";
    return result;
  }

  static std::string textOf(ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream out(text);
    module->print(out);
    return text;
  }

  MLIRContext context;
};

} // namespace

static const char addThree[] = R"mlir(
  %c = onnx.Constant dense<3.0> : tensor<3xf32>
  %y = onnx.Add(%x, %c) <{outputs = ["y"]}>
    : (tensor<?x3xf32>, tensor<3xf32>) -> tensor<?x3xf32>
)mlir";

TEST_F(VerifyTest, EqualModules) {
  VerifyResult result = run(graph(addThree), graph(addThree));
  EXPECT_TRUE(result.isEqual());
  EXPECT_EQ(result.trials, 3u);
  ASSERT_EQ(result.compared.size(), 1u);
  EXPECT_EQ(result.compared[0].name, "output 'y'");
  EXPECT_EQ(result.compared[0].trials, 3u);
  EXPECT_TRUE(result.notRun.empty());
}

// One element of a constant is another one: what a wrong fold does.
TEST_F(VerifyTest, AFaultIsFoundAndLocated) {
  std::string wrong = addThree;
  size_t at = wrong.find("dense<3.0>");
  wrong.replace(at, 10, "dense<[3.0, 3.0, 3.5]>");
  VerifyResult result = run(graph(addThree), graph(wrong));
  EXPECT_FALSE(result.isEqual());
  ASSERT_EQ(result.compared.size(), 1u);
  const ComparedValue &value = result.compared[0];
  EXPECT_FALSE(value.isEqual);
  EXPECT_NE(value.difference.find(", 2]: "), std::string::npos)
      << value.difference;
  // 2 to 4 and 0.5 further: 2^21 or 2^22 numbers of f32 lie between; more of
  // them for -3, which is next to a number of the model.
  EXPECT_GT(value.ulps, 1 << 20);
  std::string text;
  llvm::raw_string_ostream out(text);
  result.print(out, /*all=*/false);
  EXPECT_TRUE(llvm::StringRef(text).starts_with("output 'y' differs in trial"))
      << text;
}

TEST_F(VerifyTest, ALastBitIsADifferenceOrWithinTheTolerance) {
  std::string near = addThree;
  near.replace(near.find("dense<3.0>"), 10, "dense<3.0000002>");
  EXPECT_FALSE(run(graph(addThree), graph(near)).isEqual());
  VerifyOptions options;
  options.exact = false;
  VerifyResult within = run(graph(addThree), graph(near), options);
  EXPECT_TRUE(within.isEqual());
  EXPECT_GT(within.compared[0].ulps, 0);
  std::string text;
  llvm::raw_string_ostream out(text);
  within.print(out, /*all=*/true);
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "output 'y' differs within the bound in trial "))
      << text;
  std::string far = addThree;
  far.replace(far.find("dense<3.0>"), 10, "dense<3.001>");
  EXPECT_FALSE(run(graph(addThree), graph(far), options).isEqual());
}

TEST_F(VerifyTest, TheSameSeedGivesTheSameTrials) {
  std::string wrong = addThree;
  wrong.replace(wrong.find("dense<3.0>"), 10, "dense<2.0>");
  VerifyResult first = run(graph(addThree), graph(wrong)),
               second = run(graph(addThree), graph(wrong));
  ASSERT_EQ(first.compared.size(), 1u);
  EXPECT_EQ(first.compared[0].difference, second.compared[0].difference);
  VerifyOptions other;
  other.seed = 1;
  EXPECT_NE(first.compared[0].difference,
            run(graph(addThree), graph(wrong), other).compared[0].difference);
}

// A dimension that every trial gives another size: a shape that is right for
// one of them only is found out.
TEST_F(VerifyTest, SizesChangeFromTrialToTrial) {
  std::string whole = R"mlir(
    %s = onnx.Constant dense<[-1, 3]> : tensor<2xi64>
    %y = onnx.Reshape(%x, %s) <{outputs = ["y"]}>
      : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  )mlir";
  for (const char *size : {"1", "2", "3", "4", "5"}) {
    std::string fixed = whole;
    fixed.replace(fixed.find("-1"), 2, size);
    EXPECT_FALSE(run(graph(whole), graph(fixed)).isEqual()) << size;
  }
}

// Indices are within what they index, also behind operators that only move
// them, and behind a sum.
TEST_F(VerifyTest, IndicesAreWithinTheirTable) {
  std::string text = graph(R"mlir(
    %t = onnx.Constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0],
      [6.0, 7.0, 8.0], [9.0, 10.0, 11.0]]> : tensor<4x3xf32>
    %two = onnx.Constant dense<2> : tensor<i64>
    %m = onnx.Add(%n, %two) <{outputs = ["m"]}>
      : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
    %i = onnx.Cast(%m) <{outputs = ["i"]}> {to = 6 : i64}
      : (tensor<?xi64>) -> tensor<?xi32>
    %y = onnx.Gather(%t, %i) <{outputs = ["y"]}>
      : (tensor<4x3xf32>, tensor<?xi32>) -> tensor<?x3xf32>
  )mlir");
  VerifyOptions options;
  options.trials = 20;
  VerifyResult result = run(text, text, options);
  EXPECT_TRUE(result.notRun.empty());
  ASSERT_EQ(result.compared.size(), 1u);
  EXPECT_EQ(result.compared[0].trials, 20u);
}

// The operands of an operator that cannot be run are compared all the same.
TEST_F(VerifyTest, OperatorsThatCannotBeRunAreNamed) {
  auto text = [](const char *factor) {
    return graph(std::string(R"mlir(
    %c = onnx.Constant dense<)mlir") +
                 factor + R"mlir(> : tensor<f32>
    %a = onnx.Mul(%x, %c) <{outputs = ["a"]}>
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
    %y = onnx.Custom(%a) <{domain = "com.acme", name = "mine", op_type = "F",
      outputs = ["y"], since = 1}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
  )mlir");
  };
  VerifyResult result = run(text("2.0"), text("2.0"));
  EXPECT_TRUE(result.isEqual());
  EXPECT_TRUE(result.isComplete());
  ASSERT_EQ(result.compared.size(), 2u);
  EXPECT_EQ(result.compared[0].name, "output 'y'");
  EXPECT_EQ(result.compared[1].name, "input #0 of F 'mine'");
  ASSERT_EQ(result.notRun.size(), 1u);
  EXPECT_EQ(result.notRun[0].name, "F 'mine'");
  EXPECT_EQ(result.notRun[0].reason.code, ReasonCode::NoKernel);
  EXPECT_FALSE(run(text("2.0"), text("2.5")).isEqual());
}

// Random numbers stand in for what a random operator gives, the same ones in
// both modules; other ones for another operator, so that merging two is found.
TEST_F(VerifyTest, RandomOperatorsAreStoodInFor) {
  auto text = [](const char *other, const char *factor) {
    return graph(std::string(R"mlir(
    %c = onnx.Constant dense<)mlir") +
                 factor + R"mlir(> : tensor<f32>
    %r = onnx.RandomNormalLike(%x) <{name = "noise", outputs = ["r"]}>
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
    %s = onnx.RandomNormalLike(%x) <{name = "noise2", outputs = ["s"]}>
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
    %a = onnx.Sub(%r, )mlir" +
                 other + R"mlir() <{outputs = ["a"]}>
      : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    %y = onnx.Mul(%a, %c) <{outputs = ["y"]}>
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  )mlir");
  };
  VerifyResult result = run(text("%s", "2.0"), text("%s", "2.0"));
  EXPECT_TRUE(result.isEqual());
  EXPECT_EQ(result.compared[0].name, "output 'y'");
  EXPECT_EQ(result.notRun.size(), 2u);
  EXPECT_FALSE(run(text("%s", "2.0"), text("%s", "3.0")).isEqual());
  EXPECT_FALSE(run(text("%s", "2.0"), text("%r", "2.0")).isEqual());
}

// A T5 takes log(0) of the distance 0, casts it to an integer, and drops it by
// a Where: the specification leaves the cast open, and nothing was compared.
TEST_F(VerifyTest, CastsOutOfRangeSaturate) {
  std::string text = graph(R"mlir(
    %z = onnx.Constant dense<0.0> : tensor<f32>
    %i = onnx.Div(%x, %z) <{outputs = ["i"]}>
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
    %l = onnx.Cast(%i) <{outputs = ["l"]}> {to = 7 : i64}
      : (tensor<?x3xf32>) -> tensor<?x3xi64>
    %y = onnx.Cast(%l) <{outputs = ["y"]}> {to = 1 : i64}
      : (tensor<?x3xi64>) -> tensor<?x3xf32>
  )mlir");
  VerifyResult result = run(text, text);
  EXPECT_TRUE(result.notRun.empty());
  EXPECT_EQ(result.compared.size(), 1u);
}

// The result gives an output no more: not "nothing to compare".
TEST_F(VerifyTest, AnOutputThatTheResultDoesNotGive) {
  std::string broken = R"mlir(
    %s = onnx.Constant dense<[7, 7]> : tensor<2xi64>
    %y = onnx.Reshape(%x, %s) <{outputs = ["y"]}>
      : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  )mlir";
  VerifyResult result = run(graph(addThree), graph(broken));
  ASSERT_EQ(result.compared.size(), 1u);
  EXPECT_FALSE(result.isEqual());
  EXPECT_NE(result.compared[0].difference.find("does not give it"),
            std::string::npos)
      << result.compared[0].difference;
}

/// A model of a few hundred bytes that reads only the shape of its inputs took
/// minutes: each of a hundred sets drew six million numbers that cost nothing.
TEST(Schedule, NumbersThatAreDrawnCount) {
  auto number = [](double x) { return WideNum::widen(x); };
  auto hasNext = [&](ShapeRef shape) {
    FoldedValue input(Elements::splat(DataType::Float32, shape, number(1)));
    Schedule schedule(/*isExact=*/true, /*isAllGiven=*/false);
    schedule.noteCost(input, {}, {});
    return schedule.next(0).has_value();
  };
  EXPECT_TRUE(hasNext({100, 100}));
  EXPECT_FALSE(hasNext({100, 200, 300}));
}

/// --verify took six runs of half a minute for a network of 10^11 operations.
TEST(Schedule, LongTrialsAreFew) {
  auto numTrials = [](double work) {
    Schedule schedule(/*isExact=*/true, /*isAllGiven=*/false);
    Execution run;
    run.work = work;
    unsigned trial = 0;
    for (; trial != 10 && schedule.mayBegin(trial); ++trial)
      schedule.noteCost({}, run, run);
    return trial;
  };
  EXPECT_EQ(numTrials(1e6), 10u);
  EXPECT_EQ(numTrials(1e11), 4u);
  EXPECT_EQ(numTrials(4e11), 1u);
}

TEST_F(VerifyTest, WorkIsLimitedForTheWholeModel) {
  VerifyOptions options;
  options.limits.maxWork = 10;
  VerifyResult result = run(graph(addThree), graph(addThree), options);
  EXPECT_TRUE(result.compared.empty() ||
              result.compared[0].name != "output 'y'");
  ASSERT_FALSE(result.notRun.empty());
  EXPECT_EQ(result.notRun[0].reason.code, ReasonCode::WorkLimit);
}

// Calls are computed where they stand, with the values of their attributes.
TEST_F(VerifyTest, FunctionsOfTheModel) {
  auto text = [](const char *alpha) {
    return std::string(R"mlir(module attributes {
      onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
    )mlir") +
           graph(std::string(R"mlir(
      %y = onnx.Custom(%x) <{domain = "own", op_type = "Leaky", outputs = ["y"],
        since = 1}> {slope = )mlir") +
                 alpha + R"mlir( : f32} : (tensor<?x3xf32>) -> tensor<?x3xf32>
    )mlir") +
           R"mlir(
    func.func @"own::Leaky"(%a: !onnx.unknown {onnx.name = "a"})
        -> (!onnx.unknown {onnx.name = "b"})
        attributes {onnx.domain = "own", onnx.name = "Leaky"} {
      %b = onnx.LeakyRelu(%a) <{outputs = ["b"], since = 16}>
        {alpha = #onnx.ref<"slope", 1>} : (!onnx.unknown) -> !onnx.unknown
      return %b : !onnx.unknown
    }
    })mlir";
  };
  VerifyResult result = run(text("0.5"), text("0.5"));
  EXPECT_TRUE(result.isEqual());
  EXPECT_TRUE(result.notRun.empty());
  EXPECT_EQ(result.compared.size(), 1u);
  EXPECT_FALSE(run(text("0.5"), text("0.25")).isEqual());
}

// A call that leaves an attribute out has the function's default; without one
// the operator has its own (LeakyRelu: 0.01).
TEST_F(VerifyTest, DefaultsOfFunctions) {
  auto text = [](const char *given, const char *defaults) {
    return std::string(R"mlir(module attributes {
      onnx.ir_version = 10 : i64, onnx.opset_imports = [#onnx.opset<"", 21>]} {
    )mlir") +
           graph(std::string(R"mlir(
      %y = onnx.Custom(%x) <{domain = "own", op_type = "Leaky", outputs = ["y"],
        since = 1}> {)mlir") +
                 given + R"mlir(} : (tensor<?x3xf32>) -> tensor<?x3xf32>
    )mlir") +
           R"mlir(
    func.func @"own::Leaky"(%a: !onnx.unknown {onnx.name = "a"})
        -> (!onnx.unknown {onnx.name = "b"})
        attributes {onnx.domain = "own", onnx.name = "Leaky", onnx.defaults = {)mlir" +
           defaults + R"mlir(}} {
      %k = onnx.Custom() <{op_type = "Constant", outputs = ["k"], since = 13}>
        {value_float = #onnx.ref<"bias", 1>} : () -> !onnx.unknown
      %b = onnx.LeakyRelu(%a) <{outputs = ["b"], since = 16}>
        {alpha = #onnx.ref<"slope", 1>} : (!onnx.unknown) -> !onnx.unknown
      %c = onnx.Add(%b, %k) <{outputs = ["c"], since = 14}>
        : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
      return %c : !onnx.unknown
    }
    })mlir";
  };
  auto isEqual = [&](const std::string &a, const std::string &b) {
    VerifyResult result = run(a, b);
    EXPECT_EQ(result.notRun.size(), 0u)
        << (result.notRun.empty() ? "" : result.notRun[0].name);
    EXPECT_EQ(result.compared.size(), 1u);
    return result.isEqual();
  };
  std::string byDefault = text("", "slope = 0.5 : f32, bias = 2.0 : f32");
  EXPECT_TRUE(isEqual(byDefault, text("slope = 0.5 : f32, bias = 2.0 : f32",
                                      "slope = 0.25 : f32")));
  EXPECT_FALSE(
      isEqual(byDefault, text("", "slope = 0.25 : f32, bias = 2.0 : f32")));
  EXPECT_FALSE(
      isEqual(byDefault, text("", "slope = 0.5 : f32, bias = 1.0 : f32")));
  EXPECT_TRUE(isEqual(text("bias = 2.0 : f32", ""),
                      text("slope = 0.01 : f32, bias = 2.0 : f32", "")));
}

// What stands in for an operator is one value in both modules, also where one
// of them says less of its type.
TEST_F(VerifyTest, TypesThatTheResultDoesNotSay) {
  auto text = [](const char *type, const char *factor) {
    return graph(std::string(R"mlir(
    %c = onnx.Constant dense<)mlir") +
                 factor + R"mlir(> : tensor<f32>
    %f = onnx.Custom(%x) <{domain = "com.acme", name = "mine", op_type = "F",
      outputs = ["f"], since = 1}> : (tensor<?x3xf32>) -> )mlir" +
                 type + R"mlir(
    %y = onnx.Mul(%f, %c) <{outputs = ["y"]}>
      : ()mlir" + type +
                 R"mlir(, tensor<f32>) -> tensor<?x3xf32>
  )mlir");
  };
  const char *known = "tensor<4x3xf32>", *unknown = "!onnx.unknown";
  VerifyResult result = run(text(known, "2.0"), text(unknown, "2.0"));
  EXPECT_TRUE(result.isEqual());
  ASSERT_EQ(result.compared.size(), 2u);
  EXPECT_EQ(result.compared[0].name, "output 'y'");
  EXPECT_FALSE(run(text(known, "2.0"), text(unknown, "2.5")).isEqual());
}

// Quantisation is kept for the runtime, and computed here.
TEST_F(VerifyTest, QuantisedOperatorsRun) {
  auto text = [](const char *scale) {
    return graph(std::string(R"mlir(
    %s = onnx.Constant dense<)mlir") +
                 scale + R"mlir(> : tensor<f32>
    %z = onnx.Constant dense<128> : tensor<ui8>
    %q = onnx.QuantizeLinear(%x, %s, %z) <{outputs = ["q"], since = 13}>
      : (tensor<?x3xf32>, tensor<f32>, tensor<ui8>) -> tensor<?x3xui8>
    %y = onnx.DequantizeLinear(%q, %s, %z) <{outputs = ["y"], since = 13}>
      : (tensor<?x3xui8>, tensor<f32>, tensor<ui8>) -> tensor<?x3xf32>
  )mlir");
  };
  VerifyResult result = run(text("0.01"), text("0.01"));
  EXPECT_TRUE(result.isEqual());
  EXPECT_TRUE(result.notRun.empty());
  EXPECT_EQ(result.compared.size(), 1u);
  EXPECT_FALSE(run(text("0.01"), text("0.011")).isEqual());
}

// A window of 128 does not fit into the small sizes that unknown dimensions
// have at first, and nothing was compared.
TEST_F(VerifyTest, SizesThatAWindowFitsInto) {
  auto text = [](const char *kernel, const char *input) {
    return std::string("func.func @main_graph(%x: ") + input +
           R"mlir( {onnx.name = "x"})
      -> (tensor<1x1x?xf32> {onnx.name = "y"}) {
      %y = onnx.AveragePool(%x) <{outputs = ["y"]}> {kernel_shape = array<i64: )mlir" +
           kernel + ">} : (" + input + R"mlir() -> tensor<1x1x?xf32>
      return %y : tensor<1x1x?xf32>
    })mlir";
  };
  std::string open = text("200", "tensor<1x1x?xf32>");
  VerifyResult result = run(open, open);
  EXPECT_TRUE(result.isComplete());
  EXPECT_TRUE(result.notRun.empty());
  ASSERT_EQ(result.compared.size(), 1u);
  EXPECT_EQ(result.compared[0].trials, 3u);
  // No size fits here.
  std::string closed = text("200", "tensor<1x1x50xf32>");
  result = run(closed, closed);
  EXPECT_FALSE(result.isComplete());
  EXPECT_TRUE(result.compared.empty());
  ASSERT_FALSE(result.notRun.empty());
  EXPECT_TRUE(result.notRun[0].isOutput);
  std::string said;
  llvm::raw_string_ostream out(said);
  result.print(out, /*all=*/true);
  EXPECT_TRUE(llvm::StringRef(said).starts_with(
      "output 'y' was not compared: it depends on AveragePool 'y': "))
      << said;
  EXPECT_EQ(said.find("0 of 0"), std::string::npos) << said;
}

// Floats were in [-1, 1]: each of these was equal to the other.
TEST_F(VerifyTest, NumbersBeyondTheUsualOnes) {
  std::string same = R"mlir(
    %y = onnx.Identity(%x) <{outputs = ["y"]}> : (tensor<?x3xf32>) -> tensor<?x3xf32>
  )mlir";
  std::string clipped = R"mlir(
    %a = onnx.Constant dense<-2.0> : tensor<f32>
    %b = onnx.Constant dense<2.0> : tensor<f32>
    %y = onnx.Clip(%x, %a, %b) <{outputs = ["y"]}>
      : (tensor<?x3xf32>, tensor<f32>, tensor<f32>) -> tensor<?x3xf32>
  )mlir";
  std::string added = R"mlir(
    %a = onnx.Constant dense<0.0> : tensor<f32>
    %y = onnx.Add(%x, %a) <{outputs = ["y"]}>
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
  )mlir";
  for (const std::string &other : {clipped, added}) {
    EXPECT_FALSE(run(graph(same), graph(other)).isEqual()) << other;
    EXPECT_FALSE(run(graph(other), graph(same)).isEqual()) << other;
    EXPECT_TRUE(run(graph(other), graph(other)).isEqual()) << other;
  }
}

// sin(1000 x) moves by 6e-5 if x does by one unit in the last place, and so it
// does after a rewrite of the factor: more than 1e-5 of its largest value.
TEST_F(VerifyTest, TheBoundIsWhatTheOriginalMovesBy) {
  auto text = [](const char *first, const char *second) {
    return graph(std::string("%a = onnx.Constant dense<") + first +
                 "> : tensor<f32>\n%b = onnx.Constant dense<" + second +
                 R"mlir(> : tensor<f32>
    %p = onnx.Mul(%x, %a) <{outputs = ["p"]}>
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
    %q = onnx.Mul(%p, %b) <{outputs = ["q"]}>
      : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
    %y = onnx.Sin(%q) <{outputs = ["y"]}>
      : (tensor<?x3xf32>) -> tensor<?x3xf32>
  )mlir");
  };
  VerifyOptions options;
  options.exact = false;
  VerifyResult result =
      run(text("0.1", "10000.0"), text("1.0", "1000.0"), options);
  EXPECT_TRUE(result.isEqual());
  ASSERT_EQ(result.compared.size(), 1u);
  ASSERT_TRUE(result.compared[0].moved && result.compared[0].apart);
  EXPECT_GT(*result.compared[0].moved, 1e-5);
  EXPECT_GT(*result.compared[0].apart, 0);
  EXPECT_FALSE(
      run(text("0.1", "10000.0"), text("1.0", "1000.5"), options).isEqual());
}
