//===- CategoryMapper.cpp - Constant kernel of onnx.ml.CategoryMapper -----===//
// SPDX-License-Identifier: Apache-2.0
//
// Strings to integers by two lists, or back, depending on the type of x. Spec:
// onnx.ml CategoryMapper, version 1. A key that stands twice in its list is
// undefined: kept.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/onnx/kernels/support/KeyIndex.h"

using namespace onnxfold;

static FoldResult foldCategoryMapper(FoldContext &cx) {
  const Elements &x = cx.input(0);
  std::optional<Shape> integers = cx.ints("cats_int64s");
  std::optional<std::vector<std::string>> texts = cx.strings("cats_strings");
  if (!integers || !texts || integers->size() != texts->size())
    return invalid("attributes 'cats_int64s' and 'cats_strings' are not lists "
                   "of one length");
  bool toIntegers = x.type() == DataType::String;
  Elements keys = tensorOf(*integers), values = tensorOf(*texts);
  if (toIntegers)
    std::swap(keys, values);
  Elements byDefault =
      toIntegers ? tensorOf(cx.integer("default_int64").value_or(-1))
                 : tensorOf(cx.string("default_string").value_or("_Unused"));
  if (x.type() != keys.type())
    return invalid("input #0 is neither of strings nor of i64");
  KeyIndex index(keys);
  if (auto twice =
          index.checkUnique(toIntegers ? "cats_strings" : "cats_int64s"))
    return twice;
  return mapByKeys(index, x, values, byDefault);
}

namespace onnxfold {
void registerCategoryMapper(KernelRegistry &registry) {
  registry.add("ml.CategoryMapper", {1}, foldCategoryMapper);
}
} // namespace onnxfold
