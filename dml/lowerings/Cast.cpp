//===- Cast.cpp - Lowering of onnx.Cast ----------------------------------===//
//
// Doubles hold every number. To integers: rounded to zero, and wrapped around
// if they were integers; to bool: not 0. To float16 would need rounding.
//
//===----------------------------------------------------------------------===//
#include "onnxfold/dml/support/Broadcasting.h"

using namespace onnxfold;
using namespace onnxfold::dml;

static Lowered lowerCast(LoweringContext &cx) {
  DataType from = cx.input(0).type, to = cx.result().type;
  Expr x = cx.matrix(0);
  if (to == DataType::Bool && from != DataType::Bool)
    cx.define(0, Expr::binary("!=", x, 0));
  else if (to == DataType::Float16 && from != to && from != DataType::Bool)
    return Lowered::refused("the rounding of float16 is not there in doubles");
  else if (isFloat(from) && !isFloat(to)) {
    Expr value = cx.local("value", x);
    cx.define(0, call("sign", {value}) * call("floor", {call("abs", {value})}));
  } else if (!isFloat(to) && from != DataType::Bool && bitWidth(from) < 64 &&
             bitWidth(to) == 64 && typeClass(to) == TypeClass::Unsigned &&
             typeClass(from) == TypeClass::Signed)
    return Lowered::refused("negative numbers would be beyond 2^53");
  else if (!isFloat(to) && from != DataType::Bool && from != to)
    cx.define(0, wrapped(cx, x, to));
  else
    cx.define(0, x);
  return Lowered::done();
}

namespace onnxfold::dml {
void registerCastLowering(LoweringRegistry &registry) {
  registry.add("Cast", {1, 6, 9, 13, 19, 21, 23, 24, 25}, lowerCast);
}
} // namespace onnxfold::dml
