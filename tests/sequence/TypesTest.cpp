//===- TypesTest.cpp - What covers what, and what operations infer --------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/Dialect.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include <gtest/gtest.h>

using namespace onnxfold::sequence;
using mlir::ShapedType;
using mlir::TensorType;

namespace {
constexpr int64_t any = ShapedType::kDynamic;

class TypesTest : public ::testing::Test {
protected:
  TypesTest() : builder(&context) {
    context.loadDialect<SequenceDialect>();
    module = mlir::ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToStart(module->getBody());
  }

  TensorType f32(std::vector<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, builder.getF32Type());
  }
  TensorType unranked() {
    return mlir::UnrankedTensorType::get(builder.getF32Type());
  }
  TensorType i64(std::vector<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, builder.getI64Type());
  }
  SequenceType of(TensorType element, int64_t length) {
    return SequenceType::get(element, length);
  }

  mlir::Value tensor(TensorType type) {
    return mlir::UnrealizedConversionCastOp::create(
               builder, builder.getUnknownLoc(), type, mlir::ValueRange())
        .getResult(0);
  }
  mlir::Value list(SequenceType type) {
    return mlir::UnrealizedConversionCastOp::create(
               builder, builder.getUnknownLoc(), type, mlir::ValueRange())
        .getResult(0);
  }
  mlir::Value index(int64_t value) {
    return mlir::arith::ConstantIndexOp::create(builder,
                                                builder.getUnknownLoc(), value);
  }
  template <typename Op, typename... Arguments>
  mlir::Type typeOf(Arguments... arguments) {
    return Op::create(builder, builder.getUnknownLoc(), arguments...)
        ->getResult(0)
        .getType();
  }
  mlir::Type split(TensorType input, mlir::Value chunk, mlir::Value sizes,
                   int64_t axis, bool squeeze = false) {
    return typeOf<SplitOp>(tensor(input), chunk, sizes, axis, squeeze);
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};
} // namespace

TEST_F(TypesTest, JoinOfElements) {
  EXPECT_EQ(joinTensors(f32({2, 3}), f32({2, 3})), f32({2, 3}));
  EXPECT_EQ(joinTensors(f32({2, 3}), f32({2, 4})), f32({2, any}));
  EXPECT_EQ(joinTensors(f32({2, any}), f32({4, any})), f32({any, any}));
  EXPECT_EQ(joinTensors(f32({2, 3}), f32({2})), unranked());
  EXPECT_EQ(joinTensors(f32({}), unranked()), unranked());
  EXPECT_EQ(joinTensors(f32({2}), i64({2})), TensorType());
}

TEST_F(TypesTest, JoinOfSequences) {
  EXPECT_EQ(joinSequences(of(f32({2}), 3), of(f32({2}), 3)), of(f32({2}), 3));
  EXPECT_EQ(joinSequences(of(f32({2}), 3), of(f32({4}), 1)),
            of(f32({any}), any));
  // What is empty says nothing about shapes.
  EXPECT_EQ(joinSequences(of(unranked(), 0), of(f32({4}), 1)),
            of(f32({4}), any));
  EXPECT_EQ(joinSequences(of(f32({4}), any), of(f32({7, 7}), 0)),
            of(f32({4}), any));
  EXPECT_EQ(joinSequences(of(f32({2}), 0), of(f32({4}), 0)), of(f32({any}), 0));
  // But about kinds.
  EXPECT_EQ(joinSequences(of(unranked(), 0), of(i64({4}), 1)), SequenceType());
}

TEST_F(TypesTest, CoversAndCompatible) {
  EXPECT_TRUE(covers(of(f32({any}), any), of(f32({2}), 3)));
  EXPECT_FALSE(covers(of(f32({2}), 3), of(f32({any}), any)));
  EXPECT_TRUE(areCompatible(of(f32({2}), 3), of(f32({any}), any)));
  EXPECT_FALSE(areCompatible(of(f32({2}), 3), of(f32({3}), any)));
  EXPECT_FALSE(areCompatible(of(f32({2}), 3), of(f32({2}), 4)));
  EXPECT_TRUE(areCompatible(of(f32({2}), 0), of(f32({3}), any)));
}

TEST_F(TypesTest, Positions) {
  EXPECT_EQ(positionFromFront(2, 3, /*inclusive=*/false), 2);
  EXPECT_EQ(positionFromFront(-3, 3, false), 0);
  EXPECT_EQ(positionFromFront(3, 3, false), std::nullopt);
  EXPECT_EQ(positionFromFront(-4, 3, false), std::nullopt);
  EXPECT_EQ(positionFromFront(3, 3, true), 3);
  EXPECT_EQ(positionFromFront(-1, 3, true), 2);
  EXPECT_EQ(positionFromFront(4, 3, true), std::nullopt);
  EXPECT_EQ(positionFromFront(0, any, true), 0);
  EXPECT_EQ(positionFromFront(0, any, false), std::nullopt);
  EXPECT_EQ(positionFromFront(1, any, true), std::nullopt);
}

TEST_F(TypesTest, InferredTypesOfChanges) {
  mlir::Value none;
  auto elements = std::vector<mlir::Value>{tensor(f32({2})), tensor(f32({3}))};
  EXPECT_EQ(typeOf<ConstructOp>(mlir::ValueRange(elements)), of(f32({any}), 2));
  EXPECT_EQ(typeOf<InsertOp>(tensor(f32({3})), list(of(f32({2}), 4)), none),
            of(f32({any}), 5));
  EXPECT_EQ(typeOf<InsertOp>(tensor(f32({3})), list(of(unranked(), 0)), none),
            of(f32({3}), 1));
  // Twice into what was empty: the published inference, which had two words
  // for an unknown length, took the second for the first.
  EXPECT_EQ(typeOf<InsertOp>(tensor(f32({4})), list(of(f32({3}), 1)), none),
            of(f32({any}), 2));
  EXPECT_EQ(typeOf<InsertOp>(tensor(f32({3})), list(of(f32({3}), any)), none),
            of(f32({3}), any));
  EXPECT_EQ(typeOf<EraseOp>(list(of(f32({3}), 4)), none), of(f32({3}), 3));
  EXPECT_EQ(typeOf<EraseOp>(list(of(f32({3}), any)), none), of(f32({3}), any));
  EXPECT_EQ(typeOf<AtOp>(list(of(f32({3, any}), 4)), index(0)), f32({3, any}));
  EXPECT_TRUE(typeOf<LengthOp>(list(of(f32({3}), 4))).isIndex());
}

TEST_F(TypesTest, InferredTypesOfSplit) {
  mlir::Value none;
  EXPECT_EQ(split(f32({6, 2}), none, none, 0), of(f32({1, 2}), 6));
  EXPECT_EQ(split(f32({6, 2}), none, none, -1, true), of(f32({6}), 2));
  EXPECT_EQ(split(f32({any, 2}), none, none, 0), of(f32({1, 2}), any));
  EXPECT_EQ(split(f32({6, 2}), index(3), none, 0), of(f32({3, 2}), 2));
  // 7 in threes: ceil(7 / 3) slices, the last of them smaller.
  EXPECT_EQ(split(f32({7, 2}), index(3), none, 0), of(f32({any, 2}), 3));
  EXPECT_EQ(split(f32({0, 2}), index(3), none, 0), of(f32({3, 2}), 0));
  EXPECT_EQ(split(unranked(), index(3), none, 0), of(unranked(), any));
  auto type = mlir::RankedTensorType::get({3}, builder.getI64Type());
  auto sizes = [&](std::vector<int64_t> values) -> mlir::Value {
    return mlir::arith::ConstantOp::create(
        builder, builder.getUnknownLoc(),
        mlir::DenseIntElementsAttr::get(type, values));
  };
  EXPECT_EQ(split(f32({6}), none, sizes({2, 2, 2}), 0), of(f32({2}), 3));
  EXPECT_EQ(split(f32({6}), none, sizes({0, 2, 4}), 0), of(f32({any}), 3));
  EXPECT_EQ(split(f32({6}), none, tensor(i64({any})), 0), of(f32({any}), any));
}

TEST_F(TypesTest, InferredTypesOfConcat) {
  auto concat = [&](SequenceType type, int64_t axis, bool stack) {
    return typeOf<ConcatOp>(list(type), axis, stack);
  };
  EXPECT_EQ(concat(of(f32({2, 3}), 4), 0, false), f32({8, 3}));
  EXPECT_EQ(concat(of(f32({2, 3}), any), 1, false), f32({2, any}));
  EXPECT_EQ(concat(of(f32({2, any}), 4), -1, false), f32({2, any}));
  EXPECT_EQ(concat(of(f32({2, 3}), 4), -1, true), f32({2, 3, 4}));
  EXPECT_EQ(concat(of(f32({2, 3}), any), 0, true), f32({any, 2, 3}));
  EXPECT_EQ(concat(of(unranked(), 4), 0, true), unranked());
}
