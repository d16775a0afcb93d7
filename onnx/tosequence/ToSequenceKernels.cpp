//===- ToSequenceKernels.cpp - Operators that the run time computes -------===//
// SPDX-License-Identifier: Apache-2.0
//
// An operator on tensors becomes a sequence.kernel: the text of a function with
// that operator, and the tensors that it reads.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/onnx/ir/Registration.h"
#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace onnxfold;

/// Calls `each` with every value from outside that the operator, or something in
/// its bodies, reads. (The function that is converted is in pieces: its values
/// have no parent, which MLIR's own function asks for.)
static void forValuesRead(Operator op, llvm::function_ref<void(Value)> each) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (Operation *home = operand.getParentRegion()->getParentOp();
          !home || !op->isAncestor(home) || inner == op.getOperation())
        each(operand);
  });
}

static llvm::SetVector<Value> tensorsRead(Operator op) {
  llvm::SetVector<Value> read;
  for (Value operand : op->getOperands()) // first: they are most arguments
    if (!isAbsent(operand))
      read.insert(operand);
  forValuesRead(op, [&](Value value) {
    if (!isAbsent(value))
      read.insert(value);
  });
  return read;
}

static std::string printed(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  function->print(os, OpPrintingFlags().useLocalScope());
  return text;
}

/// func.func @node(values) -> results with a copy of the operator. `inputs`: the
/// tensors for `read`, whose types the model need not say.
static std::string textOf(Operator op, ArrayRef<Value> read,
                          ArrayRef<Value> inputs, ArrayRef<Value> results) {
  OpBuilder builder(op->getContext());
  SmallVector<Type> types;
  for (auto [value, input] : llvm::zip_equal(read, inputs))
    types.push_back(isa<TensorType>(value.getType()) ? value.getType()
                                                     : input.getType());
  auto type = builder.getFunctionType(types, ValueRange(results).getTypes());
  Location location = builder.getUnknownLoc();
  OwningOpRef<func::FuncOp> function =
      func::FuncOp::create(location, "node", type);
  Block *block = function->addEntryBlock();
  builder.setInsertionPointToStart(block);
  IRMapping mapping;
  for (auto [value, argument] : llvm::zip_equal(read, block->getArguments()))
    mapping.map(value, argument);
  forValuesRead(op, [&](Value value) {
    if (isAbsent(value) && !mapping.contains(value))
      builder.clone(*value.getDefiningOp(), mapping);
  });
  builder.clone(*op.getOperation(), mapping);
  SmallVector<Value> returned;
  for (Value result : results)
    returned.push_back(mapping.lookup(result));
  func::ReturnOp::create(builder, location, returned);
  return printed(*function);
}

/// An error where it is known that no kernel will compute the operator.
static LogicalResult checkKernel(Operator op) {
  const FoldingInterface *folding = FoldingInterface::of(op.getOperation());
  if (!folding && op.isCustom())
    return errorAt(op, " of domain '" + op.domain() + "' has no lowering");
  if (!folding)
    return success();
  Reason reason = folding->mustBeKept(op.getOperation());
  if (!reason) {
    auto kernel = folding->kernelOf(op.getOperation(),
                                    folding->versionOf(op.getOperation()));
    if (!kernel)
      reason = kernel.reason();
  }
  if (!reason)
    return success();
  return errorAt(op, " has no lowering: " + reason.text);
}

LogicalResult onnxfold::lowerToKernel(ToSequenceConverter &converter,
                                      Operator op) {
  if (failed(checkKernel(op)))
    return failure();
  llvm::SetVector<Value> read = tensorsRead(op);
  SmallVector<Value> inputs, results;
  SmallVector<Type> types;
  for (Value value : read) {
    Value input = converter.get(value);
    if (!input || !isa<TensorType>(input.getType()) ||
        converter.presence(value))
      return errorAt(op, " of an input that is not a tensor has no lowering");
    inputs.push_back(input);
  }
  for (Value result : op->getResults()) {
    if (isa<NoneType>(result.getType()) ||
        (result.use_empty() && op->getNumResults() > 1))
      continue;
    TensorType type = convertedTensor(result.getType());
    if (!type)
      return op->emitError("convert-onnx-to-sequence: ")
             << op.opType() << " has a result of type " << result.getType()
             << ", which has no lowering";
    results.push_back(result);
    types.push_back(type);
  }
  auto kernel = sequence::KernelOp::create(
      converter.builder, op->getLoc(), types, inputs, ValueRange(),
      textOf(op, read.getArrayRef(), inputs, results), ArrayRef<bool>());
  for (auto [result, value] : llvm::zip_equal(results, kernel.getResults()))
    converter.set(result, value);
  return success();
}

Value onnxfold::squeezedByKernel(ToSequenceConverter &converter, Operation *op,
                                 Value tensor) {
  OpBuilder builder(op->getContext());
  Location location = builder.getUnknownLoc();
  auto type = RankedTensorType::get(
      {}, cast<TensorType>(tensor.getType()).getElementType());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      location, "node", builder.getFunctionType(tensor.getType(), type));
  builder.setInsertionPointToStart(function->addEntryBlock());
  constexpr int64_t since = 13;
  registerOperator(*op->getContext(), "", "Squeeze"); // perhaps no node is one
  Operator squeeze =
      Operator::create(builder, location, {"", "Squeeze", since},
                       function->getArguments(), TypeRange(type));
  if (Operator reader = Operator::from(op))
    squeeze.setNodeName("the only element for " + describeNode(reader));
  func::ReturnOp::create(builder, location, squeeze->getResults());
  auto kernel = sequence::KernelOp::create(
      converter.builder, op->getLoc(), TypeRange(type), tensor, ValueRange(),
      printed(*function), ArrayRef<bool>());
  return kernel.getResult(0);
}

LogicalResult onnxfold::lowerStrings(ToSequenceConverter &converter,
                                     Operation *constant) {
  OpBuilder builder(constant->getContext());
  Location location = builder.getUnknownLoc();
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      location, "node",
      builder.getFunctionType(TypeRange(), constant->getResultTypes()));
  builder.setInsertionPointToStart(function->addEntryBlock());
  Operation *copy = builder.clone(*constant);
  func::ReturnOp::create(builder, location, copy->getResults());
  auto kernel = sequence::KernelOp::create(
      converter.builder, constant->getLoc(),
      TypeRange(convertedType(constant->getResult(0).getType())), ValueRange(),
      ValueRange(), printed(*function), ArrayRef<bool>());
  converter.set(constant->getResult(0), kernel.getResult(0));
  return success();
}
