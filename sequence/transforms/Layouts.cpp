//===- Layouts.cpp - Layouts that casts lose ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/sequence/transforms/internal/Layouts.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

/// Whether every memref of the type is row-major from its first element on.
static bool isRowMajor(MemRefType type) {
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset, stride = 1;
  if (failed(type.getStridesAndOffset(strides, offset)) || offset != 0)
    return false;
  for (int64_t axis = type.getRank(); axis-- > 0;) {
    int64_t size = type.getDimSize(axis);
    if (size != 1 && strides[axis] != stride)
      return false;
    if (type.isDynamicDim(axis) && axis != 0)
      return false; // the next stride is not known
    stride *= size;
  }
  return true;
}

bool onnxfold::sequence::losesLayout(Type from, Type to) {
  auto source = dyn_cast<MemRefType>(from);
  auto target = dyn_cast<MemRefType>(to);
  return source && !isRowMajor(source) &&
         (!target || target.getLayout().isIdentity());
}
