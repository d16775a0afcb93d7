//===- CallAttributes.cpp - Attributes of a function in its body ----------===//

#include "onnxfold/onnx/kernels/support/CallAttributes.h"
#include "onnxfold/elements/ElementsAttrBuilder.h"
#include "onnxfold/onnx/ir/Dialect.h"
#include "onnxfold/onnx/ir/Model.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

/// What a Constant states; null for what it may not.
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

/// What takes its place; the node itself if nothing can.
static Operation *replaceConstant(Operator node) {
  Elements value = constantOf(node);
  if (!value || node.numOutputs() != 1)
    return node.getOperation();
  OpBuilder builder(node.getOperation());
  auto type =
      RankedTensorType::get(value.shape(), elementTypeOf(int32_t(value.type()),
                                                         builder.getContext()));
  auto constant = OnnxConstantOp::create(
      builder, node->getLoc(), toAttribute(value, type), "", std::nullopt);
  node->getResult(0).replaceAllUsesWith(constant.getResult());
  node->erase();
  return constant;
}

/// False if a parameter is one of the function around the call.
static bool resolve(Operator node, const Operator &call, Operation *function) {
  for (NamedAttribute attribute : node->getDiscardableAttrDictionary()) {
    auto reference = dyn_cast<OnnxRefAttr>(attribute.getValue());
    if (!reference)
      continue;
    Attribute value = parameterOf(call, function, reference.getName());
    if (isa_and_nonnull<OnnxRefAttr>(value))
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

Operation *onnxfold::resolveReferences(Operation *copy, const Operator &call,
                                       Operation *function) {
  Operation *result = copy;
  copy->walk([&](Operation *op) {
    Operator node = Operator::from(op);
    if (!node || !node.hasReferences())
      return;
    DictionaryAttr before = op->getDiscardableAttrDictionary();
    if (!resolve(node, call, function))
      op->setDiscardableAttrs(before);
    else if (node.isCustom() && node.is("Constant"))
      if (Operation *constant = replaceConstant(node); op == copy)
        result = constant;
  });
  return result;
}
