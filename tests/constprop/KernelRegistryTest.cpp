//===- KernelRegistryTest.cpp - Who folds which operator ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/KernelRegistry.h"
#include "gtest/gtest.h"

using namespace onnxfold;

static FoldResult one(FoldContext &) { return Elements(); }
static FoldResult two(FoldContext &) { return Elements(); }

TEST(KernelRegistry, exactVersionsOnly) {
  KernelRegistry registry("d");
  registry.add("Op", {1, 6}, one);
  registry.add("Op", {13}, two);
  ASSERT_TRUE(registry.lookup("d.Op", 1));
  EXPECT_EQ((*registry.lookup("d.Op", 6))->function, &one);
  EXPECT_EQ((*registry.lookup("d.Op", 13))->function, &two);
  EXPECT_EQ(registry.lookup("d.Op", 13).reason().code, ReasonCode::None);
  for (int version : {0, 2, 7, 14, -1}) {
    ReasonOr<const Kernel *> kernel = registry.lookup("d.Op", version);
    EXPECT_FALSE(kernel);
    EXPECT_EQ(kernel.reason().code, ReasonCode::UnknownVersion);
  }
  EXPECT_EQ(registry.lookup("d.Op", -1).reason().text,
            "no kernel for version -1 of d.Op");
}

TEST(KernelRegistry, namesCarryTheDialect) {
  KernelRegistry registry("d");
  registry.add("Op", {1}, one);
  for (llvm::StringRef name : {"Op", "e.Op", "d.op", "d.", ""}) {
    ReasonOr<const Kernel *> kernel = registry.lookup(name, 1);
    EXPECT_FALSE(kernel);
    EXPECT_EQ(kernel.reason().code, ReasonCode::NoKernel);
    EXPECT_EQ(kernel.reason().text, "no kernel for " + name.str());
  }
}

TEST(KernelRegistry, entriesAreSorted) {
  KernelRegistry registry("d");
  registry.add("B", {7, 1}, one);
  registry.add("A", {2}, one);
  registry.add("B", {3}, two);
  std::vector<std::pair<std::string, int>> expected = {
      {"d.A", 2}, {"d.B", 1}, {"d.B", 3}, {"d.B", 7}};
  EXPECT_EQ(registry.entries(), expected);
}

/// Registering 190 operators touched the code of all of them: 8 MB of the
/// program were read for a model of one node.
TEST(KernelRegistry, lazyOnesAreAddedWhenAskedFor) {
  static int calls;
  calls = 0;
  auto addOp = [](KernelRegistry &registry) {
    ++calls;
    registry.add("Op", {1, 6}, one);
    registry.add("Op", {13}, two);
  };
  KernelRegistry registry("d");
  registry.add("A", {2}, one);
  registry.addLazily("Op", addOp);
  EXPECT_TRUE(registry.lookup("d.A", 2));
  EXPECT_FALSE(registry.lookup("d.Other", 2));
  EXPECT_EQ(calls, 0);
  EXPECT_EQ((*registry.lookup("d.Op", 6))->function, &one);
  EXPECT_EQ((*registry.lookup("d.Op", 13))->function, &two);
  EXPECT_EQ(registry.lookup("d.Op", 2).reason().code,
            ReasonCode::UnknownVersion);
  EXPECT_EQ(calls, 1);
  std::vector<std::pair<std::string, int>> expected = {
      {"d.A", 2}, {"d.Op", 1}, {"d.Op", 6}, {"d.Op", 13}};
  EXPECT_EQ(registry.entries(), expected);
}

TEST(KernelRegistry, masksOfInputs) {
  KernelRegistry registry("d");
  Kernel &kernel = registry.add("A", {1}, one).ignoresValue(1).movesSymbols(0);
  EXPECT_FALSE(Kernel::has(kernel.ignored, 0));
  EXPECT_TRUE(Kernel::has(kernel.ignored, 1));
  EXPECT_TRUE(Kernel::has(kernel.symbolic, 0));
  EXPECT_FALSE(Kernel::has(kernel.symbolic, 1));
  // Bit 31 stands for all that follow.
  EXPECT_FALSE(Kernel::has(kernel.symbolic, 1000));
  kernel.movesSymbols();
  EXPECT_TRUE(Kernel::has(kernel.symbolic, 1000));
}

TEST(ReasonCode, namesAreStableAndDistinct) {
  // Programs read them in the JSON report: adding is fine, renaming is not.
  std::vector<std::string> names;
  for (int code = 0; code <= int(ReasonCode::Inconsistent); ++code)
    names.push_back(nameOf(ReasonCode(code)).str());
  std::vector<std::string> expected = {
      "none",         "constant",        "input-not-constant",
      "no-kernel",    "unknown-version", "not-deterministic",
      "undefined",    "invalid",         "unsupported-type",
      "result-limit", "memory-limit",    "work-limit",
      "time-limit",   "growth",          "filtered",
      "quantization", "control-flow",    "no-tensor",
      "trip-limit",   "inconsistent"};
  EXPECT_EQ(names, expected);
}
