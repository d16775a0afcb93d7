//===- PatternIndexTest.cpp - Patterns by the name of their operator ------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/cleanup/CleanUp.h"
#include "onnxfold/onnx/transforms/patterns/Patterns.h"
#include "onnxfold/tests/onnx/transforms/RewriteTest.h"

using namespace onnxfold;
using namespace mlir;

namespace {

Value matchNothing(const CleanUpContext &) { return {}; }

struct PatternIndexTest : RewriteTest {
  PatternIndexTest() {
    module = parse(unary("a", "Abs", "x") + unary("b", "Neg", "a") +
                   unary("y", "Exp", "b"));
  }

  std::string found(StringRef node) {
    std::string names;
    for (const CleanUpPattern *pattern :
         index.find(Operator::from(find(*module, node))))
      names += (pattern->name + " ").str();
    return names;
  }

  OwningOpRef<ModuleOp> module;
  PatternIndex index;
};

/// In the order in which they were added, those for any operator too.
TEST_F(PatternIndexTest, FindsThoseOfTheOperatorInOrder) {
  CleanUpPattern one{"one", "", "Neg Exp", matchNothing};
  CleanUpPattern any{"any", "", "", matchNothing};
  CleanUpPattern two{"two", "", "Exp", matchNothing};
  CleanUpPattern three{"three", "", "Abs", matchNothing};
  for (const CleanUpPattern *pattern : {&one, &any, &two, &three})
    index.add(*pattern);
  EXPECT_EQ(found("a"), "any three ");
  EXPECT_EQ(found("b"), "one any ");
  EXPECT_EQ(found("y"), "one any two ");
  CleanUpPattern last{"last", "", "Neg", matchNothing};
  index.add(last);
  EXPECT_EQ(found("b"), "one any last ");
}

/// A name in CleanUps.def that no operator has would never match.
TEST_F(PatternIndexTest, AllRootsAreOperators) {
  for (const CleanUpPattern &pattern : cleanUpPatterns()) {
    SmallVector<StringRef> roots;
    pattern.roots.split(roots, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef root : roots)
      EXPECT_TRUE(
          RegisteredOperationName::lookup(("onnx." + root).str(), &context))
          << pattern.name.str() << ": " << root.str();
  }
}

/// One table: no pattern is missing in it, and no name is there twice.
TEST_F(PatternIndexTest, TheTableNamesAllOnce) {
  llvm::StringSet<> names;
  for (const CleanUpInfo &info : cleanUps())
    EXPECT_TRUE(names.insert(info.name).second) << info.name.str();
  for (const CleanUpPattern &pattern : cleanUpPatterns())
    EXPECT_TRUE(isCleanUp(pattern.name)) << pattern.name.str();
  EXPECT_EQ(cleanUps().size(), cleanUpPatterns().size() + 12);
  EXPECT_FALSE(isCleanUp("unroll")); // only where it is asked for
}

} // namespace
