//===- DefaultFolding.cpp - Folding by MLIR's own interfaces --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/constprop/DefaultFolding.h"
#include "onnxfold/constprop/FoldHook.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace onnxfold;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Elements as attributes of any type
//===----------------------------------------------------------------------===//

/// Returns what MLIR's folders and constants take: an IntegerAttr or FloatAttr
/// for a scalar, elements for a shaped type. Null if the type is neither.
static TypedAttr attributeOf(const Elements &value, Type type) {
  if (auto shaped = dyn_cast<ShapedType>(type))
    return toAttribute(value, shaped.clone(value.shape()));
  if (value.rank() != 0)
    return {};
  if (isa<IndexType>(type))
    return IntegerAttr::get(type, value.number().to<int64_t>());
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerAttr::get(type, APInt(integer.getWidth(),
                                        uint64_t(value.number().to<int64_t>()),
                                        /*isSigned=*/false,
                                        /*implicitTrunc=*/true));
  if (isa<FloatType>(type))
    return FloatAttr::get(type, value.number().to<double>());
  return {};
}

/// A type whose values attributeOf() and `arith` can state.
static bool canState(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (shaped && !isa<TensorType, VectorType>(type))
    return false;
  if (shaped && (!shaped.hasRank() || !shaped.hasStaticShape()))
    return false;
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return false;
  Type element = getElementTypeOrSelf(type);
  return (element.isSignlessInteger() || isa<IndexType, FloatType>(element)) &&
         toDataType(element) != DataType::Undefined;
}

//===----------------------------------------------------------------------===//
// Operation::fold as a kernel
//===----------------------------------------------------------------------===//

/// Folds a copy, as folders may change their operation, with block arguments
/// for operands: nothing in the IR gets a user meanwhile.
static FoldResult foldByOperation(FoldContext &cx) {
  Operation *op = cx.operation();
  Block place;
  IRMapping operands;
  SmallVector<Attribute, 4> attributes;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    const Elements &value = cx.input(i);
    if (!canState(operand.getType()) || value.bytes() > foldHookLimit)
      return notFolded(ReasonCode::UnsupportedType,
                       "input #" + Twine(i) + " is none for MLIR's folder");
    operands.map(operand, place.addArgument(operand.getType(), op->getLoc()));
    attributes.push_back(attributeOf(value.narrowed(), operand.getType()));
  }
  Operation *copy = op->clone(operands);
  place.push_back(copy);
  SmallVector<OpFoldResult, 1> folded;
  LogicalResult done = copy->fold(attributes, folded);
  SmallVector<FoldedValue, 1> results;
  for (OpFoldResult result : folded) {
    auto argument = dyn_cast_if_present<BlockArgument>(dyn_cast<Value>(result));
    results.push_back(argument ? cx.input(argument.getArgNumber())
                               : elementsOf(dyn_cast<Attribute>(result)));
  }
  if (failed(done) || results.size() != op->getNumResults() ||
      !llvm::all_of(results, [](const FoldedValue &v) { return bool(v); }))
    return notFolded(ReasonCode::NoKernel, "MLIR's folder does not fold it");
  return results;
}

/// Whether the operation depends on nothing but the values of its operands, so
/// that its folder may run.
static bool hasFolder(Operation *op) {
  return op->isRegistered() && op->getNumRegions() == 0 &&
         op->getNumSuccessors() == 0 && op->getNumOperands() != 0 &&
         isMemoryEffectFree(op) && llvm::all_of(op->getResultTypes(), canState);
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

DefaultFolding::DefaultFolding() : FoldingInterface(nullptr), registry("") {}

ReasonOr<const Kernel *> DefaultFolding::kernelOf(Operation *op,
                                                  int version) const {
  static const Kernel folder = [] {
    Kernel kernel;
    kernel.function = foldByOperation;
    return kernel;
  }();
  if (hasFolder(op))
    return &folder;
  return FoldingInterface::kernelOf(op, version);
}

bool DefaultFolding::hasConstants(Operation *op, unsigned result) const {
  return canState(op->getResult(result).getType()) &&
         op->getContext()->getLoadedDialect("arith");
}

Value DefaultFolding::materialize(OpBuilder &builder, Operation *op,
                                  unsigned result,
                                  const Elements &value) const {
  Type type = op->getResult(result).getType();
  TypedAttr attribute = attributeOf(value, type);
  for (Dialect *dialect :
       {op->getDialect(), op->getContext()->getLoadedDialect("arith")})
    if (dialect)
      if (Operation *constant = dialect->materializeConstant(
              builder, attribute, type, op->getLoc()))
        return constant->getResult(0);
  llvm_unreachable("hasConstants() was not asked");
}

const FoldingInterface &FoldingInterface::orDefault(Operation *op) {
  static const DefaultFolding folding;
  const FoldingInterface *own = of(op);
  return own ? *own : folding;
}

bool FoldingInterface::isRemovable(Operation *op, const SymbolTable *) const {
  return !op->hasTrait<OpTrait::IsTerminator>() && isMemoryEffectFree(op);
}
