//===- EqualConstants.cpp - New constants that have one value -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/onnx/io/EqualConstants.h"
#include "onnxfold/elements/ir/AttributeConversion.h"

using namespace onnxfold;
using namespace mlir;

EqualConstants::EqualConstants(ArrayRef<OnnxConstantOp> given) {
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
  equal = ops::EqualValues(values);
}
