//===- ValueNamesTest.cpp - Which names of values can be seen where -------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/ValueNames.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/tests/onnx/transforms/RewriteTest.h"

using namespace onnxfold;
using namespace mlir;

namespace {

using ValueNamesTest = RewriteTest;

TEST_F(ValueNamesTest, ANameIsUniqueUntilAnotherValueHasIt) {
  auto module = parse(unary("a", "Abs", "x") + unary("y", "Neg", "a"));
  llvm::DenseSet<Operation *> replaced;
  ValueNames names([&](Operation *op) { return replaced.contains(op); });
  Operation *abs = find(*module, "a"), *neg = find(*module, "y");
  Region *graph = abs->getParentRegion();
  EXPECT_TRUE(names.isUnique("a", graph));
  EXPECT_TRUE(names.isUnique("", graph)); // has none
  OpBuilder builder(neg);
  Operation *again = builder.clone(*abs);
  names.note(again);
  EXPECT_FALSE(names.isUnique("a", graph));
  again->erase();
  names.clear();
  EXPECT_TRUE(names.isUnique("a", graph));
  // What is replaced gives its name to the next one.
  replaced.insert(abs);
  again = builder.clone(*abs);
  names.note(again);
  EXPECT_TRUE(names.isUnique("a", graph));
}

TEST_F(ValueNamesTest, InOneGraphAllNamesAreVisible) {
  auto module = parse(unary("a", "Abs", "x") + unary("y", "Neg", "a"));
  ValueNames names([](Operation *) { return false; });
  Operation *neg = find(*module, "y");
  EXPECT_TRUE(names.isVisible("a", neg->getParentRegion(), neg));
  // Seen from outside, a graph hides the names that it has itself.
  EXPECT_FALSE(names.isVisible("a", nullptr, neg));
}

} // namespace
