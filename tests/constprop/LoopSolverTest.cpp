//===- LoopSolverTest.cpp - How often a loop's body is walked -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The body is a C++ function: what holds in it is LoopInvariantsTest's affair.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/internal/LoopSolver.h"
#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class LoopSolverTest : public ConstpropTest {
protected:
  LoopSolverTest() {
    parse(R"mlir(func.func @f(%x: i64) {
      %r = "t.loop"(%x) ({
      ^bb0(%a: i64):
        "t.yield"(%a) : (i64) -> ()
      }) {id = "loop"} : (i64) -> i64
      return
    })mlir");
    op = find("loop");
    loop.body = &op->getRegion(0);
  }

  ValueState number(int64_t n) {
    ValueState state;
    state.type = DataType::Int64;
    state.shape.emplace();
    state.value = Elements::splat<int64_t>({}, n);
    return state;
  }

  /// Each walk gives what `next` makes of the argument; notes the walks: 't'
  /// for a trial, 'f' for the final one.
  const LoopInvariants &
  solve(llvm::function_ref<ValueState(const ValueState &)> next,
        bool isTrial = false) {
    return loops.solve(
        loop, isTrial, exprs, [] { return std::vector<ValueState>(1); },
        [&](const LoopInvariants &invariants, bool trial) {
          walks += trial ? 't' : 'f';
          given = next(invariants.argument(0));
          return LoopSolver::Given{&given};
        });
  }

  static ValueState same(const ValueState &state) { return state; }

  Operation *op;
  BodyLoop loop;
  DimExprs exprs;
  LoopSolver loops;
  ValueState given;
  std::string walks;
};

} // namespace

TEST_F(LoopSolverTest, invariantsTakeOneTrial) {
  loop.arguments.push_back({number(5), 0});
  const LoopInvariants &invariants = solve(same);
  EXPECT_EQ(walks, "tf");
  ASSERT_TRUE(invariants.argument(0).isConstant());
  EXPECT_EQ(invariants.last[0].value.ints()[0], 5);
  EXPECT_FALSE(loops.isOpen(op));
  EXPECT_EQ(loops.find(op), &invariants);
}

TEST_F(LoopSolverTest, whatChangesIsUnknownInTheFinalWalk) {
  loop.arguments.push_back({number(5), 0});
  const LoopInvariants &invariants = solve([&](const ValueState &state) {
    return state.isConstant() ? number(state.value.ints()[0] + 1) : state;
  });
  EXPECT_EQ(walks, "ttf");
  EXPECT_FALSE(invariants.argument(0).isConstant());
  EXPECT_TRUE(loops.isOpen(op));
  EXPECT_TRUE(loops.anyOpen());
}

TEST_F(LoopSolverTest, withoutCarriedValuesThereIsNoTrial) {
  loop.arguments.push_back({number(5), std::nullopt});
  solve(same);
  EXPECT_EQ(walks, "f");
}

TEST_F(LoopSolverTest, inATrialThereIsNoFinalWalk) {
  loop.arguments.push_back({number(5), 0});
  solve(same, /*isTrial=*/true);
  EXPECT_EQ(walks.find('f'), std::string::npos) << walks;
}

/// It is settled: the walk for good needs no further trial.
TEST_F(LoopSolverTest, whatAnOuterTrialFoundIsRemembered) {
  loop.arguments.push_back({number(5), 0});
  solve(same, /*isTrial=*/true);
  walks.clear();
  solve(same);
  EXPECT_EQ(walks, "f");
  loops.clear();
  walks.clear();
  solve(same);
  EXPECT_EQ(walks, "tf");
}

TEST_F(LoopSolverTest, forgotten) {
  loop.arguments.push_back({number(5), 0});
  solve(same);
  loops.forget(op);
  EXPECT_TRUE(loops.empty());
  EXPECT_FALSE(loops.find(op));
}
