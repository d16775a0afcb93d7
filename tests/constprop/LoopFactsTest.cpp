//===- LoopFactsTest.cpp - What holds in every iteration of a loop --------===//

#include "onnxfold/constprop/LoopFacts.h"
#include "onnxfold/constprop/SymbolicFold.h"
#include "gtest/gtest.h"

using namespace onnxfold;

namespace {

/// A loop whose body is a C++ function from arguments to what it gives.
class LoopFactsTest : public ::testing::Test {
protected:
  using Body = std::function<std::vector<Fact>(const std::vector<Fact> &)>;

  static Fact tensor(std::initializer_list<SymbolHandle> sizes) {
    Fact fact;
    fact.type = DataType::Float32;
    fact.shape.emplace(sizes);
    return fact;
  }
  Fact integers(std::vector<SymbolHandle> elements) {
    Fact fact;
    fact.type = DataType::Int64;
    fact.shape.emplace(1, symbols.constant(elements.size()));
    auto value = Elements::fromValues<SymbolHandle>(
        {int64_t(elements.size())}, llvm::ArrayRef<SymbolHandle>(elements));
    fact.value = resolveSymbols(value, fact.type, symbols);
    return fact;
  }
  Fact integers(std::initializer_list<int64_t> elements) {
    std::vector<SymbolHandle> list;
    for (int64_t element : elements)
      list.push_back(symbols.constant(element));
    return integers(list);
  }
  SymbolHandle element(const Fact &fact, int64_t i) {
    return asSymbols(fact.value, symbols).value<SymbolHandle>(i);
  }
  SymbolHandle elementOrNew(const Fact &fact) {
    return fact.value ? element(fact, 0) : symbols.fresh();
  }
  SymbolHandle plus(SymbolHandle a, int64_t b) {
    return symbols.add(a, symbols.constant(b));
  }

  /// Arguments in all iterations, by `facts`; returns what is known afterwards.
  std::vector<Fact> run(std::vector<Fact> first, Body body, bool runs = false) {
    loop = BodyLoop();
    loop.runs = runs;
    for (const Fact &fact : first)
      loop.arguments.push_back({fact, unsigned(loop.arguments.size())});
    return walk(std::move(body));
  }
  std::vector<Fact> walk(Body body) {
    std::vector<Fact> given;
    std::vector<const Fact *> pointers;
    do {
      facts.begin(loop, std::vector<Fact>(loop.arguments.size()), symbols);
      arguments.clear();
      for (size_t i = 0; i < loop.arguments.size(); ++i)
        arguments.push_back(facts.argument(i));
      given = body(arguments);
      pointers.clear();
      for (const Fact &fact : given)
        pointers.push_back(&fact);
    } while (!facts.check(pointers));
    std::vector<Fact> after;
    for (size_t k = 0; k < given.size(); ++k)
      after.push_back(facts.after(k, pointers));
    return after;
  }

  Symbols symbols;
  SymbolHandle n = symbols.named("n"), four = symbols.constant(4);
  BodyLoop loop;
  LoopFacts facts;
  std::vector<Fact> arguments; // of the last walk
};

TEST_F(LoopFactsTest, whatIsGivenBackHolds) {
  auto after =
      run({tensor({n, four})}, [](auto &arguments) { return arguments; });
  EXPECT_EQ(arguments[0].shape, tensor({n, four}).shape);
  EXPECT_EQ(after[0].shape, tensor({n, four}).shape);
  EXPECT_EQ(after[0].type, DataType::Float32);
  EXPECT_FALSE(facts.isOpen(loop));
  EXPECT_EQ(facts.walks, 1u);
}

TEST_F(LoopFactsTest, whatChangesIsNotKnownInTheBodyNorAfter) {
  auto after = run({tensor({n, four})}, [&](auto &arguments) {
    const auto &shape = *arguments[0].shape;
    return std::vector<Fact>{tensor({plus(shape[0], 1), shape[1]})};
  });
  EXPECT_EQ((*arguments[0].shape)[1], four);
  EXPECT_FALSE((*arguments[0].shape)[0] == n);
  EXPECT_EQ((*after[0].shape)[1], four);
  EXPECT_FALSE((*after[0].shape)[0] == n);
  EXPECT_FALSE((*after[0].shape)[0] == plus(n, 1));
  // What is unknown in one iteration is not what is unknown after the last.
  EXPECT_FALSE((*after[0].shape)[0] == (*arguments[0].shape)[0]);
  EXPECT_TRUE(facts.isOpen(loop));
}

TEST_F(LoopFactsTest, oneChangeBringsAnother) {
  // a = b, b = c, c grows: a keeps its size for two iterations.
  auto after =
      run({tensor({n}), tensor({n}), tensor({n})}, [&](auto &arguments) {
        return std::vector<Fact>{arguments[1], arguments[2],
                                 tensor({plus((*arguments[2].shape)[0], 1)})};
      });
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE((*arguments[i].shape)[0] == n) << i;
    for (int j = 0; j < i; ++j)
      EXPECT_FALSE((*after[i].shape)[0] == (*after[j].shape)[0]) << i << j;
  }
}

TEST_F(LoopFactsTest, whatChangesAlikeIsOneUnknown) {
  auto grown = [&](const Fact &fact, int64_t by) {
    return tensor({plus((*fact.shape)[0], by)});
  };
  auto after = run({tensor({n}), tensor({n}), tensor({n}), tensor({four})},
                   [&](auto &a) {
                     return std::vector<Fact>{grown(a[0], 1), grown(a[1], 1),
                                              grown(a[2], 2), grown(a[3], 1)};
                   });
  auto size = [](const Fact &fact) { return (*fact.shape)[0]; };
  EXPECT_EQ(size(arguments[0]), size(arguments[1]));
  EXPECT_EQ(size(after[0]), size(after[1]));
  EXPECT_FALSE(size(arguments[0]) == size(arguments[2])); // grows faster
  EXPECT_FALSE(size(arguments[0]) == size(arguments[3])); // began otherwise
  EXPECT_FALSE(size(after[0]) == size(after[2]));
  EXPECT_FALSE(size(after[0]) == size(after[3]));
}

TEST_F(LoopFactsTest, ranksAndTypes) {
  Fact doubles = tensor({n, four});
  doubles.type = DataType::Float64;
  auto after = run({tensor({n}), tensor({n, four})}, [&](auto &) {
    return std::vector<Fact>{tensor({n, n}), doubles};
  });
  EXPECT_FALSE(arguments[0].shape);
  EXPECT_FALSE(after[0].shape);
  EXPECT_EQ(arguments[1].type, DataType::Undefined);
  EXPECT_EQ(after[1].type, DataType::Undefined);
  EXPECT_EQ(arguments[1].shape, tensor({n, four}).shape);
}

TEST_F(LoopFactsTest, whatTheLastIterationGivesWhereThereIsOne) {
  for (bool runs : {false, true}) {
    facts = LoopFacts();
    auto after = run(
        {tensor({n, four}), tensor({four})},
        [&](auto &) {
          return std::vector<Fact>{tensor({symbols.constant(8), four}),
                                   tensor({n, n, n})};
        },
        runs);
    SymbolHandle size = (*after[0].shape)[0];
    EXPECT_EQ(symbols.valueOf(size), runs ? std::optional(8) : std::nullopt);
    EXPECT_FALSE(size == n);
    EXPECT_EQ((*after[0].shape)[1], four);
    EXPECT_EQ(after[1].shape.has_value(), runs);
  }
}

TEST_F(LoopFactsTest, sizesOfOneIterationDoNotLeaveTheLoop) {
  SymbolHandle inside{};
  auto after = run(
      {tensor({n})},
      [&](auto &arguments) {
        inside = symbols.freshDimension();
        return std::vector<Fact>{arguments[0], tensor({inside, n})};
      },
      /*runs=*/true);
  EXPECT_FALSE((*after[1].shape)[0] == inside);
  EXPECT_EQ((*after[1].shape)[1], n);
}

TEST_F(LoopFactsTest, elementsThatStayAndOnesThatChange) {
  auto after = run({integers({7, 8}), integers({n, four}), integers({7})},
                   [&](auto &arguments) {
                     return std::vector<Fact>{
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

TEST_F(LoopFactsTest, countersOfSizes) {
  auto after = run({tensor({four}), integers({4, 9})}, [&](auto &arguments) {
    SymbolHandle size = (*arguments[0].shape)[0];
    SymbolHandle second = elementOrNew(arguments[1]);
    return std::vector<Fact>{tensor({plus(size, 1)}),
                             integers({plus(second, 1), symbols.constant(9)})};
  });
  EXPECT_EQ(element(arguments[1], 0), (*arguments[0].shape)[0]);
  EXPECT_EQ(element(after[1], 0), (*after[0].shape)[0]);
  EXPECT_EQ(symbols.valueOf(element(after[1], 1)), 9);
  EXPECT_FALSE(symbols.valueOf(element(after[1], 0)));
}

TEST_F(LoopFactsTest, aValueThatIsNotGivenBackIsDropped) {
  auto after = run({integers({1}), integers({1})}, [&](auto &) {
    Fact unknown = integers({1});
    unknown.value = {};
    return std::vector<Fact>{unknown, integers({2})};
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_FALSE(arguments[i].value);
    EXPECT_FALSE(after[i].value);
  }
}

TEST_F(LoopFactsTest, declaredSizesAreTaken) {
  loop.arguments.push_back({tensor({n, four}), 0u});
  Fact declared = tensor({symbols.constant(5), symbols.freshDimension()});
  facts.begin(loop, {declared}, symbols);
  EXPECT_EQ(symbols.valueOf((*facts.argument(0).shape)[0]), 5);
  EXPECT_EQ((*facts.argument(0).shape)[1], four);
  Fact given = tensor({symbols.named("m"), four});
  EXPECT_TRUE(facts.check({&given}));
  EXPECT_FALSE(facts.isDeclaredWrong(0));
  Fact after = facts.after(0, {&given});
  EXPECT_FALSE(symbols.valueOf((*after.shape)[0]));
  EXPECT_EQ((*after.shape)[1], four);
}

/// Exporters write down the sizes of the first iteration, and runtimes do not
/// look: sizes of later ones were folded to them.
TEST_F(LoopFactsTest, declaredSizesThatAreWrongAreNotTaken) {
  SymbolHandle five = symbols.constant(5);
  loop.arguments.push_back({tensor({five, four}), 0u});
  Fact declared = tensor({five, symbols.freshDimension()});
  Fact given = tensor({symbols.constant(6), four});
  facts.begin(loop, {declared}, symbols);
  EXPECT_EQ((*facts.argument(0).shape)[0], five);
  EXPECT_FALSE(facts.check({&given}));
  do
    facts.begin(loop, {declared}, symbols);
  while (!facts.check({&given}));
  EXPECT_FALSE(symbols.valueOf((*facts.argument(0).shape)[0]));
  EXPECT_EQ((*facts.argument(0).shape)[1], four);
  EXPECT_TRUE(facts.isDeclaredWrong(0));
  // Wrong from the beginning, in a size and in the rank.
  for (Fact wrong : {tensor({symbols.constant(7), four}), tensor({five})}) {
    facts = LoopFacts();
    Fact same = tensor({five, four});
    facts.begin(loop, {wrong}, symbols);
    EXPECT_EQ(facts.argument(0).shape, same.shape);
    EXPECT_TRUE(facts.check({&same}));
    EXPECT_TRUE(facts.isDeclaredWrong(0));
  }
}

TEST_F(LoopFactsTest, whatDoesNotGoRound) {
  loop.arguments.push_back({tensor({n, four}), std::nullopt});
  loop.arguments.push_back({tensor({n, n}), std::nullopt});
  Fact declared = tensor({symbols.freshDimension(), symbols.constant(3)});
  facts.begin(loop, {declared, declared}, symbols);
  EXPECT_EQ((*facts.argument(0).shape)[0], n);
  EXPECT_EQ((*facts.argument(0).shape)[1], four); // not what is declared
  EXPECT_EQ(symbols.valueOf((*facts.argument(1).shape)[1]), 3);
  EXPECT_TRUE(facts.check({}));
}

/// Less is known than in the walks before of what is around the loop: sizes
/// that changed together because both were 4 at first begin with two unknowns.
TEST_F(LoopFactsTest, beginsAgainWithLess) {
  Body grow = [&](auto &arguments) {
    return std::vector<Fact>{tensor({plus((*arguments[0].shape)[0], 1)}),
                             tensor({plus((*arguments[1].shape)[0], 1)})};
  };
  auto after = run({tensor({four}), tensor({four})}, grow);
  EXPECT_EQ((*after[0].shape)[0], (*after[1].shape)[0]);
  unsigned before = facts.walks;
  after = run({tensor({n}), tensor({symbols.named("m")})}, grow);
  EXPECT_FALSE((*after[0].shape)[0] == (*after[1].shape)[0]);
  EXPECT_EQ(facts.walks, before + 1);
}

/// Ten thousand values hand on a change: all is given up before each has moved.
TEST_F(LoopFactsTest, endsSoon) {
  constexpr int count = 10'000;
  std::vector<Fact> first(count, tensor({n}));
  for (int i = 0; i < count; ++i)
    first[i] = tensor({n, symbols.constant(i)});
  auto after = run(first, [&](auto &arguments) {
    std::vector<Fact> given;
    for (int i = 0; i < count; ++i)
      given.push_back(tensor({i + 1 < count && arguments[i + 1].shape
                                  ? (*arguments[i + 1].shape)[0]
                                  : symbols.freshDimension(),
                              symbols.constant(i)}));
    return given;
  });
  EXPECT_LE(facts.walks, 30u);
  EXPECT_FALSE((*after[0].shape)[0] == n);
}

} // namespace
