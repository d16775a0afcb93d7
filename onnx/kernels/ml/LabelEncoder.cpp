//===- LabelEncoder.cpp - Constant kernel of onnx.ml.LabelEncoder ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each element is mapped by a list of keys and a list of values, or to a
// default. Spec: onnx.ml LabelEncoder, versions 1 (strings to their index in
// `classes_strings`, or back), 2 (lists of strings, integers, floats), 4 (of
// further types, as tensors).
//
// A key that stands twice is undefined before version 4, where the last one
// holds. Floats of version 2 are compared bit by bit, says the text; runtimes
// compare numbers, so that what differs (NaN, 0 and -0) is kept there.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/elements/ops/Generate.h"
#include "onnxfold/onnx/kernels/support/KeyIndex.h"
#include "onnxfold/onnx/kernels/support/NaNs.h"

using namespace onnxfold;
using namespace onnxfold::ops;

/// The attribute `<prefix>_tensor`, `_strings`, `_int64s` or `_floats`, as a
/// vector; null unless there is exactly one of them.
static Elements onlyList(FoldContext &cx, llvm::StringRef prefix) {
  std::string start = (prefix + "_").str();
  llvm::SmallVector<Elements, 4> lists;
  if (Elements tensor = cx.tensor(start + "tensor"))
    lists.push_back(tensor.reshape({tensor.size()}));
  if (auto texts = cx.strings(start + "strings"))
    lists.push_back(tensorOf(*texts));
  if (auto integers = cx.ints(start + "int64s"))
    lists.push_back(tensorOf(*integers));
  if (auto reals = cx.reals(start + "floats"))
    lists.push_back(
        Elements::fromValues<float>({int64_t(reals->size())}, *reals));
  return lists.size() == 1 ? lists[0] : Elements();
}

/// The default of the kind of `values`: the attribute that belongs to them, or
/// the other one that may, or what the text says for their type.
static Elements defaultOf(FoldContext &cx, const Elements &values) {
  DataType type = values.type();
  Elements tensor = cx.tensor("default_tensor");
  if (tensor && cx.hasAttribute("values_tensor"))
    return tensor;
  if (type == DataType::String && cx.string("default_string"))
    return tensorOf(*cx.string("default_string"));
  if (type == DataType::Int64 && cx.integer("default_int64"))
    return tensorOf(*cx.integer("default_int64"));
  if (type == DataType::Float32 && cx.real("default_float"))
    return Elements::splat<float>({1}, *cx.real("default_float"));
  if (tensor)
    return tensor;
  if (type == DataType::String)
    return tensorOf(std::string("_Unused"));
  return Elements::splat(type, {1},
                         WideNum::widen(isFloat(type) ? -0.0 : -1.0));
}

static FoldResult foldLists(FoldContext &cx) {
  const Elements &x = cx.input(0);
  Elements keys = onlyList(cx, "keys"), values = onlyList(cx, "values");
  if (!keys || !values || keys.size() != values.size() ||
      keys.type() != x.type() || !KeyIndex::accepts(keys))
    return invalid("attributes 'keys_*' and 'values_*' are not one list each, "
                   "of one length, with keys of the type of input #0");
  Elements byDefault = defaultOf(cx, values);
  if (byDefault.size() != 1 || byDefault.type() != values.type())
    return invalid("attribute 'default_tensor' is not one element of the type "
                   "of the values");
  KeyIndex index(keys);
  if (cx.version() < 4 || !mustDecide(cx))
    if (auto twice = index.checkUnique("keys_*"))
      return twice;
  if (cx.version() < 4) {
    if (isFloat(x.type()) &&
        !index.find(x).identicalTo(KeyIndex(keys, /*bitwise=*/true).find(x)))
      return undefined("a NaN or a zero is a key as a number and not bit by "
                       "bit, or the other way round");
  }
  return mapByKeys(index, x, values, byDefault);
}

static FoldResult foldClasses(FoldContext &cx) {
  const Elements &x = cx.input(0);
  auto texts = cx.strings("classes_strings");
  if (!texts)
    return invalid("attribute 'classes_strings' is missing");
  Elements classes = tensorOf(*texts), indices = iota({classes.size()}, 0);
  if (x.type() == DataType::Int64)
    return mapByKeys(KeyIndex(indices), x, classes,
                     tensorOf(cx.string("default_string").value_or("_Unused")));
  if (x.type() != DataType::String)
    return invalid("input #0 is neither of strings nor of i64");
  KeyIndex index(classes);
  if (auto twice = index.checkUnique("classes_strings"))
    return twice;
  return mapByKeys(index, x, indices,
                   tensorOf(cx.integer("default_int64").value_or(-1)));
}

namespace onnxfold {
void registerLabelEncoder(KernelRegistry &registry) {
  registry.add("ml.LabelEncoder", {1}, foldClasses);
  registry.add("ml.LabelEncoder", {2, 4}, foldLists);
}
} // namespace onnxfold
