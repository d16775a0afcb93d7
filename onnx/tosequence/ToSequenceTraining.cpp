//===- ToSequenceTraining.cpp - What models in training mode compute ------===//
// SPDX-License-Identifier: Apache-2.0
//
// Folding keeps what is in training mode. A program runs what of it follows
// from the inputs: BatchNormalization by the mean and variance of its batch,
// and a Dropout that drops nothing; one that would drop something is random, and
// stops the program. Loops are for version 14 on, for f32 and f64; the kernels,
// which know that they are run, do the rest.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/tosequence/internal/AxisReduction.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Dropout
//===----------------------------------------------------------------------===//

/// Stops the program where Dropout trains with a ratio that is not 0.
static void assertDropsNothing(ToSequenceConverter &converter, Operator op) {
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  Value trains = converter.input(op, 2);
  if (!trains)
    return;
  trains = converter.onlyElement(op.getOperation(), trains);
  Value ratio = converter.input(op, 1), isNone;
  if (ratio) {
    ratio = converter.onlyElement(op.getOperation(), ratio);
    Value zero = arith::ConstantOp::create(
        builder, location, builder.getZeroAttr(ratio.getType()));
    isNone = arith::CmpFOp::create(builder, location, arith::CmpFPredicate::OEQ,
                                   ratio, zero);
  } else { // the default is 0.5
    isNone = arith::ConstantIntOp::create(builder, location, 0, 1);
  }
  Value yes = arith::ConstantIntOp::create(builder, location, 1, 1);
  Value infers = arith::XOrIOp::create(builder, location, trains, yes);
  cf::AssertOp::create(builder, location,
                       arith::OrIOp::create(builder, location, infers, isNone),
                       describeNode(op) +
                           ": is in training mode, where it is random");
}

LogicalResult onnxfold::lowerDropout(ToSequenceConverter &converter,
                                     Operator op) {
  auto elementOf = [&](unsigned input) {
    auto type = dyn_cast<TensorType>(converter.input(op, input).getType());
    return type ? type.getElementType() : Type();
  };
  bool hasMask = op->getNumResults() > 1 && !op->getResult(1).use_empty();
  RankedTensorType type = converter.rankedInput(op, 0);
  if ((hasMask && !type) || op.since() < 12 ||
      (op.hasInput(1) && !isa_and_nonnull<FloatType>(elementOf(1))) ||
      (op.hasInput(2) && (!elementOf(2) || !elementOf(2).isInteger(1))))
    return lowerToKernel(converter, op);
  Value data = converter.input(op, 0);
  assertDropsNothing(converter, op);
  converter.set(op->getResult(0), data);
  if (!hasMask)
    return success();
  OpBuilder &builder = converter.builder;
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(converter.dim(op->getLoc(), data, axis));
  Value empty = tensor::EmptyOp::create(builder, op->getLoc(),
                                        type.clone(builder.getI1Type()), sizes);
  Value yes = arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1);
  converter.set(
      op->getResult(1),
      linalg::FillOp::create(builder, op->getLoc(), yes, empty).result());
  return success();
}

//===----------------------------------------------------------------------===//
// BatchNormalization
//===----------------------------------------------------------------------===//

namespace {
/// Makes the results of a BatchNormalization in training mode.
class BatchStatistics {
public:
  BatchStatistics(ToSequenceConverter &converter, Operator op)
      : builder(converter.builder), converter(converter), op(op),
        location(op->getLoc()), data(converter.input(op, 0)),
        type(cast<RankedTensorType>(data.getType())) {}

  void make();

private:
  using Body = llvm::function_ref<Value(ValueRange)>;
  /// Element by element; the first operand decides the shape, vectors are
  /// broadcast along the channels.
  Value map(ArrayRef<Value> operands, Body body);
  Value number(double value) {
    return arith::ConstantOp::create(
        builder, location, builder.getFloatAttr(type.getElementType(), value));
  }
  Value running(unsigned input, Value current);

  OpBuilder &builder;
  ToSequenceConverter &converter;
  Operator op;
  Location location;
  Value data;
  RankedTensorType type;
};
} // namespace

Value BatchStatistics::map(ArrayRef<Value> operands, Body body) {
  auto result = cast<RankedTensorType>(operands[0].getType());
  unsigned rank = result.getRank();
  SmallVector<Value> sizes;
  for (unsigned axis = 0; axis < rank; ++axis)
    if (result.isDynamicDim(axis))
      sizes.push_back(converter.dim(location, operands[0], axis));
  Value empty = tensor::EmptyOp::create(builder, location, result, sizes);
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps;
  for (Value operand : operands)
    maps.push_back(operand.getType() == result ? identity
                                               : identity.getSliceMap(1, 1));
  maps.push_back(identity);
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto makeBody = [&](OpBuilder &inner, Location, ValueRange read) {
    OpBuilder::InsertionGuard guard(builder);
    builder.restoreInsertionPoint(inner.saveInsertionPoint());
    linalg::YieldOp::create(builder, location, body(read.drop_back()));
  };
  return linalg::GenericOp::create(builder, location, TypeRange(result),
                                   operands, ValueRange(empty), maps, loops,
                                   makeBody)
      .getResult(0);
}

/// The old value times the momentum, plus the rest of the current one.
Value BatchStatistics::running(unsigned input, Value current) {
  float momentum = op.getFloat("momentum", 0.9f);
  Value kept = number(momentum), rest = number(1 - double(momentum));
  return map({converter.input(op, input), current}, [&](ValueRange read) {
    Value before = arith::MulFOp::create(builder, location, read[0], kept);
    Value now = arith::MulFOp::create(builder, location, read[1], rest);
    return arith::AddFOp::create(builder, location, before, now).getResult();
  });
}

void BatchStatistics::make() {
  llvm::BitVector others(type.getRank(), true);
  others.reset(1);
  Value mean = reduceAxes(converter, location, data, others,
                          /*keepsAxes=*/false, Reduced::Mean);
  Value centred = map({data, mean}, [&](ValueRange read) {
    return arith::SubFOp::create(builder, location, read[0], read[1])
        .getResult();
  });
  Value variance = reduceAxes(converter, location, centred, others,
                              /*keepsAxes=*/false, Reduced::MeanSquare);
  Value epsilon = number(op.getFloat("epsilon", 1e-5f));
  Value factor = map({variance, converter.input(op, 1)}, [&](ValueRange read) {
    Value sum = arith::AddFOp::create(builder, location, read[0], epsilon);
    Value root = math::SqrtOp::create(builder, location, sum);
    return arith::DivFOp::create(builder, location, read[1], root).getResult();
  });
  Value result =
      map({centred, factor, converter.input(op, 2)}, [&](ValueRange read) {
        Value scaled =
            arith::MulFOp::create(builder, location, read[0], read[1]);
        return arith::AddFOp::create(builder, location, scaled, read[2])
            .getResult();
      });
  converter.set(op->getResult(0), result);
  if (op->getNumResults() > 1 && !op->getResult(1).use_empty())
    converter.set(op->getResult(1), running(3, mean));
  if (op->getNumResults() > 2 && !op->getResult(2).use_empty())
    converter.set(op->getResult(2), running(4, variance));
}

LogicalResult onnxfold::lowerBatchNormalization(ToSequenceConverter &converter,
                                                Operator op) {
  RankedTensorType type = converter.rankedInput(op, 0);
  bool fits = op.since() >= 14 && op.getInt("training_mode", 0) != 0 && type &&
              type.getRank() >= 2 && !type.isDynamicDim(1) &&
              (type.getElementType().isF32() || type.getElementType().isF64());
  if (!fits)
    return lowerToKernel(converter, op);
  auto vector =
      RankedTensorType::get({type.getDimSize(1)}, type.getElementType());
  for (unsigned i = 1; i < 5; ++i)
    if (converter.rankedInput(op, i) != vector)
      return lowerToKernel(converter, op);
  BatchStatistics(converter, op).make();
  return success();
}
