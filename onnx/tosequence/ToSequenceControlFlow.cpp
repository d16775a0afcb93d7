//===- ToSequenceControlFlow.cpp - If, Loop, SequenceMap ------------------===//
//
// Bodies are converted into blocks that belong to nobody yet, because only what
// they yield says the types of the operation around them.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;
using sequence::SequenceType;

namespace {
/// A body that was converted: what it yields, and where its operations are.
struct Body {
  std::unique_ptr<Block> block = std::make_unique<Block>();
  SmallVector<Value> yielded;
  SmallVector<Value> presences; // of those that are optionals, others null
};
} // namespace

/// Converts the operations of a graph to the end of a block; gives what the
/// graph yields.
static LogicalResult convertGraph(ToSequenceConverter &converter, Operator op,
                                  Region &graph, Body &body) {
  OpBuilder::InsertionGuard guard(converter.builder);
  converter.builder.setInsertionPointToEnd(body.block.get());
  if (failed(converter.convertBlock(graph.front())))
    return failure();
  for (Value operand : graph.front().getTerminator()->getOperands()) {
    body.yielded.push_back(converter.get(operand));
    body.presences.push_back(converter.presence(operand));
    if (!body.yielded.back())
      return errorAt(op, " yields a value that has no lowering");
  }
  return success();
}

/// Ends a block with an scf.yield of the values, as values of these types.
static LogicalResult addYield(ToSequenceConverter &converter, Operator op,
                              Block *block, ArrayRef<Value> values,
                              TypeRange types) {
  OpBuilder::InsertionGuard guard(converter.builder);
  converter.builder.setInsertionPointToEnd(block);
  SmallVector<Value> yielded;
  for (auto [value, type] : llvm::zip_equal(values, types)) {
    Value cast = converter.coerce(op.getOperation(), value, type);
    if (!cast)
      return failure();
    yielded.push_back(cast);
  }
  scf::YieldOp::create(converter.builder, op->getLoc(), yielded);
  return success();
}

/// Joins types of values one by one. Fails, with an error, where that is not
/// possible.
static LogicalResult joinAll(Operator op, SmallVectorImpl<Type> &types,
                             ArrayRef<Value> values) {
  for (auto [type, value] : llvm::zip_equal(types, values)) {
    Type joined = joinTypes(type, value.getType());
    if (!joined)
      return op->emitError("convert-onnx-to-sequence: values of type ")
             << type << " and " << value.getType() << " in one place";
    type = joined;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

static LogicalResult lowerIf(ToSequenceConverter &converter, Operator op) {
  Body branches[2];
  StringRef names[2] = {"then_branch", "else_branch"};
  for (auto [branch, name] : llvm::zip_equal(branches, names))
    if (failed(convertGraph(converter, op, *op.getGraph(name), branch)))
      return failure();
  for (Body &branch : branches)
    if (llvm::any_of(branch.presences, [](Value value) { return !!value; }))
      return errorAt(op, " yields an optional, which has no lowering");
  SmallVector<Type> types(ValueRange(branches[0].yielded).getTypes());
  if (failed(joinAll(op, types, branches[1].yielded)))
    return failure();
  for (Body &branch : branches)
    if (failed(
            addYield(converter, op, branch.block.get(), branch.yielded, types)))
      return failure();
  Value condition = converter.input(op, 0);
  if (!isa<RankedTensorType>(condition.getType()))
    return errorAt(op, " of a condition without rank");
  SmallVector<Value> indices(
      cast<RankedTensorType>(condition.getType()).getRank(),
      converter.index(op->getLoc(), 0));
  Value truth = tensor::ExtractOp::create(converter.builder, op->getLoc(),
                                          condition, indices);
  auto made = scf::IfOp::create(converter.builder, op->getLoc(), types, truth,
                                /*addThenBlock=*/false,
                                /*addElseBlock=*/false);
  made.getThenRegion().push_back(branches[0].block.release());
  made.getElseRegion().push_back(branches[1].block.release());
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), made.getResults()))
    converter.set(result, value);
  return success();
}

//===----------------------------------------------------------------------===//
// Loop
//===----------------------------------------------------------------------===//

namespace {
/// A Loop on its way to an scf.while whose state is: the number of the
/// iteration, whether to go on, the carried values, one sequence for each scan
/// output, and for each carried optional whether there is something.
class LoopLowering {
public:
  LoopLowering(ToSequenceConverter &converter, Operator op)
      : converter(converter), builder(converter.builder), op(op),
        location(op->getLoc()), body(op.getGraph("body")->front()),
        numCarried(op.numInputs() < 2 ? 0 : op.numInputs() - 2) {}
  LogicalResult run();

private:
  LogicalResult convertBody(Body &converted);
  LogicalResult findTypes(Body &converted);
  LogicalResult makeLoop(Body &converted);
  LogicalResult addPresences(Body &converted);
  void setCarried(scf::WhileOp loop);
  LogicalResult setScanOutput(unsigned result, Value list);
  Value yes() { return arith::ConstantIntOp::create(builder, location, 1, 1); }
  Value truth(Value tensor) {
    SmallVector<Value> indices;
    if (cast<RankedTensorType>(tensor.getType()).getRank() == 1)
      indices.push_back(converter.index(location, 0));
    return tensor::ExtractOp::create(builder, location, tensor, indices);
  }

  ToSequenceConverter &converter;
  OpBuilder &builder;
  Operator op;
  Location location;
  Block &body;
  unsigned numCarried;
  SmallVector<unsigned> optionals; // of the carried values
  SmallVector<Value> initial;      // carried values, empty sequences, presences
  SmallVector<Type> types;         // of them in the loop
};
} // namespace

/// Converts the body for state of `types`; it yields the condition and the next
/// state, as the values are.
LogicalResult LoopLowering::convertBody(Body &converted) {
  Block *block = converted.block.get();
  Value number = block->addArgument(builder.getIndexType(), location);
  Value goOn = block->addArgument(builder.getI1Type(), location);
  for (Type type : types)
    block->addArgument(type, location);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(block);
  Value number64 = arith::IndexCastOp::create(builder, location,
                                              builder.getI64Type(), number);
  converter.set(body.getArgument(0), converter.scalar(location, number64));
  converter.set(body.getArgument(1), converter.scalar(location, goOn));
  for (unsigned i = 0; i < numCarried; ++i)
    converter.setOptional(body.getArgument(2 + i), block->getArgument(2 + i),
                          Value());
  for (auto [k, i] : llvm::enumerate(optionals))
    converter.setOptional(body.getArgument(2 + i), block->getArgument(2 + i),
                          block->getArgument(2 + op.numOutputs() + k));
  if (failed(convertGraph(converter, op, *body.getParent(), converted)) ||
      failed(addPresences(converted)))
    return failure();
  // Each scan output is appended to its sequence.
  for (unsigned i = numCarried; i < op.numOutputs(); ++i) {
    Value &element = converted.yielded[1 + i];
    Value list = block->getArgument(2 + i);
    builder.setInsertionPointToEnd(block);
    if (!isa<TensorType>(element.getType()))
      return errorAt(op, " with a scan output that is no tensor");
    auto type = cast<SequenceType>(list.getType());
    if (type.getElementType().getElementType() !=
        cast<TensorType>(element.getType()).getElementType())
      return errorAt(op, " with a scan output of another type than declared");
    element = sequence::InsertOp::create(builder, location, element, list,
                                         /*position=*/Value());
  }
  return success();
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

/// The types of the state: those that cover what goes in and what the body
/// yields, to a fixpoint. Types only grow, and not for ever: each dimension and
/// length is given up once, then the rank.
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
    SmallVector<Type> stateTypes(block->getArgumentTypes());
    if (failed(addYield(converter, op, block, state, stateTypes)))
      return failure();
  }
  Value trips = converter.input(op, 0), condition = converter.input(op, 1);
  Value limit = trips ? converter.indexOf(location, trips) : Value();
  SmallVector<Value> inits = {converter.index(location, 0),
                              condition ? truth(condition) : yes()};
  for (auto [value, type] : llvm::zip_equal(initial, types)) {
    inits.push_back(converter.coerce(op.getOperation(), value, type));
    if (!inits.back())
      return failure();
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

/// The results that are carried. What goes in as an optional may come out as
/// what is in it: then it must be there.
void LoopLowering::setCarried(scf::WhileOp loop) {
  for (unsigned i = 0; i < numCarried; ++i)
    converter.set(op->getResult(i), loop.getResult(2 + i));
  for (auto [k, i] : llvm::enumerate(optionals)) {
    Value present = loop.getResult(2 + op.numOutputs() + k);
    if (isa<OnnxOptionalType>(op->getResult(i).getType()))
      converter.setOptional(op->getResult(i), loop.getResult(2 + i), present);
    else
      cf::AssertOp::create(builder, location, present,
                           "Loop: an optional result is not there");
  }
}

/// All elements of a list along a new first axis; no iteration gives extent 0.
LogicalResult LoopLowering::setScanOutput(unsigned result, Value list) {
  auto element = dyn_cast<RankedTensorType>(
      cast<SequenceType>(list.getType()).getElementType());
  if (!element)
    return errorAt(op, " with a scan output without rank");
  SmallVector<int64_t> shape = {ShapedType::kDynamic};
  llvm::append_range(shape, element.getShape());
  auto type = RankedTensorType::get(shape, element.getElementType());
  Value length = sequence::LengthOp::create(builder, location, list);
  Value zero = converter.index(location, 0);
  Value none = arith::CmpIOp::create(builder, location,
                                     arith::CmpIPredicate::eq, length, zero);
  auto choice = scf::IfOp::create(
      builder, location, none,
      [&](OpBuilder &builder, Location location) {
        // Of what is not known of a shape, ONNX does not say what it is.
        SmallVector<Value> dims(type.getNumDynamicDims(), zero);
        Value empty = tensor::EmptyOp::create(builder, location, type, dims);
        scf::YieldOp::create(builder, location, empty);
      },
      [&](OpBuilder &builder, Location location) {
        Value all = sequence::ConcatOp::create(builder, location, type, list,
                                               /*axis=*/0, /*stack=*/true);
        scf::YieldOp::create(builder, location, all);
      });
  converter.set(op->getResult(result), choice.getResult(0));
  return success();
}

LogicalResult LoopLowering::run() {
  for (unsigned i = 0; i < numCarried; ++i) {
    initial.push_back(converter.input(op, 2 + i));
    if (!initial.back())
      return errorAt(op, " with an initial value that has no lowering");
    if (converter.presence(op.input(2 + i)) ||
        isa<OnnxOptionalType>(body.getArgument(2 + i).getType()))
      optionals.push_back(i);
  }
  for (unsigned i = numCarried; i < op.numOutputs(); ++i) {
    auto type = dyn_cast<TensorType>(op->getResult(i).getType());
    auto yielded =
        dyn_cast<TensorType>(body.getTerminator()->getOperand(1 + i).getType());
    if (!type && !yielded)
      return errorAt(op, " with a scan output that is no tensor");
    Type element = (type ? type : yielded).getElementType();
    initial.push_back(sequence::EmptyOp::create(
        builder, location,
        SequenceType::get(UnrankedTensorType::get(element), 0)));
  }
  for (unsigned i : optionals) {
    Value present = converter.presence(op.input(2 + i));
    initial.push_back(present ? present : yes());
  }
  types.assign(ValueRange(initial).getTypes().begin(),
               ValueRange(initial).getTypes().end());
  Body converted;
  if (failed(findTypes(converted)))
    return failure();
  return makeLoop(converted);
}

static LogicalResult lowerLoop(ToSequenceConverter &converter, Operator op) {
  return LoopLowering(converter, op).run();
}

//===----------------------------------------------------------------------===//
// SequenceMap
//===----------------------------------------------------------------------===//

/// The elements at one position, and tensors as they are.
static void setMapArguments(ToSequenceConverter &converter, Operator op,
                            Block &body, Value position) {
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    Value input = converter.input(op, i);
    if (isa<SequenceType>(input.getType()))
      input = sequence::AtOp::create(converter.builder, op->getLoc(), input,
                                     position);
    converter.set(argument, input);
  }
}

static LogicalResult lowerMap(ToSequenceConverter &converter, Operator op) {
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  Region &graph = *op.getGraph("body");
  Body body;
  Value position = body.block->addArgument(builder.getIndexType(), location);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body.block.get());
    setMapArguments(converter, op, graph.front(), position);
  }
  if (failed(convertGraph(converter, op, graph, body)))
    return failure();
  SmallVector<Value> initial, next;
  SmallVector<Type> types;
  for (Value &value : body.yielded) {
    auto element = dyn_cast<TensorType>(value.getType());
    if (!element)
      return errorAt(op, " with an output that is no tensor");
    types.push_back(SequenceType::get(element, ShapedType::kDynamic));
    auto empty = sequence::EmptyOp::create(builder, location,
                                           SequenceType::get(element, 0));
    initial.push_back(converter.coerce(op.getOperation(), empty, types.back()));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(body.block.get());
    next.push_back(sequence::InsertOp::create(
        builder, location, value,
        body.block->addArgument(types.back(), location), Value()));
  }
  if (failed(addYield(converter, op, body.block.get(), next, types)))
    return failure();
  Value zero = converter.index(location, 0), one = converter.index(location, 1);
  Value length =
      sequence::LengthOp::create(builder, location, converter.input(op, 0));
  auto loop = scf::ForOp::create(builder, location, zero, length, one, initial);
  loop.getRegion().getBlocks().clear();
  loop.getRegion().push_back(body.block.release());
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), loop.getResults()))
    converter.set(result, value);
  return success();
}

ToSequenceLowering onnxfold::controlFlowLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("If", lowerIf)
      .Case("Loop", lowerLoop)
      .Case("SequenceMap", lowerMap)
      .Default(nullptr);
}
