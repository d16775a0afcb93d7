//===- Bits.cpp - Operations on the bits of integers ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "onnxfold/dml/support/Bits.h"

using namespace onnxfold;
using namespace onnxfold::dml;

Lowered dml::lowerBitwise(LoweringContext &cx, llvm::StringRef builtin,
                          llvm::function_ref<Expr(Expr, Expr, Expr)> f) {
  DataType type = cx.result().type;
  bool fits = bitWidth(type) + (typeClass(type) == TypeClass::Unsigned) <= 32;
  if (fits) {
    auto both = [&](Expr x, Expr y) { return call(builtin, {x, y}); };
    return lowerBinary(cx, both, both);
  }
  const Shape &dims = cx.result().dims;
  Expr x = cx.local("left", expandTo(cx, operandOf(cx, 0), dims).expr),
       y = cx.local("right", expandTo(cx, operandOf(cx, 1), dims).expr);
  Expr both = cx.local("both", cx.helper("bitwise_and", {x, y}));
  cx.define(0, f(x, y, both));
  return Lowered::done();
}
