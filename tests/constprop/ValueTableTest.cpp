//===- ValueTableTest.cpp - What is known of values and operations --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/internal/ValueTable.h"
#include "onnxfold/tests/constprop/TestDialect.h"

using namespace onnxfold;
using namespace mlir;

namespace {

class ValueTableTest : public ConstpropTest {
protected:
  ValueTableTest() {
    parse(R"mlir(func.func @f(%x: tensor<?x3xi64>) {
      %a = "t.neg"(%x) {id = "a"} : (tensor<?x3xi64>) -> tensor<?x3xi64>
      %b = "t.neg"(%x) {id = "b"} : (tensor<?x3xi64>) -> tensor<2xi64>
      return
    })mlir");
    a = find("a");
    b = find("b");
  }
  static Elements numbers() {
    return Elements::fromValues<int64_t>({2}, {7, 8});
  }

  Operation *a, *b;
};

} // namespace

TEST_F(ValueTableTest, aNewValueMayBeAnythingOfItsType) {
  ValueTable table(Precision::Exact);
  ValueState &state = table.of(a->getResult(0));
  EXPECT_EQ(state.type, DataType::Int64);
  ASSERT_TRUE(state.shape && state.shape->size() == 2);
  EXPECT_FALSE(table.exprs().valueOf((*state.shape)[0]));
  EXPECT_EQ(table.exprs().valueOf((*state.shape)[1]), 3);
  EXPECT_FALSE(state.value);
}

TEST_F(ValueTableTest, statesStayWhereTheyAre) {
  ValueTable table(Precision::Exact);
  ValueState &state = table.of(b->getResult(0));
  table.set(b->getResult(0), FoldedValue(numbers()));
  EXPECT_TRUE(state.isConstant());
  EXPECT_EQ(&table.at(b->getResult(0)), &state);
  table.assume(b->getResult(0), {}); // type and shape are left
  EXPECT_FALSE(state.value);
  EXPECT_EQ(state.type, DataType::Int64);
}

TEST_F(ValueTableTest, wideTablesMakeFloatsWide) {
  ValueTable exact(Precision::Exact), wide(Precision::Wide);
  Elements x = Elements::splat<float>({2}, 1.5f);
  EXPECT_FALSE(exact.set(b->getResult(0), FoldedValue(x)).value.isWide());
  EXPECT_TRUE(wide.set(b->getResult(0), FoldedValue(x)).value.isWide());
}

TEST_F(ValueTableTest, aRunReadsWhatIsOutsideInItsOwnTerms) {
  ValueTable outside(Precision::Exact);
  DimExpr n = (*outside.of(a->getResult(0)).shape)[0];
  outside.set(b->getResult(0), FoldedValue(numbers()));
  ValueTable run(&outside);
  EXPECT_TRUE(run.isInside());
  EXPECT_TRUE(run.isKnownOutside(b));
  EXPECT_FALSE(run.isKnownOutside(a));
  EXPECT_EQ(run.of(b->getResult(0)).value.ints()[1], 8);
  // The same dimension is the same expression, of the table of the run.
  ValueState state = run.of(a->getResult(0));
  ValueState other = outside.of(a->getResult(0));
  other.shape->push_back(n);
  EXPECT_FALSE(run.exprs().valueOf((*state.shape)[0]));
  run.set(a->getResult(0), FoldedValue(numbers())); // is known in the run only
  EXPECT_FALSE(outside.of(a->getResult(0)).value);
}

TEST_F(ValueTableTest, typesOutsideAreCopiedIfTheyAreTheSameInAllRuns) {
  ValueTable outside(Precision::Exact);
  ValueTable run(&outside);
  ValueState state;
  EXPECT_TRUE(run.copyOutsideTypes(b, state));
  EXPECT_EQ(run.exprs().valueOf((*state.shape)[0]), 2);
  EXPECT_FALSE(run.copyOutsideTypes(a, state)); // its size may change
  EXPECT_FALSE(outside.copyOutsideTypes(b, state));
}

TEST_F(ValueTableTest, refiningKeepsWhatIsKnown) {
  ValueTable table(Precision::Exact);
  ValueState five;
  five.type = DataType::Float32;
  five.shape.emplace(2, table.exprs().constant(5));
  table.refine(a->getResult(0), five);
  const ValueState &state = table.at(a->getResult(0));
  EXPECT_EQ(state.type, DataType::Int64);
  EXPECT_EQ(table.exprs().valueOf((*state.shape)[0]), 5);
  EXPECT_EQ(table.exprs().valueOf((*state.shape)[1]), 3);
}

TEST_F(ValueTableTest, reasons) {
  ValueTable table(Precision::Exact);
  EXPECT_FALSE(table.findReason(a));
  table.setReason(a, {});
  EXPECT_TRUE(table.isFoldable(a));
  table.setReason(a, undefined("x"));
  EXPECT_FALSE(table.isFoldable(a));
  EXPECT_TRUE(table.mayBeKept(ReasonCode::Undefined));
  EXPECT_FALSE(table.mayBeKept(ReasonCode::Invalid));
  table.setConstant(b);
  EXPECT_TRUE(table.isConstant(b) && !table.isFoldable(b));
  table.forget(a);
  EXPECT_FALSE(table.findReason(a));
}
