//===- UpstreamFolding.cpp - Folding interface of MLIR's dialects ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/upstream/internal/UpstreamFolding.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/upstream/UpstreamKernels.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace onnxfold;
using namespace mlir;

UpstreamFolding::UpstreamFolding(Dialect *dialect)
    : FoldingInterface(dialect), registry(dialect->getNamespace()) {
  addUpstreamKernels(dialect->getNamespace(), registry);
}

ReasonOr<const Kernel *> UpstreamFolding::kernelOf(Operation *op,
                                                   int version) const {
  ReasonOr<const Kernel *> kernel = FoldingInterface::kernelOf(op, version);
  return kernel ? kernel : byOperation.kernelOf(op, version);
}

//===----------------------------------------------------------------------===//
// What is kept
//===----------------------------------------------------------------------===//

static Reason unsupportedElements(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  return notFolded(ReasonCode::UnsupportedType,
                   "elements of type " + name + " are not supported");
}

/// Why the engine could not read the value of a constant.
static Reason whyUnreadable(Attribute attribute) {
  auto elements = dyn_cast<ElementsAttr>(attribute);
  Type type = elements ? elements.getElementType() : Type();
  if (!elements)
    return notFolded(ReasonCode::UnsupportedType, "is not a tensor of numbers");
  DataType dataType = toDataType(type);
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attribute)) {
    StringRef key = resource.getRawHandle().getKey();
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return invalid("resource '" + key + "' has no data");
    if (dataType != DataType::Undefined)
      return invalid("resource '" + key + "' has " +
                     Twine(blob->getData().size()) + " bytes, expected " +
                     Twine(elements.getNumElements() * byteWidth(dataType)));
  }
  return unsupportedElements(type);
}

/// Numbers that the library does not have: i17, i128, f80, f128, tf32, complex
/// integers. A type of another dialect (!quant.uniform) counts as a string,
/// which tensor's operations move, and no other one computes with.
static Reason checkElements(Type type, bool isMoved) {
  Type element = getElementTypeOrSelf(type);
  if (!isa<ShapedType>(type) &&
      !isa<IntegerType, FloatType, ComplexType>(element))
    return {};
  DataType known = toDataType(element);
  if (known == DataType::Undefined || (known == DataType::String && !isMoved))
    return unsupportedElements(element);
  return {};
}

/// Refuses types that are more than shape and elements, or scalable.
static Reason checkType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
    return notFolded(ReasonCode::UnsupportedType, "is of a scalable vector");
  if (auto tensor = dyn_cast<RankedTensorType>(type);
      tensor && tensor.getEncoding())
    return notFolded(ReasonCode::UnsupportedType,
                     "is of a tensor with an encoding");
  if (isa<BaseMemRefType>(type))
    return notFolded(ReasonCode::UnsupportedType, "is of a buffer");
  if (auto shaped = dyn_cast<ShapedType>(type);
      shaped && isa<ShapedType>(shaped.getElementType()))
    return notFolded(ReasonCode::UnsupportedType,
                     "is of a tensor whose elements are vectors");
  return {};
}

Reason UpstreamFolding::mustBeKept(Operation *op) const {
  Attribute value;
  if (matchPattern(op, m_Constant(&value)))
    return whyUnreadable(value);
  StringRef dialect = op->getDialect()->getNamespace();
  bool isMoved = dialect == "tensor" || dialect == "ml_program";
  for (auto types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      if (Reason reason = checkType(type))
        return reason;
      if (Reason reason = checkElements(type, isMoved))
        return reason;
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

static bool isLoaded(MLIRContext *context, StringRef dialect) {
  return context->getLoadedDialect(dialect) != nullptr;
}

static bool isTosa(Operation *op) {
  return isa_and_present<tosa::TosaDialect>(op->getDialect());
}

bool UpstreamFolding::hasConstants(Operation *op, unsigned result) const {
  // A load of a global is as good as a constant; a copy would be a second one.
  if (op->getDialect()->getNamespace() == "ml_program")
    return false;
  Type type = op->getResult(result).getType();
  MLIRContext *context = op->getContext();
  if (!isTosa(op) && !isLoaded(context, "arith"))
    return false;
  if (auto shaped = dyn_cast<ShapedType>(type))
    return isa<VectorType>(type) ||
           (isa<TensorType>(type) &&
            (shaped.hasStaticShape() || isLoaded(context, "tensor")));
  return type.isSignlessInteger() || isa<IndexType, FloatType>(type);
}

llvm::StringRef UpstreamFolding::whyNoConstant(Operation *op,
                                               unsigned result) const {
  if (op->getDialect()->getNamespace() == "ml_program")
    return "loads a global, which is a constant already";
  return FoldingInterface::whyNoConstant(op, result);
}

/// A tensor of rank 0 as the attribute of a scalar.
static TypedAttr scalarAttribute(Type type, const Elements &value) {
  if (auto floatType = dyn_cast<FloatType>(type))
    return FloatAttr::get(type, value.number().to<double>());
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return IntegerAttr::get(type,
                          APInt(width, uint64_t(value.number().to<int64_t>()),
                                /*isSigned=*/false, /*implicitTrunc=*/true));
}

Value UpstreamFolding::materialize(OpBuilder &builder, Operation *op,
                                   unsigned result,
                                   const Elements &value) const {
  Type type = op->getResult(result).getType();
  Location location = op->getLoc();
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return arith::ConstantOp::create(builder, location,
                                     scalarAttribute(type, value));
  ShapedType exact = shaped.clone(value.shape());
  ElementsAttr attribute = toAttribute(value, exact);
  Value constant =
      isTosa(op) ? tosa::ConstOp::create(builder, location, exact, attribute)
                       .getResult()
                 : arith::ConstantOp::create(builder, location,
                                             cast<TypedAttr>(attribute))
                       .getResult();
  if (exact == type)
    return constant;
  return tensor::CastOp::create(builder, location, type, constant);
}
