//===- OneHotEncoder.cpp - Constant kernel of onnx.ml.OneHotEncoder -------===//
// SPDX-License-Identifier: Apache-2.0
//
// A new last dimension: 1 at the category of the element, 0 elsewhere. Spec:
// onnx.ml OneHotEncoder, version 1. Floats are cut off to integers; those that
// int64 does not hold are kept, and so is a category that stands twice.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/kernels/support/Casting.h"
#include "onnxfold/onnx/kernels/support/KeyIndex.h"

using namespace onnxfold;
using namespace onnxfold::ops;

static FoldResult foldOneHotEncoder(FoldContext &cx) {
  Elements x = cx.input(0);
  auto integers = cx.ints("cats_int64s");
  auto texts = cx.strings("cats_strings");
  bool useTexts = x.type() == DataType::String;
  if (useTexts ? !texts || integers : !integers || texts)
    return invalid("attribute '" +
                   llvm::Twine(useTexts ? "cats_strings" : "cats_int64s") +
                   "' alone is expected for " + name(x.type()));
  KeyIndex index(useTexts ? tensorOf(*texts) : tensorOf(*integers));
  if (auto twice = index.checkUnique(useTexts ? "cats_strings" : "cats_int64s"))
    return twice;
  Shape shape(x.shape());
  shape.push_back(index.size());
  if (auto limit = cx.checkResult(DataType::Float32, shape))
    return limit;
  if (isFloat(x.type()))
    if (auto outside = findOutOfRange(x, DataType::Int64))
      return outside;
  Elements found = index.find(useTexts ? x : cast(x, DataType::Int64));
  int64_t none = index.size();
  if (cx.integer("zeros").value_or(1) == 0)
    if (auto bad =
            firstWhere<int64_t>(found, [none](int64_t i) { return i == none; }))
      return invalid("element " + toString(indexOf(*bad, x.shape())) +
                     " is not a category, and attribute 'zeros' is 0");
  return oneHot(found, none, x.rank(), Elements::splat<float>({}, 0),
                Elements::splat<float>({}, 1));
}

namespace onnxfold {
void registerOneHotEncoder(KernelRegistry &registry) {
  registry.add("ml.OneHotEncoder", {1}, foldOneHotEncoder);
}
} // namespace onnxfold
