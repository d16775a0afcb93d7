//===- NamedOptionsTest.cpp - Options by their names ----------------------===//

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
            "--disable is 'nosuch', expected a name of --list-patterns");
  for (llvm::StringRef name : {"only", "skip", "keep-initializer", "run-once"})
    EXPECT_TRUE(llvm::StringRef(set(options = FoldOptions(), name, "["))
                    .starts_with(("--" + name + " is '['").str()));
  options = FoldOptions();
  for (llvm::StringRef name : {"cache", "schemas", "data-root"})
    EXPECT_TRUE(llvm::StringRef(set(options = FoldOptions(), name, ""))
                    .contains("'', expected a f"))
        << name.str();
  EXPECT_NE(set(options = FoldOptions(), "external-data", "w,align=3"), "");
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
