//===- Types.cpp - ONNX types and MLIR types ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/ir/Types.h"

#include "onnxfold/onnx/ir/Dialect.h"
#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace onnxfold;
using onnx::TensorProto;

static Type floatTypeOf(int32_t onnxElementType, MLIRContext *context) {
  switch (onnxElementType) {
  case TensorProto::FLOAT:
    return Float32Type::get(context);
  case TensorProto::FLOAT16:
    return Float16Type::get(context);
  case TensorProto::DOUBLE:
    return Float64Type::get(context);
  case TensorProto::BFLOAT16:
    return BFloat16Type::get(context);
  case TensorProto::FLOAT8E4M3FN:
    return Float8E4M3FNType::get(context);
  case TensorProto::FLOAT8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case TensorProto::FLOAT8E5M2:
    return Float8E5M2Type::get(context);
  case TensorProto::FLOAT8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case TensorProto::FLOAT4E2M1:
    return Float4E2M1FNType::get(context);
  case TensorProto::FLOAT8E8M0:
    return Float8E8M0FNUType::get(context);
  case TensorProto::FLOAT6E2M3:
    return Float6E2M3FNType::get(context);
  case TensorProto::FLOAT6E3M2:
    return Float6E3M2FNType::get(context);
  default:
    return {};
  }
}

Type onnxfold::elementTypeOf(int32_t onnxElementType, MLIRContext *context) {
  auto integer = [&](unsigned width) -> Type {
    return IntegerType::get(context, width);
  };
  auto unsignedInteger = [&](unsigned width) -> Type {
    return IntegerType::get(context, width, IntegerType::Unsigned);
  };
  switch (onnxElementType) {
  case TensorProto::BOOL:
    return integer(1);
  case TensorProto::INT2:
    return integer(2);
  case TensorProto::INT4:
    return integer(4);
  case TensorProto::INT8:
    return integer(8);
  case TensorProto::INT16:
    return integer(16);
  case TensorProto::INT32:
    return integer(32);
  case TensorProto::INT64:
    return integer(64);
  case TensorProto::UINT2:
    return unsignedInteger(2);
  case TensorProto::UINT4:
    return unsignedInteger(4);
  case TensorProto::UINT8:
    return unsignedInteger(8);
  case TensorProto::UINT16:
    return unsignedInteger(16);
  case TensorProto::UINT32:
    return unsignedInteger(32);
  case TensorProto::UINT64:
    return unsignedInteger(64);
  case TensorProto::STRING:
    return OnnxStringType::get(context);
  case TensorProto::COMPLEX64:
    return ComplexType::get(Float32Type::get(context));
  case TensorProto::COMPLEX128:
    return ComplexType::get(Float64Type::get(context));
  default:
    return floatTypeOf(onnxElementType, context);
  }
}

static int32_t onnxIntegerType(IntegerType type) {
  if (type.isSigned())
    return TensorProto::UNDEFINED;
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return isUnsigned ? TensorProto::UNDEFINED : TensorProto::BOOL;
  case 2:
    return isUnsigned ? TensorProto::UINT2 : TensorProto::INT2;
  case 4:
    return isUnsigned ? TensorProto::UINT4 : TensorProto::INT4;
  case 8:
    return isUnsigned ? TensorProto::UINT8 : TensorProto::INT8;
  case 16:
    return isUnsigned ? TensorProto::UINT16 : TensorProto::INT16;
  case 32:
    return isUnsigned ? TensorProto::UINT32 : TensorProto::INT32;
  case 64:
    return isUnsigned ? TensorProto::UINT64 : TensorProto::INT64;
  default:
    return TensorProto::UNDEFINED;
  }
}

int32_t onnxfold::onnxElementType(Type elementType) {
  auto is = [](int32_t number) { return [number](Type) { return number; }; };
  return llvm::TypeSwitch<Type, int32_t>(elementType)
      .Case([](IntegerType type) { return onnxIntegerType(type); })
      .Case<Float32Type>(is(TensorProto::FLOAT))
      .Case<Float16Type>(is(TensorProto::FLOAT16))
      .Case<BFloat16Type>(is(TensorProto::BFLOAT16))
      .Case<Float64Type>(is(TensorProto::DOUBLE))
      .Case<OnnxStringType>(is(TensorProto::STRING))
      .Case([](ComplexType type) -> int32_t {
        if (type.getElementType().isF32())
          return TensorProto::COMPLEX64;
        return type.getElementType().isF64() ? TensorProto::COMPLEX128
                                             : TensorProto::UNDEFINED;
      })
      .Case<Float8E4M3FNType>(is(TensorProto::FLOAT8E4M3FN))
      .Case<Float8E4M3FNUZType>(is(TensorProto::FLOAT8E4M3FNUZ))
      .Case<Float8E5M2Type>(is(TensorProto::FLOAT8E5M2))
      .Case<Float8E5M2FNUZType>(is(TensorProto::FLOAT8E5M2FNUZ))
      .Case<Float8E8M0FNUType>(is(TensorProto::FLOAT8E8M0))
      .Case<Float4E2M1FNType>(is(TensorProto::FLOAT4E2M1))
      .Case<Float6E2M3FNType>(is(TensorProto::FLOAT6E2M3))
      .Case<Float6E3M2FNType>(is(TensorProto::FLOAT6E3M2))
      .Default(is(TensorProto::UNDEFINED));
}

//===----------------------------------------------------------------------===//
// TypeProto
//===----------------------------------------------------------------------===//

/// Tensor and SparseTensor have the same fields.
template <typename TensorTypeProto>
static Type fromTensorTypeProto(const TensorTypeProto &proto,
                                MLIRContext *context) {
  Type elementType = elementTypeOf(proto.elem_type(), context);
  if (!elementType)
    return OnnxUnknownType::get(context);
  if (!proto.has_shape())
    return UnrankedTensorType::get(elementType);
  SmallVector<int64_t> shape;
  for (const auto &dim : proto.shape().dim())
    shape.push_back(dim.has_dim_value() && dim.dim_value() >= 0
                        ? dim.dim_value()
                        : ShapedType::kDynamic);
  return RankedTensorType::get(shape, elementType);
}

/// Deeper types than this are not looked into: protobuf itself stops at 100
/// nested messages when it reads a file.
static constexpr unsigned maxTypeDepth = 100;

static Type fromTypeProto(const onnx::TypeProto &proto, MLIRContext *context,
                          unsigned depth) {
  Type unknown = OnnxUnknownType::get(context);
  if (depth > maxTypeDepth)
    return unknown;
  auto inner = [&](const onnx::TypeProto &type) {
    return fromTypeProto(type, context, depth + 1);
  };
  switch (proto.value_case()) {
  case onnx::TypeProto::kTensorType:
    return fromTensorTypeProto(proto.tensor_type(), context);
  case onnx::TypeProto::kSparseTensorType:
    return OnnxSparseType::get(
        context, fromTensorTypeProto(proto.sparse_tensor_type(), context));
  case onnx::TypeProto::kSequenceType:
    return OnnxSequenceType::get(context,
                                 inner(proto.sequence_type().elem_type()));
  case onnx::TypeProto::kOptionalType:
    return OnnxOptionalType::get(context,
                                 inner(proto.optional_type().elem_type()));
  case onnx::TypeProto::kMapType: {
    Type key = elementTypeOf(proto.map_type().key_type(), context);
    return OnnxMapType::get(context, key ? key : unknown,
                            inner(proto.map_type().value_type()));
  }
  case onnx::TypeProto::kOpaqueType:
    return OnnxOpaqueType::get(context, proto.opaque_type().domain(),
                               proto.opaque_type().name());
  case onnx::TypeProto::VALUE_NOT_SET:
    return unknown;
  }
  return unknown;
}

Type onnxfold::fromTypeProto(const onnx::TypeProto &proto,
                             MLIRContext *context) {
  return ::fromTypeProto(proto, context, 0);
}

static void addShape(ArrayRef<int64_t> shape, onnx::TensorShapeProto &proto) {
  proto.mutable_dim()->Reserve(shape.size());
  for (int64_t size : shape) {
    onnx::TensorShapeProto::Dimension *dim = proto.add_dim();
    if (!ShapedType::isDynamic(size))
      dim->set_dim_value(size);
  }
}

template <typename TensorTypeProto>
static bool fillTensorTypeProto(Type type, TensorTypeProto &proto) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return false;
  int32_t elementType = onnxElementType(tensor.getElementType());
  if (!elementType)
    return false;
  proto.set_elem_type(elementType);
  if (tensor.hasRank())
    addShape(tensor.getShape(), *proto.mutable_shape());
  return true;
}

/// An element type that is not known becomes an empty message.
static bool fillElement(Type type, onnx::TypeProto &proto) {
  return isa<OnnxUnknownType>(type) || toTypeProto(type, proto);
}

static bool fillTypeProto(Type type, onnx::TypeProto &proto) {
  if (isa<TensorType>(type))
    return fillTensorTypeProto(type, *proto.mutable_tensor_type());
  if (auto sequence = dyn_cast<OnnxSequenceType>(type))
    return fillElement(sequence.getElementType(),
                       *proto.mutable_sequence_type()->mutable_elem_type());
  if (auto optional = dyn_cast<OnnxOptionalType>(type))
    return fillElement(optional.getElementType(),
                       *proto.mutable_optional_type()->mutable_elem_type());
  if (auto map = dyn_cast<OnnxMapType>(type)) {
    proto.mutable_map_type()->set_key_type(onnxElementType(map.getKeyType()));
    return fillElement(map.getValueType(),
                       *proto.mutable_map_type()->mutable_value_type());
  }
  if (auto sparse = dyn_cast<OnnxSparseType>(type))
    return fillTensorTypeProto(sparse.getDenseType(),
                               *proto.mutable_sparse_tensor_type());
  if (auto opaque = dyn_cast<OnnxOpaqueType>(type)) {
    proto.mutable_opaque_type()->set_domain(opaque.getDomain().str());
    proto.mutable_opaque_type()->set_name(opaque.getName().str());
    return true;
  }
  return false;
}

bool onnxfold::toTypeProto(Type type, onnx::TypeProto &proto) {
  proto.Clear();
  if (fillTypeProto(type, proto))
    return true;
  proto.Clear();
  return false;
}

void onnxfold::makeTensorTypeProto(int32_t onnxElementType,
                                   ArrayRef<int64_t> shape,
                                   onnx::TypeProto &proto) {
  proto.Clear();
  proto.mutable_tensor_type()->set_elem_type(onnxElementType);
  addShape(shape, *proto.mutable_tensor_type()->mutable_shape());
}

SmallVector<StringRef> onnxfold::dimensionNames(const onnx::TypeProto &proto) {
  SmallVector<StringRef> names;
  for (const auto &dim : proto.tensor_type().shape().dim())
    names.push_back(dim.has_dim_param() ? StringRef(dim.dim_param())
                                        : StringRef());
  if (llvm::all_of(names, [](StringRef name) { return name.empty(); }))
    names.clear();
  return names;
}

void onnxfold::setDimensionNames(ArrayRef<StringRef> names,
                                 onnx::TypeProto &proto) {
  if (!proto.has_tensor_type() || !proto.tensor_type().has_shape())
    return;
  auto *dims = proto.mutable_tensor_type()->mutable_shape()->mutable_dim();
  for (auto [dim, name] : llvm::zip(*dims, names))
    if (!dim.has_dim_value() && !name.empty())
      dim.set_dim_param(name.str());
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

static Type mergeTensors(TensorType left, TensorType right) {
  if (left.getElementType() != right.getElementType())
    return {};
  if (!left.hasRank())
    return right;
  if (!right.hasRank())
    return left;
  if (left.getRank() != right.getRank())
    return {};
  SmallVector<int64_t> shape(left.getShape());
  for (auto [size, other] : llvm::zip_equal(shape, right.getShape())) {
    if (ShapedType::isDynamic(size))
      size = other;
    else if (!ShapedType::isDynamic(other) && size != other)
      return {};
  }
  return RankedTensorType::get(shape, left.getElementType());
}

/// For types with one parameter.
template <typename T, typename Parameter>
static Type mergeParameter(T left, T right, Parameter parameter) {
  Type merged = mergeTypes((left.*parameter)(), (right.*parameter)());
  return merged ? Type(T::get(left.getContext(), merged)) : Type();
}

Type onnxfold::mergeTypes(Type left, Type right) {
  if (left == right || isa<OnnxUnknownType>(right))
    return left;
  if (isa<OnnxUnknownType>(left))
    return right;
  if (left.getTypeID() != right.getTypeID() &&
      !(isa<TensorType>(left) && isa<TensorType>(right)))
    return {};
  if (auto tensor = dyn_cast<TensorType>(left))
    return mergeTensors(tensor, cast<TensorType>(right));
  if (auto sequence = dyn_cast<OnnxSequenceType>(left))
    return mergeParameter(sequence, cast<OnnxSequenceType>(right),
                          &OnnxSequenceType::getElementType);
  if (auto optional = dyn_cast<OnnxOptionalType>(left))
    return mergeParameter(optional, cast<OnnxOptionalType>(right),
                          &OnnxOptionalType::getElementType);
  if (auto sparse = dyn_cast<OnnxSparseType>(left))
    return mergeParameter(sparse, cast<OnnxSparseType>(right),
                          &OnnxSparseType::getDenseType);
  if (auto a = dyn_cast<OnnxMapType>(left)) {
    auto b = cast<OnnxMapType>(right);
    Type key = mergeTypes(a.getKeyType(), b.getKeyType());
    Type value = mergeTypes(a.getValueType(), b.getValueType());
    return key && value ? Type(OnnxMapType::get(left.getContext(), key, value))
                        : Type();
  }
  return {};
}
