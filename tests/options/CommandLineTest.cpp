//===- CommandLineTest.cpp - Command lines by the table of options --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/options/CommandLine.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace onnxfold;
using llvm::StringRef;

namespace {

struct Line {
  explicit Line(ProgramId program, std::vector<const char *> words)
      : words(std::move(words)),
        line(program, int(this->words.size()), this->words.data()) {}

  std::string error(StringRef several = "") const {
    return llvm::toString(line.check(several));
  }

  std::vector<const char *> words;
  CommandLine line;
};

Line fold(std::vector<const char *> words) {
  words.insert(words.begin(), "onnx-fold");
  return Line(ProgramId::OnnxFold, std::move(words));
}

TEST(CommandLineTest, SpellingsOfAValue) {
  for (auto words : {std::vector{"--max-growth=1M", "m"},
                     std::vector{"m", "--max-growth", "1M"},
                     std::vector{"-max-growth", "1M", "m"}}) {
    Line given = fold(words);
    EXPECT_EQ(given.error(), "");
    EXPECT_EQ(given.line.value(OPT_max_growth), "1M");
    EXPECT_EQ(given.line.input(), "m");
  }
  EXPECT_EQ(fold({"-o=a", "m"}).line.value(OPT_output), "a");
  EXPECT_TRUE(StringRef(fold({"-oa", "m"}).error()).contains("'-oa'"));
  // A value that is left out is not the next word.
  Line verify = fold({"--verify", "m"});
  EXPECT_TRUE(verify.line.has(OPT_verify));
  EXPECT_EQ(verify.line.value(OPT_verify), "");
  EXPECT_EQ(verify.line.inputs().size(), 1u);
}

TEST(CommandLineTest, WordsAfterTwoDashesAreInputs) {
  Line given = fold({"--quiet", "--", "-O2", "--nonsense"});
  EXPECT_EQ(given.error(), "");
  EXPECT_EQ(given.line.inputs().size(), 2u);
  EXPECT_FALSE(given.line.has(OPT_level));
}

TEST(CommandLineTest, OnlyTheFirstWordIsASubcommand) {
  EXPECT_EQ(fold({"m"}).line.subcommand(), "fold");
  EXPECT_EQ(fold({"--quiet", "diff", "a", "b"}).line.subcommand(), "diff");
  Line given = fold({"model.onnx", "diff"});
  EXPECT_EQ(given.line.subcommand(), "fold");
  EXPECT_EQ(given.line.inputs().size(), 2u);
  EXPECT_EQ(fold({"./diff"}).line.subcommand(), "fold");
  EXPECT_EQ(Line(ProgramId::OnnxRun, {"onnx-run", "diff"}).line.input(),
            "diff");
}

TEST(CommandLineTest, AnOptionOfAnotherProgramIsNotKnown) {
  Line given(ProgramId::OnnxToDml, {"onnx-to-dml", "--unroll=2", "m"});
  EXPECT_EQ(given.error(), "'--unroll=2' is not known, expected an option (see "
                           "onnx-to-dml --help)");
  EXPECT_EQ(Line(ProgramId::OnnxToDml, {"onnx-to-dml", "--dim=n:2"}).error(),
            "");
}

TEST(CommandLineTest, AnErrorHasFields) {
  llvm::Error error = fold({"--precision=half", "m"}).line.check();
  llvm::handleAllErrors(std::move(error), [](const OptionError &wrong) {
    EXPECT_EQ(wrong.option, "--precision");
    EXPECT_EQ(wrong.has, "'half'");
    EXPECT_EQ(wrong.expected, "exact or wide");
  });
}

TEST(CommandLineTest, RulesOfTheTable) {
  EXPECT_EQ(fold({"--in-place", "-o", "a", "m"}).error(),
            "--in-place and -o are given, expected one of them (see onnx-fold "
            "--help)");
  EXPECT_EQ(fold({"--unroll=2", "-O0", "m"}).error(),
            "--unroll is given with -O0, expected -O1 or -O2 (see onnx-fold "
            "--help)");
  EXPECT_EQ(fold({"--unroll=2", "-O1", "m"}).error(), "");
  EXPECT_EQ(fold({"--once-output=a", "m"}).error(),
            "--once-output is given without --run-once, expected both (see "
            "onnx-fold --help)");
  EXPECT_EQ(fold({"--once-output=a", "--run-once", "m"}).error(), "");
  EXPECT_EQ(fold({"-o", "a", "m"}).error("several models"),
            "several models and -o are given, expected one model, or "
            "--output-dir (see onnx-fold --help)");
  EXPECT_EQ(fold({"--batch-memory=1", "m"}).error(),
            "--batch-memory is given with one model, expected several (see "
            "onnx-fold --help)");
}

TEST(CommandLineTest, RepeatedOptions) {
  EXPECT_EQ(fold({"--only=a", "--only=b", "m"}).line.values(OPT_only),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(fold({"--unroll=2", "--unroll", "2", "m"}).error(), "");
  EXPECT_NE(fold({"--unroll=2", "--unroll", "3", "m"}).error(), "");
}

TEST(CommandLineTest, WithoutSomeOptions) {
  Line given = fold({"--report=json", "m", "--quiet", "--max-growth", "1M",
                     "--fold-quantization", "-O2", "-o", "out"});
  EXPECT_EQ(
      given.line.without({OPT_report_option, OPT_quiet}),
      (std::vector<std::string>{"m", "--max-growth", "1M",
                                "--fold-quantization", "-O2", "-o", "out"}));
}

TEST(CommandLineTest, Numbers) {
  unsigned runs = 1;
  Line given(ProgramId::OnnxRun, {"onnx-run", "--runs=0", "m"});
  EXPECT_EQ(llvm::toString(given.line.readNumber(OPT_runs, runs, 1u, 9u)),
            "--runs is '0', expected a number from 1 to 9 (see onnx-run "
            "--help)");
  Line none(ProgramId::OnnxRun, {"onnx-run", "m"});
  EXPECT_EQ(llvm::toString(none.line.readNumber(OPT_runs, runs, 1u, 9u)), "");
  EXPECT_EQ(runs, 1u);
}

} // namespace
