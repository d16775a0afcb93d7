//===- AttributeConversion.cpp - From Elements to IR and back -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ir/DisposableElementsAttr.h"
#include "onnxfold/elements/ir/RawData.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinDialect.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace onnxfold;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static DataType integerDataType(mlir::IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return DataType::Bool;
  case 2:
    return isUnsigned ? DataType::UInt2 : DataType::Int2;
  case 4:
    return isUnsigned ? DataType::UInt4 : DataType::Int4;
  case 8:
    return isUnsigned ? DataType::UInt8 : DataType::Int8;
  case 16:
    return isUnsigned ? DataType::UInt16 : DataType::Int16;
  case 32:
    return isUnsigned ? DataType::UInt32 : DataType::Int32;
  case 64:
    return isUnsigned ? DataType::UInt64 : DataType::Int64;
  default:
    return DataType::Undefined;
  }
}

// The builtin float types, MLIR's name for each and ours: both functions below
// come from this list.
#define ONNXFOLD_FOR_FLOAT_TYPES(X)                                            \
  X(Float16Type, Float16)                                                      \
  X(BFloat16Type, BFloat16)                                                    \
  X(Float32Type, Float32)                                                      \
  X(Float64Type, Float64)                                                      \
  X(Float8E4M3FNType, Float8E4M3FN)                                            \
  X(Float8E4M3FNUZType, Float8E4M3FNUZ)                                        \
  X(Float8E5M2Type, Float8E5M2)                                                \
  X(Float8E5M2FNUZType, Float8E5M2FNUZ)                                        \
  X(Float8E8M0FNUType, Float8E8M0)                                             \
  X(Float6E2M3FNType, Float6E2M3)                                              \
  X(Float6E3M2FNType, Float6E3M2)                                              \
  X(Float4E2M1FNType, Float4E2M1)

DataType onnxfold::toDataType(mlir::Type elementType) {
  if (auto type = mlir::dyn_cast<mlir::IntegerType>(elementType))
    return integerDataType(type);
#define ONNXFOLD_FLOAT(MlirType, Name)                                         \
  if (mlir::isa<mlir::MlirType>(elementType))                                  \
    return DataType::Name;
  ONNXFOLD_FOR_FLOAT_TYPES(ONNXFOLD_FLOAT)
#undef ONNXFOLD_FLOAT
  if (elementType.isIndex())
    return DataType::Int64;
  if (auto type = mlir::dyn_cast<mlir::ComplexType>(elementType))
    return type.getElementType().isF32()   ? DataType::Complex64
           : type.getElementType().isF64() ? DataType::Complex128
                                           : DataType::Undefined;
  // An opaque type is one of a dialect that is not registered.
  bool isBuiltin = mlir::isa<mlir::BuiltinDialect>(elementType.getDialect());
  return isBuiltin && !mlir::isa<mlir::OpaqueType>(elementType)
             ? DataType::Undefined
             : DataType::String;
}

mlir::Type onnxfold::toElementType(DataType type, mlir::MLIRContext *context) {
  if (type == DataType::Bool)
    return mlir::IntegerType::get(context, 1);
  if (isInteger(type))
    return mlir::IntegerType::get(context, bitWidth(type),
                                  isUnsigned(type)
                                      ? mlir::IntegerType::Unsigned
                                      : mlir::IntegerType::Signless);
  switch (type) {
#define ONNXFOLD_FLOAT(MlirType, Name)                                         \
  case DataType::Name:                                                         \
    return mlir::MlirType::get(context);
    ONNXFOLD_FOR_FLOAT_TYPES(ONNXFOLD_FLOAT)
#undef ONNXFOLD_FLOAT
  case DataType::Complex64:
    return mlir::ComplexType::get(mlir::Float32Type::get(context));
  case DataType::Complex128:
    return mlir::ComplexType::get(mlir::Float64Type::get(context));
  default:
    return {};
  }
}

mlir::RankedTensorType onnxfold::toTensorType(const Elements &elements,
                                              mlir::MLIRContext *context) {
  return mlir::RankedTensorType::get(elements.shape(),
                                     toElementType(elements.type(), context));
}

//===----------------------------------------------------------------------===//
// Into the IR
//===----------------------------------------------------------------------===//

mlir::ElementsAttr onnxfold::toAttribute(const Elements &elements,
                                         mlir::ShapedType type) {
  int64_t size = elements.size();
  bool small = elements.bytes() <= denseAttributeLimit ||
               (elements.isSplat() && elements.type() != DataType::String);
  if (small || size == 0)
    return toDenseAttribute(elements, type);
  return DisposableElementsAttr::get(type, elements);
}

mlir::DenseElementsAttr onnxfold::toDenseAttribute(const Elements &elements,
                                                   mlir::ShapedType type) {
  assert(elements.shape() == type.getShape());
  // A splat is read as its one element: the raw buffer of a splat is that of
  // one element, but for i1, where it is a byte of equal bits.
  bool splat = elements.size() != 0 && elements.isSplat();
  Shape zeros(elements.rank(), 0), ones(elements.rank(), 1);
  Elements source = splat && elements.size() > 1
                        ? elements.slice(zeros, ones, ones).reshape({})
                        : elements;
  if (elements.type() == DataType::String)
    return mlir::DenseStringElementsAttr::get(
        type, ElementsArray<llvm::StringRef>(source));
  if (splat && elements.type() == DataType::Bool)
    return mlir::DenseElementsAttr::get(type, source.value<bool>());
  if (hasRawForm(elements.type())) {
    ElementsBytes bytes(source, /*aligned=*/true);
    return mlir::DenseElementsAttr::getFromRawBuffer(
        type, {bytes.data(), size_t(source.bytes())});
  }
  return mlir::DenseElementsAttr::getFromRawBuffer(type, toRawBuffer(source));
}

mlir::AsmResourceBlob onnxfold::toResourceBlob(const Elements &elements) {
  constexpr size_t alignment = 64;
  size_t size = elements.bytes();
  if (!isSubByte(elements.type())) {
    auto bytes = std::make_shared<ElementsBytes>(elements);
    llvm::ArrayRef<char> data(bytes->data(), size);
    auto release = [bytes = std::move(bytes)](void *, size_t, size_t) {};
    return mlir::AsmResourceBlob(data, alignment, std::move(release),
                                 /*dataIsMutable=*/false);
  }
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(size);
  elements.read(buffer->data());
  toRawData(elements.type(), buffer->data(), elements.size(), buffer->data());
  return mlir::AsmResourceBlob(
      {buffer->data(), size}, alignment, [buffer](void *, size_t, size_t) {},
      /*dataIsMutable=*/false);
}

//===----------------------------------------------------------------------===//
// Out of the IR
//===----------------------------------------------------------------------===//

static Elements fromDense(mlir::DenseElementsAttr attr, DataType type) {
  ShapeRef shape = attr.getType().getShape();
  if (auto strings = mlir::dyn_cast<mlir::DenseStringElementsAttr>(attr)) {
    llvm::ArrayRef<llvm::StringRef> values = strings.getRawStringData();
    auto buffer = foreignBuffer({reinterpret_cast<const char *>(values.data()),
                                 values.size() * sizeof(llvm::StringRef)});
    bool splat = attr.isSplat() && attr.getNumElements() != 0;
    return splat ? Elements::fromBuffer(type, {}, buffer).expand(shape)
                 : Elements::fromBuffer(type, shape, buffer);
  }
  if (attr.isSplat() && type == DataType::Bool)
    return Elements::splat<bool>(shape, attr.getSplatValue<bool>());
  return fromRawData(type, shape, foreignBuffer(attr.getRawData()),
                     attr.isSplat());
}

static Elements fromResource(mlir::DenseResourceElementsAttr attr,
                             DataType type) {
  mlir::AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  ShapeRef shape = attr.getType().getShape();
  if (!blob || type == DataType::String)
    return {};
  BufferRef buffer = foreignBuffer(blob->getData());
  uint64_t count = numElements(shape);
  if (buffer->size() == count * byteWidth(type))
    return fromBytes(type, shape, buffer);
  // Producers do not agree whether i1 and i4 take a byte each.
  bool packed = type == DataType::Bool || isSubByte(type);
  if (packed && buffer->size() == rawDataBytes(type, count))
    return fromRawData(type, shape, buffer, /*splat=*/false);
  return {};
}

/// Reads one element after another: sparse attributes and those of others.
static Elements fromIteration(mlir::ElementsAttr attr, DataType type) {
  ShapeRef shape = attr.getShapedType().getShape();
  int64_t count = attr.getNumElements();
  if (type == DataType::String) {
    auto values = attr.tryGetValues<llvm::StringRef>();
    return values ? Elements::fromStrings(
                        shape, llvm::SmallVector<llvm::StringRef>(*values))
                  : Elements();
  }
  unsigned width = byteWidth(type);
  auto buffer = llvm::makeIntrusiveRefCnt<HeapBuffer>(count * width);
  char *out = buffer->data();
  auto store = [&](const llvm::APInt &bits, unsigned bytes) {
    uint64_t value = isSigned(type) ? bits.getSExtValue() : bits.getZExtValue();
    std::memcpy(out, &value, bytes);
    out += bytes;
  };
  if (isComplex(type)) {
    // std::complex<APFloat> would crash MLIR's sparse attributes.
    auto values = attr.tryGetValues<mlir::ArrayAttr>();
    if (!values)
      return {};
    for (mlir::ArrayAttr value : *values)
      for (mlir::FloatAttr part : value.getAsRange<mlir::FloatAttr>())
        store(part.getValue().bitcastToAPInt(), width / 2);
  } else if (isFloat(type)) {
    auto values = attr.tryGetValues<llvm::APFloat>();
    if (!values)
      return {};
    for (const llvm::APFloat &value : *values)
      store(value.bitcastToAPInt(), width);
  } else {
    auto values = attr.tryGetValues<llvm::APInt>();
    if (!values)
      return {};
    for (const llvm::APInt &value : *values)
      store(value, width);
  }
  return Elements::fromBuffer(type, shape, buffer);
}

Elements onnxfold::fromAttribute(mlir::ElementsAttr attr) {
  if (auto disposable = mlir::dyn_cast<DisposableElementsAttr>(attr))
    return disposable.getElements();
  if (!attr.getShapedType().hasStaticShape())
    return {};
  DataType type = toDataType(attr.getElementType());
  if (type == DataType::Undefined)
    return {};
  return llvm::TypeSwitch<mlir::ElementsAttr, Elements>(attr)
      .Case(
          [&](mlir::DenseElementsAttr dense) { return fromDense(dense, type); })
      .Case([&](mlir::DenseResourceElementsAttr resource) {
        return fromResource(resource, type);
      })
      .Default(
          [&](mlir::ElementsAttr other) { return fromIteration(other, type); });
}

//===----------------------------------------------------------------------===//
// From attributes to attributes
//===----------------------------------------------------------------------===//

mlir::RankedTensorType
onnxfold::typeLike(const Elements &elements,
                   llvm::ArrayRef<mlir::ElementsAttr> operands) {
  auto it = llvm::find_if(operands, [&](mlir::ElementsAttr operand) {
    return toDataType(operand.getElementType()) == elements.type();
  });
  if (it != operands.end())
    return mlir::RankedTensorType::get(elements.shape(), it->getElementType());
  if (operands.empty() || elements.type() == DataType::String)
    return {};
  return toTensorType(elements, operands[0].getContext());
}

mlir::ElementsAttr
onnxfold::applyTo(mlir::ShapedType type,
                  llvm::function_ref<Elements(llvm::ArrayRef<Elements>)> f,
                  llvm::ArrayRef<mlir::ElementsAttr> operands) {
  llvm::SmallVector<Elements, 3> values;
  for (mlir::ElementsAttr operand : operands) {
    values.push_back(operand ? fromAttribute(operand) : Elements());
    if (!values.back())
      return {};
  }
  Elements result = f(values);
  if (!result)
    return {};
  // A null tensor type must not be converted to a ShapedType.
  if (!type)
    if (mlir::RankedTensorType like = typeLike(result, operands))
      type = like;
  if (!type || result.shape() != type.getShape() ||
      result.type() != toDataType(type.getElementType()))
    return {};
  return toAttribute(result, type);
}
