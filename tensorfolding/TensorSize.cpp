//===- TensorSize.cpp - How large tensors are in memory -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/tensorfolding/internal/TensorSize.h"

namespace onnxfold {

using namespace mlir;

static uint64_t elementBytes(Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return 2 * elementBytes(complex.getElementType());
  if (type.isIndex())
    return 8;
  if (!type.isIntOrFloat())
    return 0;
  return llvm::PowerOf2Ceil(llvm::divideCeil(type.getIntOrFloatBitWidth(), 8));
}

TensorSize sizeOf(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped)
    return {elementBytes(type), 0};
  TensorSize size{elementBytes(shaped.getElementType()), 0};
  if (!shaped.hasRank())
    return size;
  for (int64_t dim : shaped.getShape()) {
    if (ShapedType::isDynamic(dim))
      ++size.dynamicDims;
    else
      size.bytes = llvm::SaturatingMultiply(size.bytes, uint64_t(dim));
  }
  return size;
}

bool canBeKept(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getEncoding())
    return false;
  Type element = tensor.getElementType();
  if (auto complex = dyn_cast<ComplexType>(element))
    element = complex.getElementType();
  return element.isIndex() ||
         (element.isIntOrFloat() && element.getIntOrFloatBitWidth() >= 8);
}

} // namespace onnxfold
