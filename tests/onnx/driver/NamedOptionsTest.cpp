//===- NamedOptionsTest.cpp - Options by their names ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/driver/NamedOptions.h"
#include "gtest/gtest.h"

using namespace onnxfold;

namespace {

std::string set(FoldOptions &options, llvm::StringRef name,
                llvm::StringRef value) {
  return llvm::toString(setOption(options, name, value));
}

// The C ABI accepted these, and the run failed much later.
TEST(NamedOptionsTest, ChecksAValueAtOnce) {
  FoldOptions options;
  EXPECT_EQ(set(options, "disable", "nosuch"),
            "'disable' is 'nosuch', expected a name of 'list-patterns'");
  for (llvm::StringRef name : {"only", "skip", "keep-initializer", "run-once"})
    EXPECT_TRUE(llvm::StringRef(set(options = FoldOptions(), name, "["))
                    .starts_with(("'" + name + "' is '['").str()));
  options = FoldOptions();
  for (llvm::StringRef name : {"cache", "schemas", "data-root"})
    EXPECT_TRUE(llvm::StringRef(set(options = FoldOptions(), name, ""))
                    .contains("'', expected a f"))
        << name.str();
  EXPECT_NE(set(options = FoldOptions(), "external-data", "w,align=3"), "");
}

// Names are those of the table of options, with the names of the C ABI.
TEST(NamedOptionsTest, KnowsTheOptionsOfTheTable) {
  FoldOptions options;
  for (llvm::StringRef name : {"max-growth", "level", "dim", "report", "sync"})
    EXPECT_TRUE(isFoldOption(name)) << name.str();
  for (llvm::StringRef name : {"O", "quiet", "output-dir", "help", "runs"})
    EXPECT_FALSE(isFoldOption(name)) << name.str();
  EXPECT_EQ(set(options, "max-growht", "1"),
            "option 'max-growht' is not known, expected one of "
            "docs/reference.md without dashes, such as 'max-growth'");
  EXPECT_EQ(set(options, "report", "nodes"),
            "'report' is 'nodes', expected text or json, then :FILE if wanted, "
            "html:FILE or model-explorer:FILE");
  EXPECT_EQ(set(options, "report", "json"), "");
  EXPECT_EQ(options.report, ReportFormat::Json);
}

TEST(NamedOptionsTest, DataGoToOnePlace) {
  FoldOptions options;
  EXPECT_EQ(set(options, "external-data", "w.bin"), "");
  EXPECT_EQ(set(options, "inline-data", "false"), "");
  EXPECT_EQ(
      set(options, "inline-data", ""),
      "'external-data' and 'inline-data' are given, expected one of them");
}

// Which options exclude each other is a rule of the table, for callers without
// a command line too.
TEST(NamedOptionsTest, RulesOfTheTable) {
  FoldOptions options;
  EXPECT_EQ(set(options, "run-once", "w"), "");
  EXPECT_EQ(llvm::toString(checkOptions(options)), "");
  EXPECT_EQ(set(options, "target-opset", "21"), "");
  EXPECT_EQ(llvm::toString(checkOptions(options)),
            "'run-once' and 'target-opset' are given, expected one of them");
}

TEST(NamedOptionsTest, WhatGoesTogetherIsCheckedByTheRun) {
  FoldOptions options;
  EXPECT_EQ(set(options, "once-output", "o.onnx"), "");
  EXPECT_EQ(set(options, "only", "op:A*"), "");
  EXPECT_EQ(set(options, "unroll", "4"), "");
  EXPECT_EQ(set(options, "level", "0"), "");
  EXPECT_NE(llvm::toString(checkOptions(options)), "");
}

} // namespace
