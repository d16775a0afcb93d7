//===- ToSequenceControlFlow.cpp - If, SequenceMap, and bodies ------------===//
// SPDX-License-Identifier: Apache-2.0
//
// ToSequenceLoops.cpp has the loops.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/tosequence/internal/ConvertedBodies.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;
using sequence::SequenceType;

LogicalResult onnxfold::convertGraph(ToSequenceConverter &converter,
                                     Operator op, Region &graph, Body &body) {
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

LogicalResult onnxfold::checkBody(Operator op, StringRef name,
                                  unsigned arguments, unsigned yielded) {
  Block &block = op.getGraph(name)->front();
  unsigned has = block.getNumArguments();
  if (has != arguments)
    return errorAt(op, " whose " + name + " has " + Twine(has) +
                           " inputs, expected " + Twine(arguments));
  has = block.getTerminator()->getNumOperands();
  if (has != yielded)
    return errorAt(op, " whose " + name + " has " + Twine(has) +
                           " outputs, expected " + Twine(yielded));
  return success();
}

LogicalResult onnxfold::addYield(ToSequenceConverter &converter, Operator op,
                                 Block *block, ArrayRef<Value> values,
                                 TypeRange types, ArrayRef<Value> presences) {
  OpBuilder::InsertionGuard guard(converter.builder);
  converter.builder.setInsertionPointToEnd(block);
  SmallVector<Value> yielded;
  for (auto [i, value, type] : llvm::enumerate(values, types)) {
    bool isNothing = i < presences.size() && converter.isNothing(presences[i]);
    Value cast = converter.coerce(
        op.getOperation(),
        isNothing ? converter.nothing(op->getLoc(), type) : value, type);
    if (!cast)
      return failure();
    yielded.push_back(cast);
  }
  scf::YieldOp::create(converter.builder, op->getLoc(), yielded);
  return success();
}

LogicalResult onnxfold::joinAll(Operator op, SmallVectorImpl<Type> &types,
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

/// The types that two branches yield. What is nothing in one has the type of the
/// other.
static LogicalResult joinBranches(Operator op, const Body &left,
                                  const Body &right,
                                  SmallVectorImpl<Type> &types) {
  for (auto [i, mine, other] : llvm::enumerate(left.yielded, right.yielded)) {
    bool noneLeft = ToSequenceConverter::isNothing(left.presences[i]);
    bool noneRight = ToSequenceConverter::isNothing(right.presences[i]);
    types.push_back(noneLeft ? other.getType() : mine.getType());
    if (noneLeft || noneRight) { // and it has no elements
      if (auto list = dyn_cast<SequenceType>(types.back()))
        types.back() =
            SequenceType::get(list.getElementType(), ShapedType::kDynamic);
      continue;
    }
    types.back() = joinTypes(mine.getType(), other.getType());
    if (!types.back())
      return op->emitError("convert-onnx-to-sequence: values of type ")
             << mine.getType() << " and " << other.getType() << " in one place";
  }
  return success();
}

static LogicalResult lowerIf(ToSequenceConverter &converter, Operator op) {
  OpBuilder &builder = converter.builder;
  Body branches[2];
  StringRef names[2] = {"then_branch", "else_branch"};
  for (auto [branch, name] : llvm::zip_equal(branches, names))
    if (failed(checkBody(op, name, 0, op.numOutputs())) ||
        failed(convertGraph(converter, op, *op.getGraph(name), branch)))
      return failure();
  SmallVector<Type> types;
  if (failed(joinBranches(op, branches[0], branches[1], types)))
    return failure();
  // Behind the values: whether those that may be nothing are there.
  SmallVector<unsigned> optionals;
  for (unsigned i = 0; i < op.numOutputs(); ++i)
    if (branches[0].presences[i] || branches[1].presences[i])
      optionals.push_back(i);
  types.append(optionals.size(), builder.getI1Type());
  for (Body &branch : branches) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(branch.block.get());
    for (unsigned i : optionals)
      branch.yielded.push_back(
          branch.presences[i]
              ? branch.presences[i]
              : arith::ConstantIntOp::create(builder, op->getLoc(), 1, 1));
    if (failed(addYield(converter, op, branch.block.get(), branch.yielded,
                        types, branch.presences)))
      return failure();
  }
  Value truth =
      converter.onlyElement(op.getOperation(), converter.input(op, 0));
  auto made = scf::IfOp::create(builder, op->getLoc(), types, truth,
                                /*addThenBlock=*/false,
                                /*addElseBlock=*/false);
  made.getThenRegion().push_back(branches[0].block.release());
  made.getElseRegion().push_back(branches[1].block.release());
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    converter.setOptional(result, made.getResult(i), Value());
  for (auto [k, i] : llvm::enumerate(optionals))
    converter.setOptional(op->getResult(i), made.getResult(i),
                          made.getResult(op.numOutputs() + k));
  return success();
}

//===----------------------------------------------------------------------===//
// SequenceMap
//===----------------------------------------------------------------------===//

/// The elements at one position, and tensors as they are.
static void setMapArguments(ToSequenceConverter &converter, Operator op,
                            Block &body, Value position) {
  for (auto [i, argument] : llvm::enumerate(body.getArguments())) {
    Value input = converter.input(op, i);
    // A type of an element that the body states is checked where it says more
    // than what is known.
    TensorType said = convertedTensor(argument.getType());
    if (auto list = dyn_cast<SequenceType>(input.getType())) {
      TensorType type = list.getElementType();
      if (said && sequence::covers(type, said))
        type = said;
      input = sequence::AtOp::create(converter.builder, op->getLoc(), type,
                                     input, position);
    } else if (auto type = dyn_cast<TensorType>(input.getType());
               type && said && sequence::covers(type, said)) {
      input = converter.coerce(op.getOperation(), input, said);
    }
    converter.set(argument, input);
  }
}

static LogicalResult lowerMap(ToSequenceConverter &converter, Operator op) {
  OpBuilder &builder = converter.builder;
  Location location = op->getLoc();
  if (failed(checkBody(op, "body", op.numInputs(), op.numOutputs())))
    return failure();
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
      return errorAt(op, " with an output that is not a tensor");
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

/// The kernel knows the batches and lengths of opset 8, and takes slices of what
/// has no rank.
static LogicalResult lowerScan(ToSequenceConverter &converter, Operator op) {
  int64_t scanned = op.getInt("num_scan_inputs", 0);
  bool hasRanks = true;
  for (int64_t i = std::max<int64_t>(op.numInputs() - scanned, 0);
       i < int64_t(op.numInputs()); ++i) {
    Value input = converter.input(op, i);
    hasRanks &= input && !isa<UnrankedTensorType>(input.getType());
  }
  return op.since() < 9 || !hasRanks ? lowerToKernel(converter, op)
                                     : lowerLoop(converter, op);
}

ToSequenceLowering onnxfold::controlFlowLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("If", lowerIf)
      .Case("Loop", lowerLoop)
      .Case("Scan", lowerScan)
      .Case("SequenceMap", lowerMap)
      .Default(nullptr);
}
