//===- ToSequenceLoops.cpp - Loop and Scan --------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/tosequence/internal/ConvertedBodies.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace onnxfold;
using sequence::SequenceType;

namespace {
/// A Loop on its way to an scf.while whose state is: the number of the
/// iteration, whether to continue, the carried values, one sequence for each
/// scan output, and for each carried optional whether there is something. A
/// Scan is a Loop without a condition, whose bodies get slices.
class LoopLowering {
public:
  LoopLowering(ToSequenceConverter &converter, Operator op)
      : converter(converter), builder(converter.builder), op(op),
        location(op->getLoc()), body(op.getGraph("body")->front()),
        isScan(op.opType() == "Scan"), numGiven(isScan ? 0 : 2),
        numCarried(op.numInputs() < numGiven ? 0 : op.numInputs() - numGiven) {
    if (isScan)
      numCarried -=
          std::min<int64_t>(numCarried, op.getInt("num_scan_inputs", 0));
  }
  LogicalResult run();

private:
  LogicalResult convertBody(Body &converted);
  LogicalResult findTypes(Body &converted);
  LogicalResult makeLoop(Body &converted);
  LogicalResult addPresences(Body &converted);
  void setCarried(scf::WhileOp loop);
  LogicalResult setScanOutput(unsigned result, Value list);
  LogicalResult findSlices();
  Value sliceOf(unsigned scanInput, Value number);
  Type boxed(Type type);
  Value box(Value value, Type type);
  Value unbox(Value value, Type type);
  Value yes() { return arith::ConstantIntOp::create(builder, location, 1, 1); }
  Value given(BlockArgument argument, Value element);
  Value truth(Value tensor) {
    return converter.onlyElement(op.getOperation(), tensor);
  }
  /// The output of the body for a result of the operator.
  Value bodyOutput(unsigned result) const {
    return body.getTerminator()->getOperand((isScan ? 0 : 1) + result);
  }
  /// The axis of the scan input or output of a number.
  int64_t axisOf(StringRef name, unsigned number) const {
    auto axes = op.getInts(name);
    return axes && number < axes->size() ? (*axes)[number] : 0;
  }
  bool isBackward(StringRef name, unsigned number) const {
    return axisOf(name, number) != 0;
  }

  ToSequenceConverter &converter;
  OpBuilder &builder;
  Operator op;
  Location location;
  Block &body;
  bool isScan;
  unsigned numGiven; // arguments of the body before the carried ones
  unsigned numCarried;
  Value trips;                     // an index; null: for ever
  SmallVector<unsigned> optionals; // of the carried values
  SmallVector<Value> initial;      // carried values, empty sequences, presences
  SmallVector<Type> types;         // of them in the loop
};
} // namespace

/// The number of an iteration, or the condition. Old converters declare them as
/// vectors of one element, and ONNX Runtime gives them as declared.
Value LoopLowering::given(BlockArgument argument, Value element) {
  auto said =
      dyn_cast_or_null<RankedTensorType>(convertedTensor(argument.getType()));
  if (!said || said.getRank() != 1)
    return converter.scalar(location, element);
  return tensor::FromElementsOp::create(
      builder, location, RankedTensorType::get({1}, element.getType()),
      element);
}

/// A carried tensor without rank is in a sequence of one element: bufferization
/// cannot copy it, and a sequence shares it.
Type LoopLowering::boxed(Type type) {
  auto tensor = dyn_cast<UnrankedTensorType>(type);
  return tensor ? SequenceType::get(tensor, 1) : type;
}

Value LoopLowering::box(Value value, Type type) {
  if (boxed(type) == type)
    return value;
  Value tensor =
      sequence::castTensor(builder, location, value, cast<TensorType>(type));
  return sequence::ConstructOp::create(builder, location,
                                       TypeRange(boxed(type)), tensor);
}

Value LoopLowering::unbox(Value value, Type type) {
  if (boxed(type) == type)
    return value;
  return sequence::AtOp::create(builder, location, type, value,
                                converter.index(location, 0));
}

/// Converts the body for state of `types`; it yields the condition and the next
/// state, as the values are.
LogicalResult LoopLowering::convertBody(Body &converted) {
  Block *block = converted.block.get();
  Value number = block->addArgument(builder.getIndexType(), location);
  Value goOn = block->addArgument(builder.getI1Type(), location);
  for (Type type : types)
    block->addArgument(boxed(type), location);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  Value number64 = arith::IndexCastOp::create(builder, location,
                                              builder.getI64Type(), number);
  if (!isScan) {
    converter.set(body.getArgument(0), given(body.getArgument(0), number64));
    converter.set(body.getArgument(1), given(body.getArgument(1), goOn));
  }
  for (unsigned i = 0; i < numCarried; ++i)
    converter.setOptional(body.getArgument(numGiven + i),
                          unbox(block->getArgument(2 + i), types[i]), Value());
  for (unsigned i = numGiven + numCarried; i < body.getNumArguments(); ++i)
    converter.set(body.getArgument(i),
                  sliceOf(i - numGiven - numCarried, number));
  for (auto [k, i] : llvm::enumerate(optionals)) {
    Value argument = body.getArgument(numGiven + i);
    converter.setOptional(argument, converter.get(argument),
                          block->getArgument(2 + op.numOutputs() + k));
  }
  if (failed(convertGraph(converter, op, *body.getParent(), converted)))
    return failure();
  if (isScan) { // it always continues
    builder.setInsertionPointToEnd(block);
    converted.yielded.insert(converted.yielded.begin(),
                             converter.scalar(location, yes()));
    converted.presences.insert(converted.presences.begin(), Value());
  }
  if (failed(addPresences(converted)))
    return failure();
  // Each scan output is appended to its sequence.
  for (unsigned i = numCarried; i < op.numOutputs(); ++i) {
    Value &element = converted.yielded[1 + i];
    Value list = block->getArgument(2 + i);
    builder.setInsertionPointToEnd(block);
    if (!isa<TensorType>(element.getType()))
      return errorAt(op, " with a scan output that is not a tensor");
    auto type = cast<SequenceType>(list.getType());
    if (type.getElementType().getElementType() !=
        cast<TensorType>(element.getType()).getElementType())
      return errorAt(op, " with a scan output of another type than declared");
    bool atFront = isBackward("scan_output_directions", i - numCarried);
    element = sequence::InsertOp::create(builder, location, element, list,
                                         atFront ? converter.index(location, 0)
                                                 : Value());
  }
  return success();
}

/// How many iterations a Scan has: the extent of its inputs along their axes.
LogicalResult LoopLowering::findSlices() {
  if (op.since() < 9)
    return errorAt(op, " of a version before 9");
  for (unsigned i = numCarried; i < op.numInputs(); ++i) {
    auto type = dyn_cast<RankedTensorType>(converter.input(op, i).getType());
    if (!type)
      return errorAt(op, " of an input without rank");
    int64_t axis = axisOf("scan_input_axes", i - numCarried);
    axis = axis < 0 ? axis + type.getRank() : axis;
    if (axis < 0 || axis >= type.getRank())
      return errorAt(op, " of axis " + Twine(axis));
    Value extent = converter.dim(location, converter.input(op, i), axis);
    if (!trips) {
      trips = extent;
      continue;
    }
    Value same = arith::CmpIOp::create(builder, location,
                                       arith::CmpIPredicate::eq, extent, trips);
    cf::AssertOp::create(builder, location, same,
                         "Scan: inputs of different lengths");
  }
  return trips ? success() : errorAt(op, " without scan inputs");
}

/// The slice of a scan input in an iteration.
Value LoopLowering::sliceOf(unsigned scanInput, Value number) {
  Value input = converter.input(op, numCarried + scanInput);
  auto type = cast<RankedTensorType>(input.getType());
  int64_t sliced = axisOf("scan_input_axes", scanInput);
  sliced = sliced < 0 ? sliced + type.getRank() : sliced;
  if (isBackward("scan_input_directions", scanInput)) {
    Value last = arith::SubIOp::create(builder, location, trips,
                                       converter.index(location, 1));
    number = arith::SubIOp::create(builder, location, last, number);
  }
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes,
      strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    if (axis == sliced)
      sizes.push_back(builder.getIndexAttr(1));
    else if (type.isDynamicDim(axis))
      sizes.push_back(converter.dim(location, input, axis));
    else
      sizes.push_back(builder.getIndexAttr(type.getDimSize(axis)));
    if (axis != sliced)
      shape.push_back(type.getDimSize(axis));
  }
  offsets[sliced] = number;
  if (hasNoElements(input)) {
    sizes.erase(sizes.begin() + sliced);
    return tensor::EmptyOp::create(builder, location, sizes,
                                   type.getElementType());
  }
  return tensor::ExtractSliceOp::create(
      builder, location, RankedTensorType::get(shape, type.getElementType()),
      input, offsets, sizes, strides);
}

/// Appends to what the body yields whether its optionals are there.
LogicalResult LoopLowering::addPresences(Body &converted) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(converted.block.get());
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    if (converted.presences[1 + i] && !llvm::is_contained(optionals, i))
      return errorAt(op, " yields an optional for what is none");
  for (unsigned i : optionals) {
    Value present = converted.presences[1 + i];
    converted.yielded.push_back(present ? present : yes());
  }
  return success();
}

/// The types of the state: those that cover the initial values and what the
/// body yields, to a fixpoint. Types only grow, and not for ever: each
/// dimension and length is given up once, then the rank.
LogicalResult LoopLowering::findTypes(Body &converted) {
  while (true) {
    converted = Body();
    if (failed(convertBody(converted)))
      return failure();
    SmallVector<Type> joined = types;
    if (failed(joinAll(op, joined,
                       ArrayRef<Value>(converted.yielded).drop_front())))
      return failure();
    if (joined == types)
      return success();
    types = joined;
    converted.block->dropAllReferences();
  }
}

LogicalResult LoopLowering::makeLoop(Body &converted) {
  Block *block = converted.block.get();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(block);
    Value next = arith::AddIOp::create(builder, location, block->getArgument(0),
                                       converter.index(location, 1));
    SmallVector<Value> state = {next, truth(converted.yielded[0])};
    llvm::append_range(state, ArrayRef<Value>(converted.yielded).drop_front());
    for (auto [i, type] : llvm::enumerate(types))
      state[2 + i] = box(state[2 + i], type);
    SmallVector<Type> stateTypes(block->getArgumentTypes());
    if (failed(addYield(converter, op, block, state, stateTypes)))
      return failure();
  }
  Value condition = isScan ? Value() : converter.input(op, 1);
  Value limit = trips;
  SmallVector<Value> inits = {converter.index(location, 0),
                              condition ? truth(condition) : yes()};
  for (auto [value, type] : llvm::zip_equal(initial, types)) {
    Value init = converter.coerce(op.getOperation(), value, type);
    if (!init)
      return failure();
    inits.push_back(box(init, type));
  }
  SmallVector<Type> stateTypes(block->getArgumentTypes());
  auto loop = scf::WhileOp::create(
      builder, location, stateTypes, inits,
      [&](OpBuilder &builder, Location location, ValueRange state) {
        Value more = state[1];
        if (limit)
          more = arith::AndIOp::create(
              builder, location, more,
              arith::CmpIOp::create(builder, location,
                                    arith::CmpIPredicate::slt, state[0],
                                    limit));
        scf::ConditionOp::create(builder, location, more, state);
      },
      nullptr);
  loop.getAfter().getBlocks().clear();
  loop.getAfter().push_back(converted.block.release());
  setCarried(loop);
  for (unsigned i = numCarried; i < op.numOutputs(); ++i)
    if (failed(setScanOutput(i, loop.getResult(2 + i))))
      return failure();
  return success();
}

/// The loop-carried results. An optional may come out as its element: then the
/// element must be there.
void LoopLowering::setCarried(scf::WhileOp loop) {
  for (unsigned i = 0; i < numCarried; ++i)
    converter.set(op->getResult(i), unbox(loop.getResult(2 + i), types[i]));
  for (auto [k, i] : llvm::enumerate(optionals)) {
    Value present = loop.getResult(2 + op.numOutputs() + k);
    if (isa<OnnxOptionalType>(op->getResult(i).getType()))
      converter.setOptional(op->getResult(i), converter.get(op->getResult(i)),
                            present);
    else
      cf::AssertOp::create(builder, location, present,
                           "Loop: an optional result is not there");
  }
}

/// The type of a scan output whose elements are of a type: with an axis more,
/// or, if they have no rank, what the model says.
static TensorType stackedType(TensorType element, TensorType said,
                              int64_t &axis) {
  auto ranked = dyn_cast<RankedTensorType>(element);
  if (!ranked) {
    auto declared = dyn_cast_or_null<RankedTensorType>(said);
    return declared ? TensorType(declared) : element;
  }
  SmallVector<int64_t> shape(ranked.getShape());
  axis = axis < 0 ? axis + ranked.getRank() + 1 : axis;
  if (axis < 0 || axis > ranked.getRank())
    return {};
  shape.insert(shape.begin() + axis, ShapedType::kDynamic);
  return RankedTensorType::get(shape, element.getElementType());
}

/// The type of a scan output after no iteration: sizes that `type` leaves open
/// are those that the body declares of an element, as ONNX Runtime has it.
static TensorType typeOfNothing(TensorType type, TensorType declared,
                                int64_t axis) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  auto element = dyn_cast_or_null<RankedTensorType>(declared);
  if (!ranked || !element || element.getRank() + 1 != ranked.getRank())
    return type;
  SmallVector<int64_t> shape(ranked.getShape()), sizes(element.getShape());
  sizes.insert(sizes.begin() + axis, ShapedType::kDynamic);
  for (auto [size, known] : llvm::zip_equal(shape, sizes))
    if (ShapedType::isDynamic(size))
      size = known;
  return RankedTensorType::get(shape, ranked.getElementType());
}

/// All elements of a list along a new axis; no iteration gives extent 0.
LogicalResult LoopLowering::setScanOutput(unsigned result, Value list) {
  int64_t axis = isScan ? axisOf("scan_output_axes", result - numCarried) : 0;
  TensorType type =
      stackedType(cast<SequenceType>(list.getType()).getElementType(),
                  convertedTensor(op->getResult(result).getType()), axis);
  if (!type)
    return errorAt(op, " of axis " + Twine(axis));
  Value length = sequence::LengthOp::create(builder, location, list);
  Value zero = converter.index(location, 0);
  Value none = arith::CmpIOp::create(builder, location,
                                     arith::CmpIPredicate::eq, length, zero);
  auto choice = scf::IfOp::create(
      builder, location, none,
      [&](OpBuilder &builder, Location location) {
        // ONNX does not say what an unknown part of a shape is.
        Type declared = bodyOutput(result).getType();
        Value empty = converter.nothing(
            location, typeOfNothing(type, convertedTensor(declared), axis));
        scf::YieldOp::create(
            builder, location,
            sequence::castTensor(builder, location, empty, type));
      },
      [&](OpBuilder &builder, Location location) {
        Value all = sequence::ConcatOp::create(builder, location, type, list,
                                               axis, /*stack=*/true);
        scf::YieldOp::create(builder, location, all);
      });
  converter.set(op->getResult(result), choice.getResult(0));
  return success();
}

LogicalResult LoopLowering::run() {
  unsigned scanned = op.numInputs() -
                     std::min<unsigned>(op.numInputs(), numGiven + numCarried);
  if (failed(checkBody(op, "body", numGiven + numCarried + scanned,
                       (isScan ? 0 : 1) + op.numOutputs())))
    return failure();
  if (op.numOutputs() < numCarried)
    return errorAt(op, " with fewer outputs than carried values");
  if (isScan && failed(findSlices()))
    return failure();
  if (Value given = isScan ? Value() : converter.input(op, 0))
    trips = arith::IndexCastOp::create(
        builder, location, builder.getIndexType(),
        converter.onlyElement(op.getOperation(), given));
  for (unsigned i = 0; i < numCarried; ++i) {
    initial.push_back(converter.input(op, numGiven + i));
    if (!initial.back())
      return errorAt(op, " with an initial value that has no lowering");
    if (converter.presence(op.input(numGiven + i)) ||
        isa<OnnxOptionalType>(body.getArgument(numGiven + i).getType()))
      optionals.push_back(i);
  }
  for (unsigned i = numCarried; i < op.numOutputs(); ++i) {
    auto type = convertedTensor(op->getResult(i).getType());
    auto yielded = convertedTensor(bodyOutput(i).getType());
    if (!type && !yielded)
      return errorAt(op, " with a scan output that is not a tensor");
    Type element = (type ? type : yielded).getElementType();
    initial.push_back(sequence::EmptyOp::create(
        builder, location,
        SequenceType::get(UnrankedTensorType::get(element), 0)));
  }
  for (unsigned i : optionals) {
    Value present = converter.presence(op.input(numGiven + i));
    initial.push_back(present ? present : yes());
  }
  types.assign(ValueRange(initial).getTypes().begin(),
               ValueRange(initial).getTypes().end());
  Body converted;
  if (failed(findTypes(converted)))
    return failure();
  return makeLoop(converted);
}

LogicalResult onnxfold::lowerLoop(ToSequenceConverter &converter, Operator op) {
  return LoopLowering(converter, op).run();
}
