//===- ElementFlow.cpp - Element types that follow from calls -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/convert/internal/ElementFlow.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/transforms/convert/internal/SchemaTypes.h"
#include "onnxfold/onnx/transforms/convert/internal/TypeClasses.h"
#include "onnx/defs/schema.h"

using namespace onnxfold;
using namespace mlir;

static bool isUnknown(Value value) {
  return isa<OnnxUnknownType>(value.getType());
}

void ElementFlow::learn(Value value, Type type) {
  if (!isUnknown(value) || unclear.contains(value) ||
      elementTypeOf(type) == DataType::Undefined)
    return;
  value.setType(
      UnrankedTensorType::get(cast<TensorType>(type).getElementType()));
  learned.push_back(value);
  isChanged = true;
}

/// The types that calls pass for an argument. (One may pass nothing.)
static SmallVector<DataType> typesPassed(const CallGraph::Function &function,
                                         unsigned argument) {
  SmallVector<DataType> types;
  for (Operation *call : function.calls)
    if (argument < call->getNumOperands() &&
        !isAbsent(call->getOperand(argument)))
      types.push_back(elementTypeOf(call->getOperand(argument).getType()));
  return types;
}

/// A call may pass what an earlier one gave, so one type that is known is taken
/// for that of all until more is known.
void ElementFlow::visitArguments(const CallGraph::Function &function) {
  for (BlockArgument argument : function.op->getRegion(0).getArguments())
    if (isUnknown(argument))
      for (DataType type : typesPassed(function, argument.getArgNumber()))
        if (type != DataType::Undefined)
          learn(argument, UnrankedTensorType::get(
                              toElementType(type, argument.getContext())));
}

/// True if all calls pass what was taken for the type of an argument. Otherwise
/// the argument stays unknown.
bool ElementFlow::confirmArguments() {
  bool isRight = true;
  for (Value value : learned) {
    auto argument = dyn_cast<BlockArgument>(value);
    const CallGraph::Function *function =
        argument ? calls.find(argument.getOwner()->getParentOp()) : nullptr;
    if (!function)
      continue;
    DataType taken = elementTypeOf(value.getType());
    for (DataType type : typesPassed(*function, argument.getArgNumber())) {
      if (type == taken)
        continue;
      isRight = false;
      unclear.insert(value);
      if (type != DataType::Undefined)
        mixed.insert(value);
    }
  }
  return isRight;
}

void ElementFlow::visitCall(Operator op, Operation *callee) {
  Operation &end = callee->getRegion(0).front().back();
  for (auto [result, given] : llvm::zip(op->getResults(), end.getOperands()))
    learn(result, given.getType());
}

void ElementFlow::visitIf(Operator op) {
  for (Region &region : op->getRegions())
    for (auto [result, given] :
         llvm::zip(op->getResults(), region.front().back().getOperands()))
      learn(result, given.getType());
}

void ElementFlow::visitLoop(Operator op) {
  Block &body = op->getRegion(0).front();
  auto ends = body.back().getOperands();
  for (unsigned i = 2; i < op.numInputs() && i < body.getNumArguments(); ++i)
    learn(body.getArgument(i), op->getOperand(i).getType());
  for (auto [i, result] : llvm::enumerate(op->getResults()))
    if (i + 1 < ends.size())
      learn(result, ends[i + 1].getType());
}

void ElementFlow::visitScan(Operator op) {
  Block &body = op->getRegion(0).front();
  for (auto [argument, operand] :
       llvm::zip(body.getArguments(), op->getOperands()))
    learn(argument, operand.getType());
  for (auto [result, given] :
       llvm::zip(op->getResults(), body.back().getOperands()))
    learn(result, given.getType());
}

/// By the type variables of the schema, or else by inference.
void ElementFlow::visitPlain(Operator op, const onnx::OpSchema &schema) {
  if (llvm::none_of(op->getResults(), isUnknown))
    return;
  for (OpResult result : op->getResults()) {
    if (!isUnknown(result))
      continue;
    std::string variable =
        formalOutput(schema, result.getResultNumber(), DataType::Undefined)
            .variable;
    for (OpOperand &place : op->getOpOperands())
      if (formalInput(schema, place.getOperandNumber(), DataType::Undefined)
              .variable == variable)
        learn(result, place.get().getType());
  }
  if (llvm::none_of(op->getResults(), isUnknown) || op.hasReferences())
    return;
  auto types = inferElements(op, [](unsigned) { return DataType::Undefined; });
  if (!types)
    return;
  for (auto [result, type] : llvm::zip(op->getResults(), *types))
    if (type != DataType::Undefined)
      learn(result,
            UnrankedTensorType::get(toElementType(type, op->getContext())));
}

void ElementFlow::visit(Operator op) {
  if (const CallGraph::Function *callee = calls.calledBy(op.getOperation()))
    return visitCall(op, callee->op);
  const onnx::OpSchema *schema = op.schema();
  if (!schema)
    return;
  if (op.is("If"))
    return visitIf(op);
  if (op.is("Loop"))
    return visitLoop(op);
  if (op.is("Scan") && op.since() >= 9)
    return visitScan(op);
  if (op.numGraphs() == 0)
    visitPlain(op, *schema);
}

/// Results of calls are known once their functions are looked at, and may be
/// arguments of the next function.
void ElementFlow::spread() {
  auto walk = [&](Operation *function) {
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (Operator node = Operator::from(op))
        visit(node);
    });
  };
  do {
    isChanged = false;
    walk(calls.mainGraph());
    for (const CallGraph::Function *function :
         llvm::reverse(calls.calleesFirst())) {
      visitArguments(*function);
      walk(function->op);
    }
  } while (isChanged);
}

void ElementFlow::run() {
  spread();
  while (!confirmArguments()) {
    for (Value value : learned)
      value.setType(OnnxUnknownType::get(value.getContext()));
    learned.clear();
    spread();
  }
}
