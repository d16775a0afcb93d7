//===- ToSequenceProducts.cpp - Sums of products, MatMul and Gemm ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// MatMul and Gemm of floats whose inner size is known. Everything else is the
// kernel's, also a result of a few columns, which is no vector.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/tosequence/internal/SumOfProducts.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Sums of products
//===----------------------------------------------------------------------===//

void SumOfProducts::add(Value left, AffineMap leftMap, Value right,
                        AffineMap rightMap) {
  slices.append({left, right});
  maps.append({leftMap, rightMap});
}

OpFoldResult SumOfProducts::place(Value first, int64_t further) {
  if (!first)
    return converter.builder.getIndexAttr(further);
  return arith::AddIOp::create(converter.builder, location, first,
                               converter.index(location, further))
      .getResult();
}

Value SumOfProducts::addTo(Value start) {
  OpBuilder &builder = converter.builder;
  maps.push_back(builder.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  // The machine's fused operation, if it has one, rounds once.
  auto fused = arith::FastMathFlagsAttr::get(builder.getContext(),
                                             arith::FastMathFlags::contract);
  auto body = [&](OpBuilder &builder, Location location, ValueRange read) {
    Value total = read.back();
    for (size_t i = 0; i + 1 < read.size(); i += 2) {
      Value product =
          arith::MulFOp::create(builder, location, read[i], read[i + 1], fused);
      total = arith::AddFOp::create(builder, location, total, product, fused);
    }
    linalg::YieldOp::create(builder, location, total);
  };
  Value result =
      linalg::GenericOp::create(builder, location, TypeRange(type), slices,
                                ValueRange(start), maps, loops, body)
          .getResult(0);
  slices.clear();
  maps.clear();
  return result;
}

Value SumOfProducts::inBlocks(
    int64_t count, int64_t atOnce, Value start,
    llvm::function_ref<void(Value first, int64_t further)> addAt) {
  OpBuilder &builder = converter.builder;
  int64_t rest = count % atOnce, whole = count - rest;
  if (whole == atOnce) { // no loop
    whole = 0;
    rest = count;
  }
  if (whole) {
    auto loop =
        scf::ForOp::create(builder, location, converter.index(location, 0),
                           converter.index(location, whole),
                           converter.index(location, atOnce), start);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    for (int64_t i = 0; i < atOnce; ++i)
      addAt(loop.getInductionVar(), i);
    scf::YieldOp::create(builder, location, addTo(loop.getRegionIterArg(0)));
    start = loop.getResult(0);
  }
  for (int64_t i = 0; i < rest; ++i)
    addAt(Value(), whole + i);
  return rest ? addTo(start) : start;
}

RankedTensorType onnxfold::rankedFloats(Value value) {
  auto type =
      value ? dyn_cast<RankedTensorType>(value.getType()) : RankedTensorType();
  bool fits =
      type && (type.getElementType().isF32() || type.getElementType().isF64());
  return fits ? type : RankedTensorType();
}

Value onnxfold::filled(ToSequenceConverter &converter, Location location,
                       RankedTensorType type, ValueRange sizes, Value bias,
                       unsigned axis) {
  OpBuilder &builder = converter.builder;
  Value empty = tensor::EmptyOp::create(builder, location, type, sizes);
  if (!bias) {
    Value zero = arith::ConstantOp::create(
        builder, location, builder.getZeroAttr(type.getElementType()));
    return linalg::FillOp::create(builder, location, zero, empty).result();
  }
  unsigned rank = type.getRank();
  SmallVector<AffineMap> maps = {
      AffineMap::get(rank, 0, builder.getAffineDimExpr(axis)),
      builder.getMultiDimIdentityMap(rank)};
  SmallVector<utils::IteratorType> loops(rank, utils::IteratorType::parallel);
  auto body = [](OpBuilder &builder, Location location, ValueRange read) {
    linalg::YieldOp::create(builder, location, read[0]);
  };
  return linalg::GenericOp::create(builder, location, TypeRange(type), bias,
                                   ValueRange(empty), maps, loops, body)
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// MatMul and Gemm
//===----------------------------------------------------------------------===//

/// [batch..., M, K] times [batch..., K, N], or times [K, N]: K and N are known,
/// and so is a batch that both have.
static bool mayMultiply(RankedTensorType left, RankedTensorType right) {
  constexpr int64_t fewColumns = 4;
  if (!left || !right || left.getElementType() != right.getElementType() ||
      left.getRank() < 2 || right.getRank() < 2 ||
      (right.getRank() != 2 && right.getRank() != left.getRank()) ||
      llvm::is_contained(left.getShape(), 0))
    return false;
  ArrayRef<int64_t> a = left.getShape(), b = right.getShape();
  if (ShapedType::isDynamic(a.back()) || a.back() != b[b.size() - 2] ||
      ShapedType::isDynamic(b.back()) || b.back() < fewColumns)
    return false;
  for (size_t axis = 0; b.size() != 2 && axis < b.size() - 2; ++axis)
    if (ShapedType::isDynamic(a[axis]) || a[axis] != b[axis])
      return false;
  return true;
}

/// A slice of extent 1 along `axis`, without that axis.
static Value sliceAt(ToSequenceConverter &converter, Location location,
                     Value tensor, int64_t axis, OpFoldResult place) {
  OpBuilder &builder = converter.builder;
  auto type = cast<RankedTensorType>(tensor.getType());
  OpFoldResult zero = builder.getIndexAttr(0), one = builder.getIndexAttr(1);
  SmallVector<OpFoldResult> offsets(type.getRank(), zero), sizes,
      steps(type.getRank(), one);
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i) {
    if (i == axis)
      sizes.push_back(one);
    else if (type.isDynamicDim(i))
      sizes.push_back(converter.dim(location, tensor, i));
    else
      sizes.push_back(builder.getIndexAttr(type.getDimSize(i)));
    if (i != axis)
      shape.push_back(type.getDimSize(i));
  }
  offsets[axis] = place;
  return tensor::ExtractSliceOp::create(
      builder, location, RankedTensorType::get(shape, type.getElementType()),
      tensor, offsets, sizes, steps);
}

/// REQUIRES: mayMultiply. `bias`: null, or for each column.
static Value multiply(ToSequenceConverter &converter, Location location,
                      Value left, Value right, Value bias) {
  OpBuilder &builder = converter.builder;
  auto leftType = cast<RankedTensorType>(left.getType());
  auto rightType = cast<RankedTensorType>(right.getType());
  int64_t rank = leftType.getRank(), inner = leftType.getShape().back();
  SmallVector<int64_t> shape(leftType.getShape());
  shape.back() = rightType.getShape().back();
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < rank - 1; ++axis)
    if (leftType.isDynamicDim(axis))
      sizes.push_back(converter.dim(location, left, axis));
  auto type = RankedTensorType::get(shape, leftType.getElementType());
  // One operand lacks n of (batch..., m, n), the other lacks m.
  SmallVector<AffineExpr> rows, columns;
  for (int64_t axis = 0; axis < rank; ++axis) {
    if (axis != rank - 1)
      rows.push_back(builder.getAffineDimExpr(axis));
    if (axis == rank - 1 || (axis < rank - 2 && rightType.getRank() != 2))
      columns.push_back(builder.getAffineDimExpr(axis));
  }
  auto rowMap = AffineMap::get(rank, 0, rows, builder.getContext());
  auto columnMap = AffineMap::get(rank, 0, columns, builder.getContext());
  SumOfProducts sum(converter, location, type);
  Value start = filled(converter, location, type, sizes, bias, rank - 1);
  return sum.inBlocks(
      inner, SumOfProducts::most, start, [&](Value first, int64_t further) {
        OpFoldResult place = sum.place(first, further);
        sum.add(
            sliceAt(converter, location, left, rank - 1, place), rowMap,
            sliceAt(converter, location, right, rightType.getRank() - 2, place),
            columnMap);
      });
}

LogicalResult onnxfold::lowerMatMul(ToSequenceConverter &converter,
                                    Operator op) {
  Value left = converter.input(op, 0), right = converter.input(op, 1);
  if (!mayMultiply(rankedFloats(left), rankedFloats(right)))
    return lowerToKernel(converter, op);
  converter.set(op->getResult(0),
                multiply(converter, op->getLoc(), left, right, Value()));
  return success();
}

/// A constant matrix, transposed; null for others.
static Value transposed(ToSequenceConverter &converter, Value matrix) {
  auto constant = matrix.getDefiningOp<OnnxConstantOp>();
  auto type = dyn_cast<RankedTensorType>(matrix.getType());
  Elements elements =
      constant ? fromAttribute(constant.getValue()) : Elements();
  if (!elements || !type || type.getRank() != 2)
    return {};
  auto turned = RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                                      type.getElementType());
  return arith::ConstantOp::create(
      converter.builder, constant.getLoc(),
      toDenseAttribute(elements.transpose({1, 0}), turned));
}

LogicalResult onnxfold::lowerGemm(ToSequenceConverter &converter, Operator op) {
  Value left = converter.input(op, 0), right = converter.input(op, 1);
  Value bias = converter.input(op, 2);
  bool isPlain = op.getFloat("alpha", 1) == 1 && op.getFloat("beta", 1) == 1 &&
                 op.getInt("transA", 0) == 0;
  if (isPlain && op.getInt("transB", 0) != 0)
    right = transposed(converter, op.input(1));
  RankedTensorType type = rankedFloats(right);
  auto biasType = rankedFloats(bias);
  bool fits = isPlain && mayMultiply(rankedFloats(left), type) &&
              cast<RankedTensorType>(left.getType()).getRank() == 2 &&
              (!bias || (biasType && biasType.getRank() == 1 &&
                         biasType.getDimSize(0) == type.getDimSize(1)));
  if (!fits)
    return lowerToKernel(converter, op);
  converter.set(op->getResult(0),
                multiply(converter, op->getLoc(), left, right, bias));
  return success();
}
