//===- RuleAttributes.cpp - Attributes that constants of a rule state -----===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rules/RuleMatch.h"
#include "mlir/IR/Builders.h"

using namespace onnxfold;
using namespace mlir;

Elements onnxfold::elementsOfAttribute(Attribute attribute) {
  if (auto number = dyn_cast_or_null<IntegerAttr>(attribute))
    return Elements::splat<int64_t>(Shape(), number.getInt());
  if (auto number = dyn_cast_or_null<FloatAttr>(attribute))
    return Elements::splat<float>(Shape(), float(number.getValueAsDouble()));
  if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute))
    return Elements::fromValues<int64_t>({int64_t(list.size())},
                                         list.asArrayRef());
  if (auto list = dyn_cast_or_null<DenseF32ArrayAttr>(attribute))
    return Elements::fromValues<float>({int64_t(list.size())},
                                       list.asArrayRef());
  return {};
}

Attribute onnxfold::attributeOf(const Elements &value, bool isList,
                                MLIRContext *context) {
  constexpr int64_t mostElements = 128;
  Builder builder(context);
  if (value.rank() != (isList ? 1 : 0) || value.size() > mostElements)
    return {};
  if (value.type() == DataType::Int64)
    return isList ? Attribute(
                        builder.getDenseI64ArrayAttr(value.values<int64_t>()))
                  : builder.getI64IntegerAttr(value.value<int64_t>());
  if (value.type() == DataType::Float32)
    return isList
               ? Attribute(builder.getDenseF32ArrayAttr(value.values<float>()))
               : builder.getF32FloatAttr(value.value<float>());
  return {};
}
