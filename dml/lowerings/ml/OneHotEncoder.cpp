//===- OneHotEncoder.cpp - Lowering of onnx.ml.OneHotEncoder -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A new last dimension: 1 at the category of the element, 0 elsewhere. Floats are
// cut off to integers.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/export/Lowering.h"
#include "onnxfold/dml/support/Text.h"

using namespace onnxfold;
using namespace onnxfold::dml;

/// The categories; those that are strings, as numbers of words of the input.
static std::optional<Shape> categoriesOf(LoweringContext &cx) {
  if (auto numbers = cx.op().getInts("cats_int64s"))
    return Shape(std::move(*numbers));
  auto texts = cx.op().getStrings("cats_strings");
  if (!texts || cx.words(0).empty())
    return std::nullopt;
  Shape numbers;
  for (llvm::StringRef text : *texts)
    numbers.push_back(cx.numberOfInputWord(text, numbers.size()));
  return numbers;
}

static Lowered lowerOneHotEncoder(LoweringContext &cx) {
  std::optional<Shape> categories = categoriesOf(cx);
  if (!categories)
    return Lowered::refused("the categories are strings, and which strings the "
                            "input may be is not known");
  Shape sorted(*categories);
  llvm::sort(sorted);
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return Lowered::refused("a category stands twice");
  Size count = sizeOf(cx.input(0).dims);
  Expr x = cx.reshape(cx.natural(0), count, {}).expr;
  if (isFloat(cx.input(0).type)) {
    x = cx.local("value", x);
    x = call("sign", {x}) * call("floor", {call("abs", {x})});
  }
  Expr isCategory = call("outer", {x, rowText(*categories), Expr::text("==")});
  // Converters ask for an error where an encoder is to know all elements.
  if (cx.op().getInt("zeros", 1) == 0)
    isCategory = cx.helper("one_of_each", {isCategory});
  cx.define(0, View{isCategory, count, {int64_t(categories->size())}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerOneHotEncoderLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.OneHotEncoder", {1}, lowerOneHotEncoder);
}
} // namespace onnxfold::dml
