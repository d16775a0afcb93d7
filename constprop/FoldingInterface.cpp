//===- FoldingInterface.cpp - What the engine asks a dialect --------------===//

#include "onnxfold/constprop/FoldingInterface.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace onnxfold;
using namespace mlir;

Fact onnxfold::factOfType(Type type, Symbols &symbols) {
  Fact fact;
  fact.absent = isa<NoneType>(type);
  auto shaped = dyn_cast<ShapedType>(type);
  // Outside a tensor, types of other dialects (sequences, ...) are no strings.
  if (shaped || isa<IntegerType, FloatType, IndexType, ComplexType>(type))
    fact.type = toDataType(shaped ? shaped.getElementType() : type);
  if (!shaped) {
    if (fact.type != DataType::Undefined)
      fact.shape.emplace();
    return fact;
  }
  if (!shaped.hasRank())
    return fact;
  fact.shape.emplace();
  for (int64_t d : shaped.getShape())
    fact.shape->push_back(ShapedType::isDynamic(d) ? symbols.freshDimension()
                                                   : symbols.constant(d));
  return fact;
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

void FoldingInterface::inferTypes(Operation *op, ArrayRef<const Fact *>,
                                  MutableArrayRef<Fact> results,
                                  Symbols &symbols) const {
  for (auto [fact, result] : llvm::zip_equal(results, op->getResults()))
    fact = factOfType(result.getType(), symbols);
}
