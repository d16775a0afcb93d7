//===- ScalingTest.cpp - Large modules take linear time -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The same shapes at 10 ... 100,000 operations. Each must finish; the largest
// may take at most 60 times the time per operation of a middle one, which a
// quadratic step exceeds by far and a busy machine does not.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/tests/constprop/TestDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include <ctime>

using namespace onnxfold;

namespace {

struct ScalingTest : ConstpropTest {
  ScalingTest() : builder(&context) {
    type = mlir::RankedTensorType::get({2}, builder.getI64Type());
  }

  mlir::Value constant(int64_t value) {
    return mlir::arith::ConstantOp::create(
        builder, builder.getUnknownLoc(),
        mlir::DenseElementsAttr::get(type, {value, value + 1}));
  }
  mlir::Operation *create(llvm::StringRef name, mlir::ValueRange operands,
                          mlir::Type result) {
    mlir::OperationState state(builder.getUnknownLoc(), name);
    state.addOperands(operands);
    if (result)
      state.addTypes(result);
    return builder.create(state);
  }
  mlir::Value op(llvm::StringRef name, mlir::ValueRange operands) {
    return create(name, operands, type)->getResult(0);
  }
  void use(mlir::ValueRange values) { create("other.use", values, {}); }

  /// Seconds of processor time that all steps take on the module.
  double run(std::optional<int64_t> budget) {
    std::clock_t begin = std::clock();
    evaluate();
    FoldPlan plan(*evaluation, budget);
    plan.apply();
    evaluation.reset();
    return double(std::clock() - begin) / CLOCKS_PER_SEC;
  }

  template <class Build>
  void expectLinear(Build build, std::optional<int64_t> budget) {
    double perOperation = 0;
    for (int n : {10, 100, 1000, 10'000, 100'000}) {
      module = mlir::ModuleOp::create(builder.getUnknownLoc());
      builder.setInsertionPointToEnd(module->getBody());
      build(n);
      double seconds = run(budget);
      if (n == 1000)
        perOperation = std::max(seconds, 0.001) / n;
      if (n == 100'000) {
        EXPECT_LT(seconds / n, 60 * perOperation);
      }
    }
  }

  mlir::OpBuilder builder;
  mlir::RankedTensorType type;
};

} // namespace

TEST_F(ScalingTest, oneLongChain) {
  auto chain = [&](int n) {
    mlir::Value one = constant(1), value = one;
    for (int i = 0; i < n; ++i)
      value = op("t.add", {value, one});
    use({value, one});
  };
  expectLinear(chain, std::nullopt);
  EXPECT_EQ(countConstantBytes(*module), 32);
  expectLinear(chain, 0);
}

TEST_F(ScalingTest, manyReadersOfOneConstant) {
  auto fan = [&](int n) {
    mlir::Value one = constant(1);
    for (int i = 0; i < n; ++i)
      use(op("t.neg", one));
  };
  expectLinear(fan, std::nullopt);
  expectLinear(fan, 0);
  expectLinear(fan, 1000);
}

TEST_F(ScalingTest, manyOperandsOfOneOperation) {
  expectLinear(
      [&](int n) {
        llvm::SmallVector<mlir::Value> values;
        for (int i = 0; i < n; ++i)
          values.push_back(op("t.neg", constant(i)));
        use(values);
      },
      std::nullopt);
}

TEST_F(ScalingTest, oneValueThatManyRead) {
  expectLinear(
      [&](int n) {
        mlir::Value value = op("t.neg", constant(1));
        for (int i = 0; i < n; ++i)
          use(value);
      },
      std::nullopt);
}

TEST_F(ScalingTest, deadChainsBelowShapes) {
  // One long chain of unknown values dies when the shape at its end folds.
  auto dead = [&](int n) {
    mlir::Value value = create("t.sticky", {}, type)->getResult(0);
    mlir::Value one = constant(1);
    for (int i = 0; i < n; ++i)
      value = op("t.add", {value, one});
    auto shape = mlir::RankedTensorType::get({1}, builder.getI64Type());
    use(create("t.shape", value, shape)->getResults());
  };
  expectLinear(dead, std::nullopt);
  EXPECT_EQ(countConstantBytes(*module), 8);
  expectLinear(dead, 0);
}

TEST_F(ScalingTest, budgetOnManyUnequalChoices) {
  expectLinear(
      [&](int n) {
        mlir::Value shared = constant(-1);
        for (int i = 0; i < n / 2; ++i) {
          mlir::Value value = i % 3 ? op("t.neg", constant(i)) : shared;
          use(op("t.add", {value, i % 2 ? shared : value}));
        }
      },
      100);
}

TEST_F(ScalingTest, bodies) {
  expectLinear(
      [&](int n) {
        mlir::Value outer = constant(1);
        for (int i = 0; i < n / 10; ++i) {
          mlir::OperationState state(builder.getUnknownLoc(), "t.body");
          mlir::Region *region = state.addRegion();
          region->emplaceBlock();
          mlir::Operation *body = builder.create(state);
          mlir::OpBuilder::InsertionGuard guard(builder);
          builder.setInsertionPointToEnd(&body->getRegion(0).front());
          mlir::Value value = outer;
          for (int j = 0; j < 10; ++j)
            value = op("t.neg", value);
          use(value);
        }
      },
      std::nullopt);
}
