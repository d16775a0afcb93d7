//===- ToSequenceOperators.cpp - The operators of sequences ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Types.h"
#include "onnxfold/onnx/tosequence/internal/ConvertedBodies.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;
using sequence::SequenceType;

/// Makes an operation of the sequence dialect with the result type that
/// follows; null, with an error, where the types of the model contradict.
template <typename Op>
static Value make(ToSequenceConverter &converter, Operator op,
                  ArrayRef<Value> operands,
                  typename Op::Properties properties = {}) {
  OperationState state(namedLocation(op), Op::getOperationName());
  for (Value operand : operands)
    if (operand)
      state.addOperands(operand);
  if (failed(Op::inferReturnTypes(op->getContext(), op->getLoc(),
                                  state.operands, {}, &properties, {},
                                  state.types)))
    return {};
  if constexpr (!std::is_same_v<typename Op::Properties, EmptyProperties>)
    state.getOrAddProperties<typename Op::Properties>() = properties;
  return converter.builder.create(state)->getResult(0);
}

/// Remembers a result, which is null after an error.
static LogicalResult setResult(ToSequenceConverter &converter, Operator op,
                               Value result) {
  converter.set(op->getResult(0), result);
  return success(result != nullptr);
}

/// A position as an index, none where it is not given. They are scalars, or, in
/// old models, vectors of one element.
static LogicalResult position(ToSequenceConverter &converter, Operator op,
                              unsigned input, Value &position) {
  Value tensor = converter.input(op, input);
  if (!tensor)
    return success();
  tensor = converter.asScalar(op.getOperation(), tensor);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || type.getRank() > 1)
    return op->emitError("convert-onnx-to-sequence: a position of type ")
           << tensor.getType();
  position = converter.indexOf(op->getLoc(), tensor);
  return success();
}

static LogicalResult lowerEmpty(ToSequenceConverter &converter, Operator op) {
  Type element =
      elementTypeOf(op.getInt("dtype", /*FLOAT*/ 1), op->getContext());
  TensorType type =
      element ? convertedTensor(UnrankedTensorType::get(element)) : nullptr;
  if (!type)
    return op->emitError("convert-onnx-to-sequence: a SequenceEmpty of this "
                         "element type");
  converter.set(op->getResult(0),
                sequence::EmptyOp::create(converter.builder, op->getLoc(),
                                          SequenceType::get(type, 0)));
  return success();
}

static LogicalResult lowerConstruct(ToSequenceConverter &converter,
                                    Operator op) {
  SmallVector<Value> elements;
  for (unsigned i = 0; i < op.numInputs(); ++i)
    elements.push_back(converter.input(op, i));
  return setResult(converter, op,
                   make<sequence::ConstructOp>(converter, op, elements));
}

static LogicalResult lowerInsert(ToSequenceConverter &converter, Operator op) {
  Value where;
  if (failed(position(converter, op, 2, where)))
    return failure();
  return setResult(converter, op,
                   make<sequence::InsertOp>(converter, op,
                                            {converter.input(op, 1),
                                             converter.input(op, 0), where}));
}

static LogicalResult lowerErase(ToSequenceConverter &converter, Operator op) {
  Value where;
  if (failed(position(converter, op, 1, where)))
    return failure();
  return setResult(
      converter, op,
      make<sequence::EraseOp>(converter, op, {converter.input(op, 0), where}));
}

static LogicalResult lowerAt(ToSequenceConverter &converter, Operator op) {
  Value where;
  if (failed(position(converter, op, 1, where)))
    return failure();
  Value list = converter.input(op, 0);
  // The model knows no more of the element than is known of the sequence,
  // unless somebody wrote it there: then `at` looks whether it is so.
  auto known = cast<SequenceType>(list.getType()).getElementType();
  TensorType said = convertedTensor(op->getResult(0).getType());
  if (said && sequence::covers(known, said))
    known = said;
  converter.set(op->getResult(0),
                sequence::AtOp::create(converter.builder, namedLocation(op),
                                       known, list, where));
  return success();
}

static LogicalResult lowerLength(ToSequenceConverter &converter, Operator op) {
  OpBuilder &builder = converter.builder;
  Value length =
      sequence::LengthOp::create(builder, op->getLoc(), converter.input(op, 0));
  Value number = arith::IndexCastOp::create(builder, op->getLoc(),
                                            builder.getI64Type(), length);
  converter.set(op->getResult(0), converter.scalar(op->getLoc(), number));
  return success();
}

/// The parts of a tensor by `split`: a scalar, which is the size of each, a
/// vector of their sizes, or null for slices of 1. Null after an error.
static Value splitBy(ToSequenceConverter &converter, Operator op, Value split) {
  OpBuilder &builder = converter.builder;
  auto type = split ? cast<RankedTensorType>(split.getType()) : nullptr;
  Value chunk, sizes;
  if (type && type.getRank() == 0) {
    chunk = converter.indexOf(op->getLoc(), split);
  } else if (type) {
    Type wide = type.clone(builder.getI64Type());
    sizes = type == wide
                ? split
                : arith::ExtSIOp::create(builder, op->getLoc(), wide, split)
                      .getResult();
  }
  sequence::SplitOp::Properties properties;
  properties.axis = builder.getI64IntegerAttr(op.getInt("axis", 0));
  // keepdims is for slices of 1 alone.
  if (!split && op.getInt("keepdims", 1) == 0)
    properties.squeeze = builder.getUnitAttr();
  properties.operandSegmentSizes = {1, chunk ? 1 : 0, sizes ? 1 : 0};
  return make<sequence::SplitOp>(
      converter, op, {converter.input(op, 0), chunk, sizes}, properties);
}

/// The same where only a run says whether `split` is a vector or a scalar.
static LogicalResult lowerOpenSplit(ToSequenceConverter &converter, Operator op,
                                    Value split) {
  OpBuilder &builder = converter.builder;
  Type element = cast<TensorType>(split.getType()).getElementType();
  Body bodies[2]; // of a vector, of a scalar
  SmallVector<int64_t> shapes[2] = {{ShapedType::kDynamic}, {}};
  for (auto [body, shape] : llvm::zip_equal(bodies, shapes)) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body.block.get());
    Value ranked = converter.coerce(op.getOperation(), split,
                                    RankedTensorType::get(shape, element));
    body.yielded.push_back(splitBy(converter, op, ranked));
    if (!body.yielded.front())
      return failure();
  }
  SmallVector<Type> types = {bodies[0].yielded.front().getType()};
  if (failed(joinAll(op, types, bodies[1].yielded)))
    return failure();
  for (Body &body : bodies)
    if (failed(addYield(converter, op, body.block.get(), body.yielded, types)))
      return failure();
  auto made = scf::IfOp::create(builder, op->getLoc(), types,
                                converter.isVector(op->getLoc(), split),
                                /*addThenBlock=*/false,
                                /*addElseBlock=*/false);
  made.getThenRegion().push_back(bodies[0].block.release());
  made.getElseRegion().push_back(bodies[1].block.release());
  return setResult(converter, op, made.getResult(0));
}

static LogicalResult lowerSplit(ToSequenceConverter &converter, Operator op) {
  Value split = converter.input(op, 1);
  auto type = split ? dyn_cast<TensorType>(split.getType()) : nullptr;
  if (type && !type.hasRank())
    return lowerOpenSplit(converter, op, split);
  if (split && (!type || type.getRank() > 1))
    return op->emitError("convert-onnx-to-sequence: a split of type ")
           << split.getType();
  return setResult(converter, op, splitBy(converter, op, split));
}

static LogicalResult lowerConcat(ToSequenceConverter &converter, Operator op) {
  sequence::ConcatOp::Properties properties;
  properties.axis = converter.builder.getI64IntegerAttr(op.getInt("axis", 0));
  if (op.getInt("new_axis", 0))
    properties.stack = converter.builder.getUnitAttr();
  return setResult(converter, op,
                   make<sequence::ConcatOp>(
                       converter, op, {converter.input(op, 0)}, properties));
}

ToSequenceLowering onnxfold::sequenceLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("SequenceEmpty", lowerEmpty)
      .Case("SequenceConstruct", lowerConstruct)
      .Case("SequenceInsert", lowerInsert)
      .Case("SequenceErase", lowerErase)
      .Case("SequenceAt", lowerAt)
      .Case("SequenceLength", lowerLength)
      .Case("SplitToSequence", lowerSplit)
      .Case("ConcatFromSequence", lowerConcat)
      .Default(nullptr);
}
