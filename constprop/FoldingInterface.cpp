//===- FoldingInterface.cpp - What the engine asks a dialect --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

ValueState onnxfold::stateOfType(Type type, DimExprs &exprs) {
  ValueState state;
  state.absent = isa<NoneType>(type);
  auto shaped = dyn_cast<ShapedType>(type);
  // Outside a tensor, types of other dialects (sequences, ...) are no strings.
  if (shaped || isa<IntegerType, FloatType, IndexType, ComplexType>(type))
    state.type = toDataType(shaped ? shaped.getElementType() : type);
  if (!shaped) {
    if (state.type != DataType::Undefined)
      state.shape.emplace();
    return state;
  }
  if (!shaped.hasRank())
    return state;
  state.shape.emplace();
  for (int64_t d : shaped.getShape())
    state.shape->push_back(ShapedType::isDynamic(d) ? exprs.freshDimension()
                                                    : exprs.constant(d));
  return state;
}

Elements onnxfold::elementsOf(Attribute attribute) {
  if (auto elements = dyn_cast_or_null<ElementsAttr>(attribute))
    return fromAttribute(elements);
  if (auto typed = dyn_cast_or_null<TypedAttr>(attribute))
    if (isa<IntegerAttr, FloatAttr>(typed))
      if (toDataType(typed.getType()) != DataType::Undefined)
        return fromAttribute(DenseElementsAttr::get(
            RankedTensorType::get({}, typed.getType()), {Attribute(typed)}));
  return {};
}

void FoldingInterface::inferTypes(Operation *op, ArrayRef<const ValueState *>,
                                  MutableArrayRef<ValueState> results,
                                  DimExprs &exprs, ValueTypes &) const {
  for (auto [state, result] : llvm::zip_equal(results, op->getResults()))
    state = stateOfType(result.getType(), exprs);
}
