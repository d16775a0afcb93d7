//===- ToSequenceOptionals.cpp - Values that may be nothing ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An optional becomes two values: what is in it, and whether there is
// something. Without anything the first is an empty sequence or tensor, which
// nobody reads.
//
//===----------------------------------------------------------------------===//

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace onnxfold;

static Value truth(ToSequenceConverter &converter, Operator op, bool value) {
  return arith::ConstantIntOp::create(converter.builder, op->getLoc(), value,
                                      1);
}

static LogicalResult lowerOptional(ToSequenceConverter &converter,
                                   Operator op) {
  Type type = op.hasInput(0) ? Type() : op.getType("type");
  Value inside = op.hasInput(0)
                     ? converter.input(op, 0)
                     : converter.nothing(op->getLoc(),
                                         type ? convertedType(type) : Type());
  if (!inside)
    return op->emitError("convert-onnx-to-sequence: an Optional of a type that "
                         "has no lowering");
  converter.setOptional(op->getResult(0), inside,
                        truth(converter, op, op.hasInput(0)));
  return success();
}

static LogicalResult lowerHasElement(ToSequenceConverter &converter,
                                     Operator op) {
  Value present = op.hasInput(0) ? converter.presence(op.input(0)) : Value();
  if (!present) // nothing, or what is no optional
    present = truth(converter, op, op.hasInput(0));
  converter.set(op->getResult(0), converter.scalar(op->getLoc(), present));
  return success();
}

static LogicalResult lowerGetElement(ToSequenceConverter &converter,
                                     Operator op) {
  if (Value present = converter.presence(op.input(0)))
    cf::AssertOp::create(converter.builder, op->getLoc(), present,
                         describeNode(op) + ": there is nothing");
  converter.set(op->getResult(0), converter.input(op, 0));
  return success();
}

ToSequenceLowering onnxfold::optionalLowering(StringRef opType) {
  return llvm::StringSwitch<ToSequenceLowering>(opType)
      .Case("Optional", lowerOptional)
      .Case("OptionalHasElement", lowerHasElement)
      .Case("OptionalGetElement", lowerGetElement)
      .Default(nullptr);
}
