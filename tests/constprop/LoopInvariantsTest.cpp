//===- LoopInvariantsTest.cpp - What holds in every iteration -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/LoopInvariants.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "gtest/gtest.h"

using namespace onnxfold;

namespace {

/// A loop whose body is a C++ function from arguments to what it gives.
class LoopInvariantsTest : public ::testing::Test {
protected:
  using Body =
      std::function<std::vector<ValueState>(const std::vector<ValueState> &)>;

  static ValueState tensor(std::initializer_list<DimExpr> sizes) {
    ValueState state;
    state.type = DataType::Float32;
    state.shape.emplace(sizes);
    return state;
  }
  ValueState integers(const std::vector<DimExpr> &elements) {
    ValueState state;
    state.type = DataType::Int64;
    state.shape.emplace(1, exprs.constant(elements.size()));
    auto value = Elements::fromValues<DimExpr>(
        {int64_t(elements.size())}, llvm::ArrayRef<DimExpr>(elements));
    state.value = resolveSymbols(value, state.type, exprs);
    return state;
  }
  ValueState integers(std::initializer_list<int64_t> elements) {
    std::vector<DimExpr> list;
    for (int64_t element : elements)
      list.push_back(exprs.constant(element));
    return integers(list);
  }
  DimExpr element(const ValueState &state, int64_t i) {
    return asSymbols(state.value, exprs).value<DimExpr>(i);
  }
  DimExpr elementOrNew(const ValueState &state) {
    return state.value ? element(state, 0) : exprs.fresh();
  }
  DimExpr plus(DimExpr a, int64_t b) { return exprs.add(a, exprs.constant(b)); }

  /// Arguments in all iterations; returns what is known afterwards.
  std::vector<ValueState> run(const std::vector<ValueState> &first,
                              const Body &body, bool runs = false) {
    loop = BodyLoop();
    loop.runs = runs;
    for (const ValueState &state : first)
      loop.arguments.push_back({state, unsigned(loop.arguments.size())});
    return walk(body);
  }
  std::vector<ValueState> walk(const Body &body) {
    std::vector<ValueState> given;
    std::vector<const ValueState *> pointers;
    do {
      invariants.begin(loop, std::vector<ValueState>(loop.arguments.size()),
                       exprs);
      arguments.clear();
      for (size_t i = 0; i < loop.arguments.size(); ++i)
        arguments.push_back(invariants.argument(i));
      given = body(arguments);
      pointers.clear();
      for (const ValueState &state : given)
        pointers.push_back(&state);
    } while (!invariants.check(pointers));
    std::vector<ValueState> after;
    for (size_t k = 0; k < given.size(); ++k)
      after.push_back(invariants.after(k, pointers));
    return after;
  }

  DimExprs exprs;
  DimExpr n = exprs.named("n"), four = exprs.constant(4);
  BodyLoop loop;
  LoopInvariants invariants;
  std::vector<ValueState> arguments; // of the last walk
};

TEST_F(LoopInvariantsTest, whatIsGivenBackHolds) {
  auto after =
      run({tensor({n, four})}, [](auto &arguments) { return arguments; });
  EXPECT_EQ(arguments[0].shape, tensor({n, four}).shape);
  EXPECT_EQ(after[0].shape, tensor({n, four}).shape);
  EXPECT_EQ(after[0].type, DataType::Float32);
  EXPECT_FALSE(invariants.isOpen(loop));
  EXPECT_EQ(invariants.walks, 1u);
}

TEST_F(LoopInvariantsTest, whatChangesIsNotKnownInTheBodyNorAfter) {
  auto after = run({tensor({n, four})}, [&](auto &arguments) {
    const auto &shape = *arguments[0].shape;
    return std::vector<ValueState>{tensor({plus(shape[0], 1), shape[1]})};
  });
  EXPECT_EQ((*arguments[0].shape)[1], four);
  EXPECT_FALSE((*arguments[0].shape)[0] == n);
  EXPECT_EQ((*after[0].shape)[1], four);
  EXPECT_FALSE((*after[0].shape)[0] == n);
  EXPECT_FALSE((*after[0].shape)[0] == plus(n, 1));
  // What is unknown in one iteration is not what is unknown after the last.
  EXPECT_FALSE((*after[0].shape)[0] == (*arguments[0].shape)[0]);
  EXPECT_TRUE(invariants.isOpen(loop));
}

TEST_F(LoopInvariantsTest, oneChangeBringsAnother) {
  // a = b, b = c, c grows: a keeps its size for two iterations.
  auto after =
      run({tensor({n}), tensor({n}), tensor({n})}, [&](auto &arguments) {
        return std::vector<ValueState>{
            arguments[1], arguments[2],
            tensor({plus((*arguments[2].shape)[0], 1)})};
      });
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE((*arguments[i].shape)[0] == n) << i;
    for (int j = 0; j < i; ++j)
      EXPECT_FALSE((*after[i].shape)[0] == (*after[j].shape)[0]) << i << j;
  }
}

TEST_F(LoopInvariantsTest, whatChangesAlikeIsOneUnknown) {
  auto grown = [&](const ValueState &state, int64_t by) {
    return tensor({plus((*state.shape)[0], by)});
  };
  auto after = run(
      {tensor({n}), tensor({n}), tensor({n}), tensor({four})}, [&](auto &a) {
        return std::vector<ValueState>{grown(a[0], 1), grown(a[1], 1),
                                       grown(a[2], 2), grown(a[3], 1)};
      });
  auto size = [](const ValueState &state) { return (*state.shape)[0]; };
  EXPECT_EQ(size(arguments[0]), size(arguments[1]));
  EXPECT_EQ(size(after[0]), size(after[1]));
  EXPECT_FALSE(size(arguments[0]) == size(arguments[2])); // grows faster
  EXPECT_FALSE(size(arguments[0]) == size(arguments[3])); // began otherwise
  EXPECT_FALSE(size(after[0]) == size(after[2]));
  EXPECT_FALSE(size(after[0]) == size(after[3]));
}

TEST_F(LoopInvariantsTest, ranksAndTypes) {
  ValueState doubles = tensor({n, four});
  doubles.type = DataType::Float64;
  auto after = run({tensor({n}), tensor({n, four})}, [&](auto &) {
    return std::vector<ValueState>{tensor({n, n}), doubles};
  });
  EXPECT_FALSE(arguments[0].shape);
  EXPECT_FALSE(after[0].shape);
  EXPECT_EQ(arguments[1].type, DataType::Undefined);
  EXPECT_EQ(after[1].type, DataType::Undefined);
  EXPECT_EQ(arguments[1].shape, tensor({n, four}).shape);
}

TEST_F(LoopInvariantsTest, whatTheLastIterationGivesWhereThereIsOne) {
  for (bool runs : {false, true}) {
    invariants = LoopInvariants();
    auto after = run(
        {tensor({n, four}), tensor({four})},
        [&](auto &) {
          return std::vector<ValueState>{tensor({exprs.constant(8), four}),
                                         tensor({n, n, n})};
        },
        runs);
    DimExpr size = (*after[0].shape)[0];
    EXPECT_EQ(exprs.valueOf(size), runs ? std::optional(8) : std::nullopt);
    EXPECT_FALSE(size == n);
    EXPECT_EQ((*after[0].shape)[1], four);
    EXPECT_EQ(after[1].shape.has_value(), runs);
  }
}

TEST_F(LoopInvariantsTest, sizesOfOneIterationDoNotLeaveTheLoop) {
  DimExpr inside{};
  auto after = run(
      {tensor({n})},
      [&](auto &arguments) {
        inside = exprs.freshDimension();
        return std::vector<ValueState>{arguments[0], tensor({inside, n})};
      },
      /*runs=*/true);
  EXPECT_FALSE((*after[1].shape)[0] == inside);
  EXPECT_EQ((*after[1].shape)[1], n);
}

TEST_F(LoopInvariantsTest, elementsThatStayAndOnesThatChange) {
  auto after = run({integers({7, 8}), integers({n, four}), integers({7})},
                   [&](auto &arguments) {
                     return std::vector<ValueState>{
                         integers({7, 8}), arguments[1],
                         integers({plus(elementOrNew(arguments[2]), 1)})};
                   });
  EXPECT_TRUE(after[0].isConstant());
  EXPECT_EQ(after[0].value.ints()[1], 8);
  EXPECT_TRUE(arguments[0].isConstant());
  EXPECT_EQ(element(after[1], 0), n);
  EXPECT_EQ(element(after[1], 1), four);
  // A sum that nobody knows might wrap.
  EXPECT_FALSE(arguments[2].value);
  EXPECT_FALSE(after[2].value);
}

TEST_F(LoopInvariantsTest, countersOfSizes) {
  auto after = run({tensor({four}), integers({4, 9})}, [&](auto &arguments) {
    DimExpr size = (*arguments[0].shape)[0];
    DimExpr second = elementOrNew(arguments[1]);
    return std::vector<ValueState>{
        tensor({plus(size, 1)}),
        integers({plus(second, 1), exprs.constant(9)})};
  });
  EXPECT_EQ(element(arguments[1], 0), (*arguments[0].shape)[0]);
  EXPECT_EQ(element(after[1], 0), (*after[0].shape)[0]);
  EXPECT_EQ(exprs.valueOf(element(after[1], 1)), 9);
  EXPECT_FALSE(exprs.valueOf(element(after[1], 0)));
}

TEST_F(LoopInvariantsTest, aValueThatIsNotGivenBackIsDropped) {
  auto after = run({integers({1}), integers({1})}, [&](auto &) {
    ValueState unknown = integers({1});
    unknown.value = {};
    return std::vector<ValueState>{unknown, integers({2})};
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(arguments[i].value);
    EXPECT_FALSE(after[i].value);
  }
}

TEST_F(LoopInvariantsTest, declaredSizesAreTaken) {
  loop.arguments.push_back({tensor({exprs.freshDimension(), four}), 0u});
  ValueState declared = tensor({exprs.constant(5), exprs.freshDimension()});
  invariants.begin(loop, {declared}, exprs);
  EXPECT_EQ(exprs.valueOf((*invariants.argument(0).shape)[0]), 5);
  EXPECT_EQ((*invariants.argument(0).shape)[1], four);
  ValueState given = tensor({exprs.freshDimension(), four});
  EXPECT_TRUE(invariants.check({&given}));
  EXPECT_FALSE(invariants.isDeclaredWrong(0));
  ValueState after = invariants.after(0, {&given});
  EXPECT_FALSE(exprs.valueOf((*after.shape)[0]));
  EXPECT_EQ((*after.shape)[1], four);
}

TEST_F(LoopInvariantsTest, aNamedDimensionMayBeAnyNumber) {
  loop.arguments.push_back({tensor({n, four}), 0u});
  invariants.begin(loop, {tensor({exprs.constant(5), four})}, exprs);
  EXPECT_TRUE(invariants.isDeclaredWrong(0));
  EXPECT_FALSE(exprs.valueOf((*invariants.argument(0).shape)[0]));
}

/// Exporters write down the sizes of the first iteration, and runtimes do not
/// look: sizes of later ones were folded to them.
TEST_F(LoopInvariantsTest, declaredSizesThatAreWrongAreNotTaken) {
  DimExpr five = exprs.constant(5);
  loop.arguments.push_back({tensor({five, four}), 0u});
  ValueState declared = tensor({five, exprs.freshDimension()});
  ValueState given = tensor({exprs.constant(6), four});
  invariants.begin(loop, {declared}, exprs);
  EXPECT_EQ((*invariants.argument(0).shape)[0], five);
  EXPECT_FALSE(invariants.check({&given}));
  do
    invariants.begin(loop, {declared}, exprs);
  while (!invariants.check({&given}));
  EXPECT_FALSE(exprs.valueOf((*invariants.argument(0).shape)[0]));
  EXPECT_EQ((*invariants.argument(0).shape)[1], four);
  EXPECT_TRUE(invariants.isDeclaredWrong(0));
  // Wrong from the beginning, in a size and in the rank.
  for (const ValueState &wrong :
       {tensor({exprs.constant(7), four}), tensor({five})}) {
    invariants = LoopInvariants();
    ValueState same = tensor({five, four});
    invariants.begin(loop, {wrong}, exprs);
    EXPECT_EQ(invariants.argument(0).shape, same.shape);
    EXPECT_TRUE(invariants.check({&same}));
    EXPECT_TRUE(invariants.isDeclaredWrong(0));
  }
}

TEST_F(LoopInvariantsTest, whatDoesNotGoRound) {
  loop.arguments.push_back({tensor({n, four}), std::nullopt});
  loop.arguments.push_back({tensor({n, exprs.freshDimension()}), std::nullopt});
  ValueState declared = tensor({exprs.freshDimension(), exprs.constant(3)});
  invariants.begin(loop, {declared, declared}, exprs);
  EXPECT_EQ((*invariants.argument(0).shape)[0], n);
  EXPECT_EQ((*invariants.argument(0).shape)[1], four); // not what is declared
  EXPECT_EQ(exprs.valueOf((*invariants.argument(1).shape)[1]), 3);
  EXPECT_TRUE(invariants.check({}));
}

/// Less is known than in the walks before of what is around the loop: sizes
/// that changed together because both were 4 at first begin with two unknowns.
TEST_F(LoopInvariantsTest, beginsAgainWithLess) {
  Body grow = [&](auto &arguments) {
    return std::vector<ValueState>{tensor({plus((*arguments[0].shape)[0], 1)}),
                                   tensor({plus((*arguments[1].shape)[0], 1)})};
  };
  auto after = run({tensor({four}), tensor({four})}, grow);
  EXPECT_EQ((*after[0].shape)[0], (*after[1].shape)[0]);
  unsigned before = invariants.walks;
  after = run({tensor({n}), tensor({exprs.named("m")})}, grow);
  EXPECT_FALSE((*after[0].shape)[0] == (*after[1].shape)[0]);
  EXPECT_EQ(invariants.walks, before + 1);
}

/// Ten thousand values hand on a change: all is given up before each has moved.
TEST_F(LoopInvariantsTest, endsSoon) {
  constexpr int count = 10'000;
  std::vector<ValueState> first(count, tensor({n}));
  for (int i = 0; i < count; ++i)
    first[i] = tensor({n, exprs.constant(i)});
  auto after = run(first, [&](auto &arguments) {
    std::vector<ValueState> given;
    given.reserve(count);
    for (int i = 0; i < count; ++i)
      given.push_back(tensor({i + 1 < count && arguments[i + 1].shape
                                  ? (*arguments[i + 1].shape)[0]
                                  : exprs.freshDimension(),
                              exprs.constant(i)}));
    return given;
  });
  EXPECT_LE(invariants.walks, 30u);
  EXPECT_FALSE((*after[0].shape)[0] == n);
}

} // namespace
