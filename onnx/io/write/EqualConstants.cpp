//===- EqualConstants.cpp - New constants that have one value -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/write/EqualConstants.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace onnxfold;
using namespace mlir;

ShapeRef EqualConstants::shapeOf(Operation *constant) {
  return cast<OnnxConstantOp>(constant).getValue().getShapedType().getShape();
}

/// Values of one element type and size that have several shapes, as lists.
static void flattenUnlike(std::vector<Elements> &values) {
  std::map<std::pair<DataType, int64_t>, llvm::SmallVector<Elements *, 2>> all;
  for (Elements &value : values)
    if (value)
      all[{value.type(), value.size()}].push_back(&value);
  for (auto &[kind, alike] : all) {
    ShapeRef first = alike.front()->shape();
    bool isOne = llvm::all_of(
        alike, [&](Elements *value) { return value->shape() == first; });
    if (!isOne)
      for (Elements *value : alike)
        *value = value->reshape({kind.second});
  }
}

EqualConstants::EqualConstants(ArrayRef<OnnxConstantOp> given,
                               bool ofAnyShape) {
  std::vector<Elements> values;
  llvm::DenseMap<Attribute, size_t> known; // small equal values share theirs
  indices.reserve(given.size());
  for (OnnxConstantOp constant : given) {
    auto [index, isNew] =
        known.try_emplace(constant.getValue(), constants.size());
    indices[constant] = index->second;
    if (!isNew)
      continue;
    constants.push_back(constant);
    values.push_back(fromAttribute(constant.getValue()));
  }
  if (ofAnyShape)
    flattenUnlike(values);
  equal = ops::EqualValues(values);
}
