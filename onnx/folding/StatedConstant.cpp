//===- StatedConstant.cpp - Constants of functions in protobuf ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/folding/StatedConstant.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "onnxfold/elements/ops/Elementwise.h"
#include "onnxfold/onnx/ir/Types.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/onnx_pb.h"

using namespace onnxfold;
using llvm::ArrayRef;
using onnx::AttributeProto;
using onnx::TensorProto;

/// The value that a Constant states, as a tensor.
static TensorProto tensorOf(const AttributeProto &value) {
  TensorProto tensor;
  auto list = [&](TensorProto::DataType type, int size) {
    tensor.set_data_type(type);
    tensor.add_dims(size);
  };
  switch (value.type()) {
  case AttributeProto::TENSOR:
    return value.t();
  case AttributeProto::INT:
    tensor.set_data_type(TensorProto::INT64);
    tensor.add_int64_data(value.i());
    break;
  case AttributeProto::FLOAT:
    tensor.set_data_type(TensorProto::FLOAT);
    tensor.add_float_data(value.f());
    break;
  case AttributeProto::INTS:
    list(TensorProto::INT64, value.ints_size());
    *tensor.mutable_int64_data() = value.ints();
    break;
  case AttributeProto::FLOATS:
    list(TensorProto::FLOAT, value.floats_size());
    *tensor.mutable_float_data() = value.floats();
    break;
  default: // no body has strings
    break;
  }
  return tensor;
}

/// The elements of a tensor whose values are in the field of T.
template <typename T, typename Field>
static Elements fromField(const TensorProto &tensor, const Field &field) {
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  if (checkedNumElements(shape) != int64_t(field.size()))
    return {};
  return Elements::fromValues<T>(shape,
                                 ArrayRef<T>(field.data(), field.size()));
}

/// The text states floats of 16 bits by their bits.
template <typename T> static Elements fromBits(const TensorProto &tensor) {
  Shape shape(tensor.dims().begin(), tensor.dims().end());
  if (checkedNumElements(shape) != int64_t(tensor.int32_data_size()))
    return {};
  llvm::SmallVector<T> values;
  for (int32_t bits : tensor.int32_data())
    values.push_back(T{uint16_t(bits)});
  return Elements::fromValues<T>(shape, llvm::ArrayRef<T>(values));
}

/// Bodies are built from C++ values and from text, both with typed fields.
static Elements elementsOfProto(const TensorProto &tensor) {
  switch (tensor.data_type()) {
  case TensorProto::INT64:
    return fromField<int64_t>(tensor, tensor.int64_data());
  case TensorProto::FLOAT:
    return fromField<float>(tensor, tensor.float_data());
  case TensorProto::DOUBLE:
    return fromField<double>(tensor, tensor.double_data());
  case TensorProto::UINT64:
    return fromField<uint64_t>(tensor, tensor.uint64_data());
  case TensorProto::UINT32:
    if (Elements wide = fromField<uint64_t>(tensor, tensor.uint64_data()))
      return ops::cast(wide, DataType::UInt32);
    return {};
  case TensorProto::FLOAT16:
    return fromBits<Float16>(tensor);
  case TensorProto::BFLOAT16:
    return fromBits<BFloat16>(tensor);
  case TensorProto::BOOL:
  case TensorProto::INT8:
  case TensorProto::INT16:
  case TensorProto::INT32:
  case TensorProto::UINT8:
  case TensorProto::UINT16:
    if (Elements wide = fromField<int32_t>(tensor, tensor.int32_data()))
      return ops::cast(wide, DataType(tensor.data_type()));
    return {};
  default:
    return {};
  }
}

Elements onnxfold::statedElements(const AttributeProto &value) {
  return elementsOfProto(tensorOf(value));
}

llvm::Expected<mlir::ElementsAttr>
onnxfold::statedTensor(const TensorProto &tensor, mlir::MLIRContext *context) {
  Elements value = elementsOfProto(tensor);
  if (!value)
    return llvm::createStringError("a tensor of another kind");
  auto type = mlir::RankedTensorType::get(
      value.shape(), elementTypeOf(int32_t(value.type()), context));
  return toAttribute(value, type);
}

llvm::Expected<mlir::ElementsAttr>
onnxfold::statedConstant(const AttributeProto &value,
                         mlir::MLIRContext *context) {
  return statedTensor(tensorOf(value), context);
}
