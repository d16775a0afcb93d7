//===- OneHotEncoder.cpp - Lowering of onnx.ml.OneHotEncoder -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A new last dimension: 1 at the category of the element, 0 elsewhere. Floats are
// cut off to integers.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/Lowering.h"
#include "onnxfold/dml/support/Text.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerOneHotEncoder(LoweringContext &cx) {
  auto categories = cx.op().getInts("cats_int64s");
  if (!categories)
    return Lowered::refused("the categories are strings");
  if (cx.op().getInt("zeros", 1) == 0)
    return Lowered::refused("zeros = 0 asks for an error for other elements");
  llvm::SmallVector<int64_t> sorted(*categories);
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
  cx.define(0, View{isCategory, count, {int64_t(categories->size())}});
  return Lowered::done();
}

namespace onnxfold::dml {
void registerOneHotEncoderLowering(LoweringRegistry &registry) {
  registry.add("ai.onnx.ml.OneHotEncoder", {1}, lowerOneHotEncoder);
}
} // namespace onnxfold::dml
