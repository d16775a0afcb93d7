//===- Broadcasts.cpp - Constants that Expand makes of small ones ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/transforms/rewrite/Broadcasts.h"

using namespace onnxfold;

SmallForm onnxfold::smallFormOf(const Elements &value) {
  Elements narrow = value.narrowed();
  ShapeRef shape = narrow.shape();
  Shape zeros(shape.size(), 0), ones(shape.size(), 1), sizes(shape);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    Shape alone = ones;
    alone[axis] = shape[axis];
    if (narrow.slice(zeros, alone, ones).isSplat())
      sizes[axis] = 1;
  }
  SmallForm form;
  form.value = narrow.slice(zeros, sizes, ones);
  form.bytes = packedBytes(form.value.type(), form.value.size()) +
               int64_t(sizeof(int64_t)) * form.value.rank();
  return form;
}

bool onnxfold::mayExpand(DataType type) {
  return type == DataType::Bool || isInteger(type) ||
         type == DataType::Float16 || type == DataType::Float32 ||
         type == DataType::Float64;
}
