//===- ToSequence.cpp - ONNX sequences as programs ------------------------===//

#include "onnxfold/onnx/tosequence/Passes.h"

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/tosequence/internal/ToSequenceConverter.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace onnxfold {
#define GEN_PASS_DEF_CONVERTONNXTOSEQUENCEPASS
#include "onnxfold/onnx/tosequence/Passes.h.inc"
} // namespace onnxfold

using namespace mlir;
using namespace onnxfold;
using sequence::SequenceType;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

Type onnxfold::convertedType(Type type) {
  if (auto list = dyn_cast<OnnxSequenceType>(type)) {
    auto element = dyn_cast<TensorType>(list.getElementType());
    if (!element || !convertedType(element))
      return {};
    return SequenceType::get(element, ShapedType::kDynamic);
  }
  auto tensor = dyn_cast<TensorType>(type);
  if (tensor && isa<OnnxStringType>(tensor.getElementType()))
    return {};
  if (isa<OnnxDialect>(type.getDialect()))
    return {};
  return type;
}

Type onnxfold::joinTypes(Type left, Type right) {
  if (left == right)
    return left;
  if (auto one = dyn_cast<SequenceType>(left))
    if (auto other = dyn_cast<SequenceType>(right))
      return sequence::joinSequences(one, other);
  if (auto one = dyn_cast<TensorType>(left))
    if (auto other = dyn_cast<TensorType>(right))
      return sequence::joinTensors(one, other);
  return {};
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Value ToSequenceConverter::coerce(Operation *op, Value value, Type type) {
  if (value.getType() == type)
    return value;
  auto tensor = dyn_cast<TensorType>(type);
  auto list = dyn_cast<SequenceType>(type);
  if (tensor && isa<TensorType>(value.getType()) &&
      sequence::areCompatible(tensor, cast<TensorType>(value.getType())))
    return sequence::castTensor(builder, op->getLoc(), value, tensor);
  if (list && isa<SequenceType>(value.getType()) &&
      sequence::areCompatible(list, cast<SequenceType>(value.getType())))
    return sequence::castSequence(builder, op->getLoc(), value, list);
  op->emitError("convert-onnx-to-sequence: a value of type ")
      << value.getType() << " where " << type << " is expected";
  return {};
}

Value ToSequenceConverter::index(Location location, int64_t value) {
  return arith::ConstantIndexOp::create(builder, location, value);
}

Value ToSequenceConverter::indexOf(Location location, Value tensor,
                                   int64_t position) {
  SmallVector<Value> indices;
  if (cast<RankedTensorType>(tensor.getType()).getRank() == 1)
    indices.push_back(index(location, position));
  Value element = tensor::ExtractOp::create(builder, location, tensor, indices);
  return arith::IndexCastOp::create(builder, location, builder.getIndexType(),
                                    element);
}

Value ToSequenceConverter::scalar(Location location, Value value) {
  return tensor::FromElementsOp::create(
      builder, location, RankedTensorType::get({}, value.getType()), value);
}

Value ToSequenceConverter::dim(Location location, Value tensor, int64_t axis) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!type.isDynamicDim(axis))
    return index(location, type.getDimSize(axis));
  return tensor::DimOp::create(builder, location, tensor, axis);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult ToSequenceConverter::convertBlock(Block &block) {
  for (Operation &op : block.without_terminator())
    if (failed(convertOperation(&op)))
      return failure();
  return success();
}

LogicalResult ToSequenceConverter::convertCall(func::CallOp call) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  SmallVector<Value> operands;
  SmallVector<Type> results;
  for (auto [operand, type] : llvm::zip_equal(
           call.getOperands(), callee.getFunctionType().getInputs())) {
    Type converted = convertedType(type);
    Value value = converted ? coerce(call, get(operand), converted) : Value();
    if (!value)
      return failure();
    operands.push_back(value);
  }
  for (Type type : callee.getFunctionType().getResults())
    results.push_back(convertedType(type));
  auto converted = func::CallOp::create(builder, call.getLoc(),
                                        call.getCallee(), results, operands);
  for (auto [result, value] :
       llvm::zip_equal(call.getResults(), converted.getResults()))
    set(result, value);
  return success();
}

LogicalResult ToSequenceConverter::convertOperation(Operation *op) {
  if (auto constant = dyn_cast<OnnxConstantOp>(op)) {
    Elements elements = fromAttribute(constant.getValue());
    if (!elements || !convertedType(constant.getType()))
      return op->emitError("convert-onnx-to-sequence: a constant of type ")
             << constant.getType();
    auto type = cast<ShapedType>(constant.getType());
    set(constant, arith::ConstantOp::create(builder, op->getLoc(),
                                            toDenseAttribute(elements, type)));
    return success();
  }
  if (isa<OnnxAbsentOp>(op))
    return success();
  if (auto call = dyn_cast<func::CallOp>(op))
    return convertCall(call);
  Operator onnx = Operator::from(op);
  if (!onnx) {
    if (op->getNumRegions() || isa<OnnxDialect>(op->getDialect()))
      return op->emitError("convert-onnx-to-sequence: has no lowering");
    IRMapping mapping;
    for (Value operand : op->getOperands())
      mapping.map(operand, get(operand));
    Operation *copy = builder.clone(*op, mapping);
    for (auto [result, value] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      set(result, value);
    return success();
  }
  ToSequenceLowering lowering = nullptr;
  if (onnx.domain().empty() && !onnx.isCustom())
    for (auto find : {sequenceLowering, tensorLowering, controlFlowLowering,
                      optionalLowering})
      lowering = lowering ? lowering : find(onnx.opType());
  if (!lowering)
    return op->emitError("convert-onnx-to-sequence: no lowering of ")
           << (onnx.domain().empty() ? "" : onnx.domain().str() + ".")
           << onnx.opType();
  for (Value operand : op->getOperands())
    if (!isAbsent(operand) && !get(operand))
      return op->emitError("convert-onnx-to-sequence: an input of type ")
             << operand.getType() << ", which has no lowering";
  return lowering(*this, onnx);
}

LogicalResult ToSequenceConverter::convertFunction(func::FuncOp function) {
  SmallVector<Type> inputs, results;
  auto convertAll = [&](ArrayRef<Type> types, SmallVector<Type> &converted) {
    for (Type type : types) {
      converted.push_back(convertedType(type));
      if (!converted.back()) {
        function->emitError("convert-onnx-to-sequence: type ")
            << type << " of an argument or result has no lowering";
        return failure();
      }
    }
    return success();
  };
  FunctionType type = function.getFunctionType();
  if (failed(convertAll(type.getInputs(), inputs)) ||
      failed(convertAll(type.getResults(), results)))
    return failure();
  Region old;
  old.takeBody(function.getBody());
  function.setType(FunctionType::get(function.getContext(), inputs, results));
  // Names of values in the model stand in the attributes of arguments.
  function.removeArgAttrsAttr();
  function.removeResAttrsAttr();
  if (old.empty())
    return success();

  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  for (auto [argument, value] :
       llvm::zip_equal(old.getArguments(), entry->getArguments()))
    set(argument, value);
  LogicalResult result = convertBlock(old.front());
  if (succeeded(result)) {
    Operation *terminator = old.front().getTerminator();
    SmallVector<Value> returned;
    for (auto [operand, type] :
         llvm::zip_equal(terminator->getOperands(), results)) {
      Value value = get(operand);
      returned.push_back(value ? coerce(terminator, value, type) : value);
      if (!returned.back())
        result = failure();
    }
    if (succeeded(result))
      func::ReturnOp::create(builder, terminator->getLoc(), returned);
  }
  old.front().dropAllReferences();
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct ConvertOnnxToSequencePass
    : onnxfold::impl::ConvertOnnxToSequencePassBase<ConvertOnnxToSequencePass> {
  using Base::Base;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(ToSequenceConverter(&getContext()).convertFunction(function)))
        return signalPassFailure();
    // It is no model any more.
    SmallVector<StringAttr> names;
    for (NamedAttribute attribute : getOperation()->getDiscardableAttrs())
      if (attribute.getName().strref().starts_with("onnx."))
        names.push_back(attribute.getName());
    for (StringAttr name : names)
      getOperation()->removeDiscardableAttr(name);
  }
};
} // namespace
