//===- CallAttributes.cpp - Attributes of a function in its body ----------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/CallAttributes.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace onnxfold;
using namespace mlir;

/// The value that a Constant states; null for one that it may not state.
static Elements constantOf(Operator node) {
  if (auto value = node.getInt("value_int"))
    return Elements::fromValues<int64_t>({}, {*value});
  if (auto value = node.getFloat("value_float"))
    return Elements::fromValues<float>({}, {*value});
  if (auto value = node.getString("value_string"))
    return Elements::fromStrings({}, {*value});
  if (auto values = node.getInts("value_ints"))
    return Elements::fromValues<int64_t>({int64_t(values->size())}, *values);
  if (auto values = node.getFloats("value_floats"))
    return Elements::fromValues<float>({int64_t(values->size())}, *values);
  if (auto values = node.getStrings("value_strings"))
    return Elements::fromStrings({int64_t(values->size())}, *values);
  if (ElementsAttr value = node.getTensor("value"))
    return fromAttribute(value);
  return {};
}

/// Returns what takes the place of the node; itself if nothing can.
static Operation *replaceConstant(Operator node) {
  Elements value = constantOf(node);
  if (!value || node.numOutputs() != 1)
    return node.getOperation();
  OpBuilder builder(node.getOperation());
  auto type =
      RankedTensorType::get(value.shape(), elementTypeOf(int32_t(value.type()),
                                                         builder.getContext()));
  auto constant =
      OnnxConstantOp::create(builder, node->getLoc(), toAttribute(value, type),
                             node.outputName(0), std::nullopt);
  node->getResult(0).replaceAllUsesWith(constant.getResult());
  node->erase();
  return constant;
}

/// One of the attributes of a call is a graph, or a list of them.
static bool givesGraph(const Operator &call, StringRef parameter) {
  for (unsigned i = 0; i < call.numGraphs(); ++i)
    if (call.graphName(i).split('[').first == parameter)
      return true;
  return false;
}

/// A call that gives a parameter of the function around it gives nothing where
/// that one has no value: the default would hold.
static bool mayGive(const Operator &call, Operation *function,
                    StringRef parameter, OnnxRefAttr given) {
  auto hasDefault = [](Operation *op, StringRef name) {
    auto defaults = op->getAttrOfType<DictionaryAttr>(defaultsAttrName);
    return defaults && defaults.get(name);
  };
  Operation *around = call.getOperation();
  while (around && !isa<FunctionOpInterface>(around))
    around = around->getParentOp();
  return around && (!hasDefault(function, parameter) ||
                    hasDefault(around, given.getName()));
}

/// False if a parameter cannot be had: it is a graph, or one of the function
/// around the call that may have no value.
static bool resolve(Operator node, const Operator &call, Operation *function) {
  for (NamedAttribute attribute : node->getDiscardableAttrDictionary()) {
    auto reference = dyn_cast<OnnxRefAttr>(attribute.getValue());
    if (!reference)
      continue;
    Attribute value = parameterOf(call, function, reference.getName());
    auto outer = dyn_cast_or_null<OnnxRefAttr>(value);
    if (givesGraph(call, reference.getName()) ||
        (outer && !mayGive(call, function, reference.getName(), outer)))
      return false;
    if (value)
      node->setDiscardableAttr(attribute.getName(), value);
    else
      node->removeDiscardableAttr(attribute.getName());
  }
  if (llvm::Error error = node.checkAgainstSchema()) {
    llvm::consumeError(std::move(error));
    return false;
  }
  return true;
}

Operation *onnxfold::resolveOwnReferences(Operator node, const Operator &call,
                                          Operation *function) {
  Operation *op = node.getOperation();
  DictionaryAttr before = op->getDiscardableAttrDictionary();
  if (!resolve(node, call, function))
    op->setDiscardableAttrs(before);
  else if (node.isCustom() && node.is("Constant"))
    return replaceConstant(node);
  return op;
}

Operation *onnxfold::resolveReferences(Operation *copy, const Operator &call,
                                       Operation *function) {
  Operation *result = copy;
  copy->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || !node.hasReferences())
      return;
    Operation *now = resolveOwnReferences(node, call, function);
    if (op == copy)
      result = now;
  });
  return result;
}

bool onnxfold::canResolveReferences(Operation *op, const Operator &call,
                                    Operation *function) {
  WalkResult walk = op->walk([&](Operation *inner) {
    Operator node = Operator::from(inner);
    if (!node || !node.hasReferences())
      return WalkResult::advance();
    Operation *trial = inner->cloneWithoutRegions();
    bool resolves = resolve(Operator::from(trial), call, function);
    trial->erase();
    return resolves ? WalkResult::advance() : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

Operation *onnxfold::calledFunction(const Operator &call,
                                    const SymbolTable *functions) {
  if (!call.isCustom() || !functions)
    return nullptr;
  Operation *function = functions->lookup(
      functionSymbol(call.domain(), call.opType(), call.overload()));
  return function && mayBeCalled(function) ? function : nullptr;
}

bool onnxfold::mayBeCalled(Operation *function) {
  return function->getNumRegions() == 1 &&
         function->getRegion(0).hasOneBlock() &&
         !function->hasAttr(ambiguousAttrName);
}

/// Types that the function states need not hold for this call.
static void forgetTypes(Operation *copy) {
  copy->walk([&](Operation *op) {
    if (Operator::from(op))
      for (Value result : op->getResults())
        if (isa<TensorType>(result.getType()))
          result.setType(OnnxUnknownType::get(copy->getContext()));
  });
}

/// Arguments that the call leaves out.
static void leaveOut(Block &body, Operation *call) {
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  for (auto [i, argument] : llvm::enumerate(body.getArguments()))
    if (!argument.use_empty() &&
        (i >= call->getNumOperands() || isAbsent(call->getOperand(i))))
      argument.replaceAllUsesWith(
          OnnxAbsentOp::create(builder, call->getLoc()));
}

OwningOpRef<Operation *>
onnxfold::copyForCall(Operation *function, Operation *call, IRMapping &copies) {
  OwningOpRef<Operation *> copy(function->clone(copies));
  resolveReferences(*copy, Operator::from(call), function);
  leaveOut(copy->getRegion(0).front(), call);
  forgetTypes(*copy);
  return copy;
}
