//===- LabelEncoder.cpp - Lowering of onnx.ml.LabelEncoder ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each number is mapped by a list of keys and one of values, or to a default. A
// key that stands twice: the last one holds since version 4. A key of NaN is NaN.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/export/WeightFile.h"
#include "onnxfold/elements/ir/AttributeConversion.h"
#include "llvm/ADT/bit.h"
#include <map>

using namespace onnxfold;
using namespace onnxfold::dml;

/// The attribute <prefix>_tensor, _int64s or _floats; null for strings of a
/// tensor.
static Elements numbersOf(LoweringContext &cx, llvm::StringRef prefix) {
  std::string start = (prefix + "_").str();
  if (mlir::ElementsAttr tensor = cx.op().getTensor(start + "tensor")) {
    Elements values = fromAttribute(tensor);
    if (values.type() == DataType::String || firstInexact(values) >= 0)
      return {};
    return asDoubles(values);
  }
  std::vector<double> values;
  if (auto list = cx.op().getInts(start + "int64s"))
    values.assign(list->begin(), list->end());
  else if (auto list = cx.op().getFloats(start + "floats"))
    values.assign(list->begin(), list->end());
  else
    return {};
  return Elements::fromValues<double>({int64_t(values.size())}, values);
}

static double defaultOf(LoweringContext &cx) {
  if (mlir::ElementsAttr tensor = cx.op().getTensor("default_tensor")) {
    Elements value = fromAttribute(tensor);
    return value.type() == DataType::String ? 0
                                            : asDoubles(value).value<double>();
  }
  if (isFloat(cx.result().type))
    return cx.op().getFloat("default_float", -0.0f);
  return cx.op().getInt("default_int64", -1);
}

namespace {

/// What a node maps; strings are the numbers of words.
struct Mapping {
  Elements keys, values;
  double otherwise = 0;
};

} // namespace

/// Keys that are strings: the numbers of those that the input may be.
static Elements keysOf(LoweringContext &cx) {
  auto texts = cx.op().getStrings("keys_strings");
  if (!texts)
    return numbersOf(cx, "keys");
  std::vector<double> numbers;
  for (llvm::StringRef text : *texts)
    numbers.push_back(cx.numberOfInputWord(text, numbers.size()));
  return Elements::fromValues<double>({int64_t(numbers.size())}, numbers);
}

/// Values that are strings are the numbers of words of the result, and so is the
/// default.
static Mapping mappingOf(LoweringContext &cx) {
  auto texts = cx.op().getStrings("values_strings");
  if (!texts)
    return {keysOf(cx), numbersOf(cx, "values"), defaultOf(cx)};
  std::vector<double> numbers;
  for (llvm::StringRef text : *texts)
    numbers.push_back(cx.numberOfWord(text));
  double otherwise =
      cx.numberOfWord(cx.op().getString("default_string", "_Unused"));
  return {keysOf(cx),
          Elements::fromValues<double>({int64_t(numbers.size())}, numbers),
          otherwise};
}

static Lowered lowerLabelEncoder(LoweringContext &cx) {
  auto [keys, values, otherwise] = mappingOf(cx);
  if (!keys || !values || keys.size() != values.size())
    return Lowered::refused("keys and values are not lists of numbers or "
                            "strings");
  std::vector<double> from, to;
  // Of the bits of a key, which a DenseMap would give the same hash: those of
  // small integers end in zeros.
  std::map<int64_t, size_t> place;
  for (int64_t i = 0; i < keys.size(); ++i) {
    double key = keys.value<double>(i) + 0.0; // 0 for -0
    auto [it, isNew] =
        place.try_emplace(llvm::bit_cast<int64_t>(key), from.size());
    if (!isNew && cx.op().since() < 4)
      return Lowered::refused("a key stands twice");
    if (isNew) {
      from.push_back(key);
      to.push_back(0);
    }
    to[it->second] = values.value<double>(i);
  }
  int64_t count = from.size();
  auto row = [&](llvm::StringRef name, const std::vector<double> &list) {
    return cx.constantMatrix(
        name, Elements::fromValues<double>({1, count}, list), 1, count);
  };
  cx.define(0, cx.helper("map_values", {cx.matrix(0), row("keys", from),
                                        row("mapped", to), otherwise}));
  return Lowered::done();
}

namespace onnxfold::dml {
void registerLabelEncoderLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.LabelEncoder", {2, 4}, lowerLabelEncoder);
}
} // namespace onnxfold::dml
